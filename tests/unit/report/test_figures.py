"""What figures for papers draw, and what they don't."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure as Canvas

from leadline.report.figures.figure import PlottedLine, PlottedPoint, draw_line
from leadline.report.figures.style import name_values, places
from leadline.report.series import SeriesStyle


def point(x: int, sure: bool = True) -> PlottedPoint:
    return PlottedPoint(x, 2.0, *((1.0, 3.0) if sure else (None, None)))


def drawn(*points: PlottedPoint) -> tuple[int, list[float]]:
    """How many bands there are, and where the line goes: nan where it is broken."""
    axes = Canvas().subplots()
    line = PlottedLine("a", SeriesStyle("a", "s0", 0), points)
    draw_line(axes, line, places([one.x for one in points]))
    band = axes.collections[0].get_paths()
    return len(band), np.asarray(axes.lines[0].get_ydata(), dtype=float).tolist()


def test_no_band_goes_through_a_point_without_an_interval() -> None:
    around = (point(1), point(2), point(4, sure=False), point(8), point(16))
    assert drawn(*around) == (2, [2.0] * 5)
    assert drawn(*(point(one.x) for one in around)) == (1, [2.0] * 5)


def test_nought_is_joined_to_nothing() -> None:
    _, line = drawn(point(0), point(8), point(16))
    assert [math.isnan(y) for y in line] == [False, True, False, False]


def named_values(low: float, high: float, marked: float | None) -> list[str]:
    axes = Canvas().subplots()
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    name_values(axes, lambda value: f"{value:g}", marked)
    return [label.get_text() for label in axes.get_yticklabels()]


def test_one_has_its_name_on_an_axis_of_ratios() -> None:
    assert named_values(0.9, 4.4, None) == ["1.6", "2.4", "3.2", "4"]
    assert named_values(0.9, 4.4, 1.0) == ["1.6", "2.4", "3.2", "4", "1"]


def test_values_beside_one_give_way_to_its_name() -> None:
    assert "1.02" not in named_values(0.97, 1.07, 1.0)[:-1]
    assert named_values(0.97, 1.07, 1.0)[-1] == "1"
    names = [float(name) for name in named_values(0.8, 1.3, 1.0)[:-1]]
    assert all(abs(math.log(name)) > 0.06 * math.log(1.3 / 0.8) for name in names)
