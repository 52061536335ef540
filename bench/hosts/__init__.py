"""Emulated hosts: what links carry, and how exact the switch between them is.

The goals are in bench/hosts/rates.py and bench/hosts/switch.py. Needs root.
"""

from __future__ import annotations

from bench.figures import together
from bench.hosts import rates, switch


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    return together(rates.measure(), switch.measure())
