"""Simulated machines: the flow engine, and what machine files make of the papers' figures.

The goals are in bench/simulate_flow.py and bench/simulate_papers.py.
"""

from __future__ import annotations

from bench import simulate_flow, simulate_papers


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    papers, engine = simulate_papers.measure(), simulate_flow.measure()
    return {**papers, **engine, "reached": papers["reached"] and engine["reached"]}
