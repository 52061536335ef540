"""Simulated machines: the T3E's contention, SimGrid's answers, machines calibrated on this one.

The goals are in validation/simulate/papers.py, smpi.py and calibration.py, which measures a
campaign of some minutes.
"""

from __future__ import annotations

from bench.figures import together

from validation.simulate import calibration, papers, smpi


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    return together(papers.measure(), smpi.measure(), calibration.measure())
