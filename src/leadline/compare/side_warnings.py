"""What is to be said of a side over all that it is compared in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.compare.circumstances import together
from leadline.compare.sides import Side
from leadline.compare.summaries import disturbed, handed_over
from leadline.record.caveats import Caveat


def disturbed_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[Caveat]:
    """Of each side whose ranks waited for cores in many slices, over all that it is compared in."""
    for side in (side for pair in pairs for side in pair):
        around = together(side.circumstances)
        if around.spoilt:
            yield disturbed(around, f"{side.label}: ")


def handed_over_sides(pairs: Sequence[tuple[Side, Side]]) -> Iterator[Caveat]:
    """Of each side whose cores were in two states in some cell, or not in the nearer one."""
    for side in (side for pair in pairs for side in pair):
        notable = (one for one in side.circumstances if one.notably_outside)
        yield from (handed_over(one, f"{side.label}: ") for one in notable)
