"""What figures for papers draw, and what they don't."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure as Canvas

from leadline.report.figures.axes import places
from leadline.report.figures.figure import PlottedLine, PlottedPoint, _draw_line
from leadline.report.series import SeriesStyle


def point(x: int, sure: bool = True) -> PlottedPoint:
    return PlottedPoint(x, 2.0, *((1.0, 3.0) if sure else (None, None)))


def drawn(*points: PlottedPoint) -> tuple[int, list[float]]:
    """How many bands there are, and where the line goes: nan where it is broken."""
    axes = Canvas().subplots()
    line = PlottedLine("a", SeriesStyle("a", "s0", 0), points)
    _draw_line(axes, line, places([one.x for one in points]))
    band = axes.collections[0].get_paths()
    return len(band), np.asarray(axes.lines[0].get_ydata(), dtype=float).tolist()


def test_no_band_goes_through_a_point_without_an_interval() -> None:
    around = (point(1), point(2), point(4, sure=False), point(8), point(16))
    assert drawn(*around) == (2, [2.0] * 5)
    assert drawn(*(point(one.x) for one in around)) == (1, [2.0] * 5)


def test_nought_is_joined_to_nothing() -> None:
    _, line = drawn(point(0), point(8), point(16))
    assert [math.isnan(y) for y in line] == [False, True, False, False]
