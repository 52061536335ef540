"""A figure for a paper: lines with intervals that can be told apart in black and white."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.errors import printable
from leadline.report.figures.style import (
    BAND_SHADE,
    QUIET,
    look,
    name_linear,
    name_values,
    places,
    quieten,
    rank_ticks,
    rendered,
    set_zero_apart,
    size_ticks,
)
from leadline.report.series import SeriesStyle
from leadline.units import format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

MOST_INSIDE = 4
"""Most names in a legend that is drawn among the lines."""
LOOSE_PT = 7
"""Size of points that others printed, in points."""


@dataclass(frozen=True, slots=True)
class PlottedPoint:
    """A value and its 95 % interval, whose bounds are None where there is none."""

    x: int
    y: float
    low: float | None
    high: float | None
    crowded: bool = False
    """Measured with more ranks than cores."""


@dataclass(frozen=True, slots=True)
class PlottedLine:
    """One name in the legend."""

    name: str
    series: SeriesStyle
    """Gives the line its colour, marker and stroke."""
    points: Sequence[PlottedPoint]
    hollow: bool = False
    """Dotted with hollow markers: the part of a series at ranks that are no powers of two."""
    stroke: str = ""
    """Replaces the stroke of its series; empty: that stroke."""
    loose: bool = False
    """The points were printed by others: larger, open, and not joined by a line."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Lines, and the names and kinds of the axes."""

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
    """Both axes are linear and start at 0; else they are logarithmic."""

    @property
    def xs(self) -> list[int]:
        """The distinct x values of all points, in ascending order."""
        return sorted({point.x for line in self.lines for point in line.points})

    @property
    def crowded_from(self) -> int | None:
        """The first of `xs` from which on all points are crowded; None: the last one isn't."""
        fit = {point.x for line in self.lines for point in line.points if not point.crowded}
        return min((x for x in self.xs if x > max(fit, default=-1)), default=None)


def drawn(figure: Figure, form: str, size_in: tuple[float, float]) -> bytes:
    """The figure as "svg", "pdf" or "png", the same bytes for the same arguments.

    Sizes or ranks from which on all points are crowded are shaded.
    """
    place = float if figure.linear else places(figure.xs)
    crowded = figure.crowded_from

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        if figure.threshold is not None:
            axes.axhspan(1 - figure.threshold, 1 + figure.threshold, color=QUIET, linewidth=0)
            axes.axhline(1, color="black", linewidth=0.5)
        if not figure.linear:
            axes.set_yscale("log")
        for line in figure.lines:
            draw_line(axes, line, place, crowded)
        if crowded is not None:
            left, right = axes.get_xlim()
            axes.axvspan(place(crowded) - 0.1, right, color="#eeeeee", linewidth=0, zorder=0)
            axes.set_xlim(left, right)

        if figure.linear:
            name_linear(axes, figure.value)
        else:
            xs = figure.xs
            ticks = rank_ticks(xs) if figure.ranks else size_ticks(xs)
            names = [str(x) if figure.ranks else format_size(x) for x in ticks]
            axes.set_xticks([place(x) for x in ticks], names)
            if not figure.ranks:
                set_zero_apart(axes, xs)
            name_values(axes, figure.value, marked=None if figure.threshold is None else 1.0)
        axes.set_xlabel(printable(figure.x_label))
        axes.set_ylabel(printable(figure.y_label))
        quieten(axes)
        if len(figure.lines) <= MOST_INSIDE:
            axes.legend(frameon=False, handlelength=2.6)
        else:
            canvas.legend(
                loc="outside upper center", ncols=2, fontsize=7, frameon=False, handlelength=2.6
            )

    return rendered(draw, form, size_in)


def draw_line(
    axes: Axes, line: PlottedLine, place: Callable[[float], float], shaded: int | None = None
) -> None:
    """Draws a line with its intervals.

    Args:
        axes: The plot.
        line: Its name and points.
        place: Position of an x on the axis; `float` on a linear one.
        shaded: The x from which on the plot is shaded, so that crowded points before it alone are
            hollow: a link may be the limit of other lines there. None: nothing is shaded.
    """
    colour, marker, stroke = look(line.series)
    # nothing joins zero, which a logarithmic axis lacks, to the rest
    gap = [] if place is float else [PlottedPoint(0, math.nan, None, None)]
    points = [one for point in line.points for one in (point, *gap * (point.x == 0))]
    across = [place(point.x) for point in points]
    marks: dict[str, Any] = {"markerfacecolor": colour}
    if line.loose:  # the line below can be seen through them
        marks = {"markerfacecolor": "none", "markersize": LOOSE_PT, "zorder": 3}
    elif line.hollow or line.series.hollow:
        marks = {"markerfacecolor": "white"}
    axes.plot(
        across,
        [point.y for point in points],
        color=colour,
        linestyle="none" if line.loose else ":" if line.hollow else line.stroke or stroke,
        label=printable(line.name),
        marker=marker,
        **marks,
    )
    # nothing is drawn through nan
    bounds = [
        (math.nan, math.nan) if point.low is None or point.high is None else (point.low, point.high)
        for point in points
    ]
    lows, highs = [low for low, _ in bounds], [high for _, high in bounds]
    axes.fill_between(across, lows, highs, color=colour, alpha=BAND_SHADE, linewidth=0)
    axes.vlines(across, lows, highs, color=colour, linewidth=0.6)
    crowded = [p for p in line.points if p.crowded and (shaded is None or p.x < shaded)]
    axes.plot(
        [place(point.x) for point in crowded],
        [point.y for point in crowded],
        color=colour,
        linestyle="none",
        marker=marker,
        markerfacecolor="white",
    )
