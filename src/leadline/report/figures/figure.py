"""A figure for a paper: lines with intervals that can be told apart in black and white."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.errors import printable
from leadline.report.figures.axes import (
    name_linear,
    name_values,
    places,
    quieten,
    rank_ticks,
    set_nought_apart,
    size_ticks,
)
from leadline.report.figures.style import BAND_SHADE, QUIET, look, rendered
from leadline.report.series import SeriesStyle
from leadline.units import format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_INSIDE = 4
"""Names in the legend that find room among the lines."""
LOOSE_PT = 7
"""Across, of points that others printed."""


@dataclass(frozen=True, slots=True)
class PlottedPoint:
    """A value and its 95 % interval; None: it has none."""

    x: int
    y: float
    low: float | None
    high: float | None
    crowded: bool = False
    """More ranks than cores."""


@dataclass(frozen=True, slots=True)
class PlottedLine:
    """One name in the legend."""

    name: str
    series: SeriesStyle
    """Gives it colour, marker and stroke."""
    points: Sequence[PlottedPoint]
    hollow: bool = False
    """Not a curve of its own kind but the other part of one: other numbers of ranks."""
    stroke: str = ""
    """Instead of its series' own."""
    loose: bool = False
    """Its points were printed by others: larger, open, and joined by no line."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What is drawn, and how its axes are called."""

    x_label: str
    y_label: str
    lines: Sequence[PlottedLine]
    value: Callable[[float], str]
    """Names a tick of the y axis."""
    ranks: bool = False
    """The x axis counts ranks, else bytes."""
    threshold: float | None = None
    """Half width of the band around 1, for ratios."""
    linear: bool = False
    """Both axes are, from 0 on; else logarithmic."""

    @property
    def xs(self) -> list[int]:
        """Where there are points, rising, each once."""
        return sorted({point.x for line in self.lines for point in line.points})

    @property
    def crowded_from(self) -> int | None:
        """The first of `xs` from which on all points are crowded; None: the last aren't."""
        fit = {point.x for line in self.lines for point in line.points if not point.crowded}
        return min((x for x in self.xs if x > max(fit, default=-1)), default=None)


def drawn(figure: Figure, form: str, size_in: tuple[float, float]) -> bytes:
    """The figure as "svg", "pdf" or "png", the same bytes for the same arguments."""
    return rendered(lambda canvas: _draw(canvas.subplots(), figure), form, size_in)


def _draw(axes: Axes, figure: Figure) -> None:
    place = float if figure.linear else places(figure.xs)
    if figure.threshold is not None:
        axes.axhspan(1 - figure.threshold, 1 + figure.threshold, color=QUIET, linewidth=0)
        axes.axhline(1, color="black", linewidth=0.5)
    crowded = figure.crowded_from
    if not figure.linear:
        axes.set_yscale("log")
    for line in figure.lines:
        _draw_line(axes, line, place)
        _draw_crowded(axes, line, place, crowded)
    if crowded is not None:
        left, right = axes.get_xlim()
        axes.axvspan(place(crowded) - 0.1, right, color="#eeeeee", linewidth=0, zorder=0)
        axes.set_xlim(left, right)
    _name_axes(axes, figure, place)


def _draw_line(axes: Axes, line: PlottedLine, place: Callable[[float], float]) -> None:
    colour, _, stroke = look(line.series)
    points = line.points if place is float else _apart(line.points)
    across = [place(point.x) for point in points]
    axes.plot(
        across,
        [point.y for point in points],
        color=colour,
        linestyle="none" if line.loose else ":" if line.hollow else line.stroke or stroke,
        label=printable(line.name),
        **_marked(line),
    )
    lows, highs = ([_bound(point, end) for point in points] for end in ("low", "high"))
    axes.fill_between(across, lows, highs, color=colour, alpha=BAND_SHADE, linewidth=0)
    axes.vlines(across, lows, highs, color=colour, linewidth=0.6)


def _apart(points: Sequence[PlottedPoint]) -> list[PlottedPoint]:
    """With nothing between nought, which a logarithmic axis hasn't, and the rest."""
    gap = [PlottedPoint(0, math.nan, None, None)]
    return [one for point in points for one in (point, *gap * (point.x == 0))]


def _bound(point: PlottedPoint, end: str) -> float:
    """An end of its interval; nan, through which nothing is drawn, where it has none."""
    return math.nan if None in (point.low, point.high) else float(getattr(point, end))


def _marked(line: PlottedLine) -> dict[str, Any]:
    """How its points look; through those of others' the line below can be seen."""
    colour, marker, _ = look(line.series)
    if line.loose:
        return {"marker": marker, "markerfacecolor": "none", "markersize": LOOSE_PT, "zorder": 3}
    hollow = line.hollow or line.series.hollow
    return {"marker": marker, "markerfacecolor": "white" if hollow else colour}


def _draw_crowded(
    axes: Axes, line: PlottedLine, place: Callable[[float], float], shaded: int | None
) -> None:
    """Hollow, where they aren't in the shade: a link may be the limit of other lines there."""
    found = [p for p in line.points if p.crowded and (shaded is None or p.x < shaded)]
    colour, marker, _ = look(line.series)
    axes.plot(
        [place(point.x) for point in found],
        [point.y for point in found],
        color=colour,
        linestyle="none",
        marker=marker,
        markerfacecolor="white",
    )


def _name_axes(axes: Axes, figure: Figure, place: Callable[[float], float]) -> None:
    if figure.linear:
        name_linear(axes, figure.value)
    else:
        ticks = rank_ticks(figure.xs) if figure.ranks else size_ticks(figure.xs)
        axes.set_xticks(
            [place(x) for x in ticks], [str(x) if figure.ranks else format_size(x) for x in ticks]
        )
        if not figure.ranks:
            set_nought_apart(axes, figure.xs)
        name_values(axes, figure.value, marked=None if figure.threshold is None else 1.0)
    axes.set_xlabel(printable(figure.x_label))
    axes.set_ylabel(printable(figure.y_label))
    quieten(axes)
    _add_legend(axes, len(figure.lines))


def _add_legend(axes: Axes, lines: int) -> None:
    """Among the lines where they leave room for it, else above them."""
    if lines <= MOST_INSIDE:
        axes.legend(frameon=False, handlelength=2.6)
    else:
        axes.figure.legend(
            loc="outside upper center", ncols=2, fontsize=7, frameon=False, handlelength=2.6
        )
