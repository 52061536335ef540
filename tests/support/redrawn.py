"""A figure of the paper in tests.support.made_again, redrawn."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.made_again import KEY

from leadline.papers.cells import ReproducedFigure
from leadline.papers.layout import StudyCurve, StudyFigure, StudyPoint
from leadline.papers.units import Unit
from leadline.statistics.estimate import Estimate

OURS = ((1, 1e6), (1000, 60e6), (1_000_000, 100e6))
PRINTED = ((1000, 50e6), (1_000_000, 100e6))


def redrawn(planted: str = "", logarithmic: bool = False) -> ReproducedFigure:
    """A line of ours, and two points that were printed; `planted` ends its names and its note."""
    return ReproducedFigure(
        id=f"{KEY}.figure1",
        paper=KEY,
        where="Figure 1",
        figure=StudyFigure(
            name=f"{KEY}-figure1",
            title=f"Bandwidth{planted}",
            quantity="bandwidth",
            unit=Unit.MEGABYTES_PER_SECOND,
            curves=(
                _curve(f"ours{planted}", OURS),
                _curve(f"the paper{planted}", PRINTED, published=True),
            ),
            logarithmic=logarithmic,
        ),
        note=f"Only two points of it can be read.{planted}",
    )


def _curve(name: str, values: Sequence[tuple[int, float]], published: bool = False) -> StudyCurve:
    points = tuple(StudyPoint(x, Estimate(y)) for x, y in values)
    return StudyCurve(name, "ring", "", points, published=published)
