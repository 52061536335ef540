"""Applications: how fast their loops are, what their clock costs, what large problems hold.

The goals are in bench/applications_mg.py, bench/applications_stap.py, bench/applications_clock.py
and bench/applications_large.py.
"""

from __future__ import annotations

from bench import applications_clock, applications_large, applications_mg, applications_stap

PARTS = {
    "mg": applications_mg,
    "stap": applications_stap,
    "clock": applications_clock,
    "large": applications_large,
}


def measure() -> dict[str, object]:
    """The figures of each part, and whether all goals are reached."""
    found = {name: part.measure() for name, part in PARTS.items()}
    return found | {"reached": all(bool(one["reached"]) for one in found.values())}
