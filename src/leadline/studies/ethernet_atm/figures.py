"""The paper's four figures: bandwidth and round trip against size, each with its small sizes."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.statistics.estimate import Estimate
from leadline.studies.estimates import Quantity, estimate
from leadline.studies.ethernet_atm.curves import (
    BySize,
    bandwidth,
    place,
    round_trip,
    sizes,
    variants,
)
from leadline.studies.ethernet_atm.stages import EMULATED
from leadline.studies.figures import StudyCurve, StudyFigure, StudyPoint
from leadline.studies.published import ethernet_atm
from leadline.studies.published.ethernet_atm import LARGEST_BYTES, SMALL_BYTES
from leadline.studies.results import Results
from leadline.studies.units import Unit

RAW = "tcp"


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Figures 1 to 4."""
    return tuple(
        _figure(results, number, quantity, small)
        for number, (quantity, small) in enumerate(
            ((bandwidth, False), (bandwidth, True), (round_trip, False), (round_trip, True)), 1
        )
    )


def _figure(results: Results, number: int, quantity: BySize, small: bool) -> StudyFigure:
    of_rates = quantity is bandwidth
    what = "bandwidth" if of_rates else "round trip"
    name = what.replace(" ", "-")
    most = SMALL_BYTES if small else LARGEST_BYTES
    curves = tuple(_curves(results, quantity, range(int(of_rates), most + 1)))
    printed = tuple(_printed()) if of_rates and not small else ()
    return StudyFigure(
        f"{number}-{name}-small" if small else f"{number}-{name}",
        f"{what.capitalize()} against message size" + (", small messages" if small else ""),
        what,
        Unit.MEGABITS_PER_SECOND if of_rates else Unit.MILLISECONDS,
        (*curves, *printed),
    )


def _curves(results: Results, quantity: BySize, among: range) -> Iterator[StudyCurve]:
    """Those that have a point among these sizes."""
    for network in EMULATED:
        for variant in variants(results):
            points = tuple(
                _point(size, quantity(results, network, variant, size))
                for size in sizes(results, network)
                if size in among and place(results, network, variant, size) in results.times
            )
            if points:
                name = f"{variant}, {network.name}"
                yield StudyCurve(name, variant, network.name, points, raw=variant == RAW)


def _point(size_bytes: int, found: Quantity) -> StudyPoint:
    return StudyPoint(size_bytes, estimate(found), found.crowded)


def _printed() -> Iterator[StudyCurve]:
    """The peaks whose sizes the paper says, among the libraries' curves."""
    for row in ethernet_atm.PEAKS:
        if row.size_bytes:
            point = StudyPoint(row.size_bytes, Estimate(row.bandwidth_bytes_per_s))
            name = f"{row.library}, {row.network} (the paper)"
            yield StudyCurve(name, row.library.lower(), row.network, (point,), published=True)
