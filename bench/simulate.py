"""Simulated machines: the flow engine (bench/simulate_flow.py has its goals)."""

from __future__ import annotations

from bench import simulate_flow


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    return simulate_flow.measure()
