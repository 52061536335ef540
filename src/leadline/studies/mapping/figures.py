"""The paper's figures 4 to 7: what a PE sends against the message size, two of them in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from leadline.studies.estimates import Quantity, estimate
from leadline.studies.figures import StudyCurve, StudyFigure, StudyPoint
from leadline.studies.mapping.stages import ALONE, HALO, PAIR, PES
from leadline.studies.mapping.tables import SENT
from leadline.studies.mapping.times import (
    in_order,
    libraries,
    rate,
    reordered,
    sizes,
    uncongested,
)
from leadline.studies.results import Results, UnmeasuredError
from leadline.studies.units import Unit

TimeBySize = Callable[[int], Quantity]
"""A time of messages of a size."""


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Of pairs 4 and 5, of a halo 6 and 7: the paper's second has ranks reordered.

    Mapped pairs meet in memory, tens of times as fast as over a link: axes are logarithmic.
    """
    return tuple(
        StudyFigure(
            name,
            f"What a PE sends, {what}",
            "bandwidth of a PE",
            Unit.MEGABYTES_PER_SECOND,
            tuple(_curves(results, pattern)),
            logarithmic=True,
        )
        for name, what, pattern in (
            ("4-5-pairs", "all in pairs", PAIR),
            ("6-7-halo", "to all neighbours", HALO),
        )
    )


def _curves(results: Results, pattern: str) -> Iterator[StudyCurve]:
    """Those that have a point: of one pair alone, of all PEs in order, and mapped."""
    for variant in libraries(results):
        for way, time in _ways(results, variant, pattern).items():
            points = tuple(_points(results, time, SENT[pattern]))
            if points:
                yield StudyCurve(f"{variant}, {way}", variant, way, points)


def _ways(results: Results, variant: str, pattern: str) -> dict[str, TimeBySize]:
    ways: dict[str, TimeBySize] = {
        f"{PES} PEs, without reordering": partial(in_order, results, variant, pattern),
        f"{PES} PEs, with reordering": partial(reordered, results, variant, pattern),
    }
    if pattern == PAIR:
        ways[f"{ALONE} PEs"] = partial(uncongested, results, variant)
    return ways


def _points(results: Results, time: TimeBySize, messages: int) -> Iterator[StudyPoint]:
    for size in sizes(results):
        try:
            found = rate(time(size), messages * size)
        except UnmeasuredError:
            continue
        yield StudyPoint(size, estimate(found), found.crowded)
