"""Simulated machines: the T3E's contention, the engine, `leadline simulate`, calibrated machines.

The goals are in bench/simulate_papers.py, bench/simulate_flow.py, bench/simulate_chain.py,
bench/simulate_smpi.py and bench/simulate_calibration.py, which measures a campaign of some minutes.
"""

from __future__ import annotations

from bench import (
    simulate_calibration,
    simulate_chain,
    simulate_flow,
    simulate_papers,
    simulate_smpi,
)


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    measured = (
        simulate_papers, simulate_flow, simulate_chain, simulate_smpi, simulate_calibration,
    )  # fmt: skip
    parts = [part.measure() for part in measured]
    figures = {key: value for part in parts for key, value in part.items()}
    return figures | {"reached": all(part["reached"] for part in parts)}
