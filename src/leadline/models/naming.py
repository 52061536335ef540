"""How many things are named in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

MOST_NAMED = 8


def some(names: Sequence[str]) -> str:
    """All of a few, e.g. "3, 5 and 6"; of more the ends, e.g. "2 to 64 (63 of them)"."""
    *most, last = names
    if len(most) >= MOST_NAMED:
        return f"{most[0]} to {last} ({len(names):,} of them)"
    return f"{', '.join(most)} and {last}" if most else last
