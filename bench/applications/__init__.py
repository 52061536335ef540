"""Applications: how fast their loops are, what their clock costs, what large problems hold.

The goals are in bench/applications/mg.py, bench/applications/stap.py, bench/applications/clock.py
and bench/applications/large.py.
"""

from __future__ import annotations

from bench.applications import clock, large, mg, stap

PARTS = {"mg": mg, "stap": stap, "clock": clock, "large": large}


def measure() -> dict[str, object]:
    """The figures of each part, and whether all goals are reached."""
    found = {name: part.measure() for name, part in PARTS.items()}
    return found | {"reached": all(bool(one["reached"]) for one in found.values())}
