"""Emulated hosts: how nearly clocks between them are fitted, and whether sick ones are named.

The goals are in validation/hosts/clocks.py and validation/hosts/health.py. Needs root.
"""

from __future__ import annotations

from bench.figures import together

from validation.hosts import clocks, health


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    return together(clocks.measure(), health.measure())
