"""Two figures: the aggregated bandwidth against PEs, with the paper's points, and long operations.

The abstract has none; the points are those that it prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from leadline.statistics.estimate import Estimate
from leadline.studies.collectives.forms import closed_forms
from leadline.studies.collectives.stages import PAPERS_PES, TOTAL_EXCHANGE
from leadline.studies.collectives.tables import RATES
from leadline.studies.collectives.times import place, sizes, variants, widest
from leadline.studies.estimates import estimate
from leadline.studies.figures import StudyCurve, StudyFigure, StudyPoint
from leadline.studies.published.catalogue import figure_of
from leadline.studies.results import Results, UnmeasuredError
from leadline.studies.units import Unit


def figures(results: Results) -> tuple[StudyFigure, ...]:
    """Of the total exchange: R_inf against PEs, and its time against the size."""
    return (
        StudyFigure(
            "1-aggregated",
            "The total exchange's aggregated bandwidth against PEs",
            "aggregated bandwidth",
            Unit.GIGABYTES_PER_SECOND,
            (*_rates(results), *_printed()),
            logarithmic=True,
            against_pes=True,
        ),
        StudyFigure(
            "2-total-exchange",
            "The total exchange against message size, on the most PEs with a core each",
            "time",
            Unit.MICROSECONDS,
            tuple(_times(results)),
            logarithmic=True,
        ),
    )


def _rates(results: Results) -> Iterator[StudyCurve]:
    for variant in variants(results):
        points = tuple(
            StudyPoint(one.ranks, one.bytes_per_s)
            for form in closed_forms(results)
            if (form.call, form.variant) == (TOTAL_EXCHANGE, variant)
            for one in form.limits
        )
        if points:
            yield StudyCurve(variant, variant, "here", points)


def _printed() -> Iterator[StudyCurve]:
    for system, name in RATES.items():
        rate = Estimate(figure_of(f"collectives.total-exchange.{name}.64").si)
        point = StudyPoint(PAPERS_PES, rate)
        label = f"{system} (the paper)"
        yield StudyCurve(label, system, "the paper", (point,), published=True)


def _times(results: Results) -> Iterator[StudyCurve]:
    try:
        pes = widest(results)
    except UnmeasuredError:
        return
    for variant in variants(results):
        at = {size: place(variant, TOTAL_EXCHANGE, pes, size) for size in sizes(results)}
        points = tuple(
            StudyPoint(size, estimate(results.times[where]))
            for size, where in at.items()
            if where in results.times
        )
        if points:
            yield StudyCurve(variant, variant, "here", points)
