"""What the page's charts of papers' figures are made of: nothing of a figure is lost."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.page.reproduced import redrawn
from leadline.report.series import SeriesStyle


def line(name: str, style: str, ys: Sequence[float], stroke: str, loose: bool) -> PlottedLine:
    points = [PlottedPoint(2**i, y, None, None) for i, y in enumerate(ys)]
    return PlottedLine(name, SeriesStyle(name, style, 0), points, stroke=stroke, loose=loose)


def lines(*found: PlottedLine) -> list[tuple[str, list[float], list[float]]]:
    """Of each line its name, its values, and those that were printed."""
    document = redrawn(Figure("bytes", "time (us)", found, str))
    return [
        (one["name"], [p[1] for p in one["points"]], [p[1] for p in one["printed"]])
        for one in document["lines"]
    ]


def test_printed_points_go_with_the_line_of_their_colour_and_stroke() -> None:
    found = lines(
        line("a", "s0", [1, 2], "-", False),
        line("a, far", "s0", [3, 4], "--", False),
        line("a, far (the paper)", "s0", [5], "--", True),
    )
    assert found == [("a", [1, 2], []), ("a, far", [3, 4], [5])]


def test_printed_points_without_a_line_of_ours_stay() -> None:
    found = lines(
        line("a (the paper)", "s0", [5], "-", True),
        line("b", "s1", [1], "-", False),
    )
    assert found == [("b", [1], []), ("a (the paper)", [], [5])]


def test_second_of_two_that_look_alike_is_not_lost() -> None:
    found = lines(
        line("a", "s0", [1], "-", False),
        line("a (the paper)", "s0", [5], "-", True),
        line("a (its text)", "s0", [6], "-", True),
        line("again a", "s0", [2], "-", False),
    )
    assert found == [("a", [1], [5]), ("again a", [2], [6])]


def test_point_is_read_with_its_interval_where_it_has_one() -> None:
    sure = PlottedPoint(8, 4.0, 3.0, 5.0)
    alone = PlottedPoint(9, 4.0, None, None)
    whole = PlottedLine("a", SeriesStyle("a", "s0", 0), [sure, alone])
    (shown,) = redrawn(Figure("bytes", "us", [whole], str))["lines"]
    assert shown["points"] == [
        [8, 4.0, 3.0, 5.0, "4.00 (3.00 to 5.00)"], [9, 4.0, None, None, "4.00"],
    ]  # fmt: skip
