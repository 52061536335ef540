"""A study's figure as the paper had it: a colour a library, a stroke a network."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.papers.layout import StudyCurve, StudyFigure, StudyPoint
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.series import RAW, STYLES, SeriesStyle

STROKES = ("-", "--", "-.", ":")
"""Of networks, in the figure's order."""


def studied_figure(figure: StudyFigure) -> Figure:
    """The figure, in the unit that the paper has."""
    return Figure(
        "PEs" if figure.against_pes else "message size (bytes)",
        f"{figure.quantity} ({figure.unit.symbol})",
        list(_lines(figure)),
        lambda value: f"{value:g}",
        ranks=figure.against_pes,
        linear=not figure.logarithmic,
    )


def _lines(figure: StudyFigure) -> Iterator[PlottedLine]:
    networks = list(dict.fromkeys(one.network for one in figure.curves))
    for curve in figure.curves:
        points = [_point(point, figure.unit.worth) for point in curve.points]
        stroke = STROKES[networks.index(curve.network) % len(STROKES)]
        style = _style(figure, curve)
        yield PlottedLine(curve.name, style, points, stroke=stroke, loose=curve.published)


def _style(figure: StudyFigure, curve: StudyCurve) -> SeriesStyle:
    """The same for all curves of a library."""
    libraries = list(dict.fromkeys(one.library for one in figure.curves if not one.raw))
    style = RAW if curve.raw else f"s{libraries.index(curve.library) % STYLES}"
    return SeriesStyle(curve.name, style, 0)


def _point(point: StudyPoint, worth: float) -> PlottedPoint:
    shown = point.estimate.scaled(1 / worth)
    return PlottedPoint(point.at, shown.value, shown.low, shown.high, point.crowded)
