"""What the page's charts of a paper's figures draw: ours as lines, what was printed as points."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.errors import printable
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.figures.studied import STROKES
from leadline.report.page.columns import Json, rounded
from leadline.units import significant


def redrawn(figure: Figure) -> Json:
    """One chart; a point is its place, its bounds, and both in words."""
    return {
        "x": figure.x_label,
        "y": figure.y_label,
        "ranks": figure.ranks,
        "logarithmic": not figure.linear,
        "lines": list(_lines(figure)),
    }


def _lines(figure: Figure) -> Iterator[Json]:
    """What was printed goes with the line of ours that looks like it, where there is one."""
    printed = [one for one in figure.lines if one.loose]
    for line in figure.lines:
        if not line.loose:
            beside = next((one for one in printed if _look(one) == _look(line)), None)
            printed = [one for one in printed if one is not beside]
            yield _line(line, line, beside)
    for line in printed:
        yield _line(line, None, line)


def _line(shown: PlottedLine, ours: PlottedLine | None, printed: PlottedLine | None) -> Json:
    style, turn = _look(shown)
    return {
        "name": printable(shown.name),
        "style": style,
        "turn": turn,
        "points": [_point(one) for one in ours.points] if ours else [],
        "printed": [_point(one) for one in printed.points] if printed else [],
    }


def _look(line: PlottedLine) -> tuple[str, int]:
    """Colour and marker, and the stroke's number."""
    turn = STROKES.index(line.stroke) if line.stroke in STROKES else line.series.turn
    return line.series.style, turn


def _point(point: PlottedPoint) -> list[float | str | None]:
    bounds = [rounded(point.low), rounded(point.high)]
    return [point.x, rounded(point.y), *bounds, _words(point)]


def _words(point: PlottedPoint) -> str:
    if point.low is None or point.high is None:
        return significant(point.y)
    return f"{significant(point.y)} ({significant(point.low)} to {significant(point.high)})"
