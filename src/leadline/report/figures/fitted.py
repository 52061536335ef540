"""Models as figures: a panel a curve, times over their residuals, and where each form ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.models.model import Break
from leadline.models.sampling import FittedCurve
from leadline.report.figures.axes import name_values, places, quieten, size_name, size_ticks
from leadline.report.figures.figure import PlottedPoint
from leadline.report.figures.plots import Plotted, name_time, plotted_time
from leadline.report.figures.style import BAND_SHADE, look, rendered
from leadline.report.series import SeriesStyle, curve_title
from leadline.statistics.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.figure import SubFigure

PANEL_IN = (3.4, 3.4)
LEGEND_IN = 0.2
"""A line of names above the panels."""
MOST_COLUMNS = 3
MOST_PANELS = 24
NAMES_A_LINE = 3
TIME_SHARE, RESIDUAL_SHARE = 2.2, 1.0
BREAK_STROKES: dict[Break, Any] = {
    Break.PROTOCOL_SWITCH: "--", Break.CACHE_EDGE: ":", Break.CHANGE: "-.",
}  # fmt: skip
FOOT = 0.025
"""From bar to bar above the axis, of its height."""
BREAK_COLOUR = "#5a636c"

_Place = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class FittedLine:
    """What was measured of one variant, and the curve fitted to it."""

    series: SeriesStyle
    points: Sequence[PlottedPoint]
    curve: FittedCurve

    @property
    def fitted(self) -> dict[int, Estimate]:
        """By the sizes that were measured."""
        every = dict(zip(self.curve.sizes_bytes, self.curve.times, strict=True))
        return {point.x: every[point.x] for point in self.points}

    @property
    def residuals(self) -> list[PlottedPoint]:
        """In per cent of the curve."""
        fitted = self.fitted

        def off(seconds: float, size_bytes: int) -> float:
            return _off(seconds, fitted[size_bytes])

        return [
            PlottedPoint(p.x, off(p.y, p.x), p.low and off(p.low, p.x), p.high and off(p.high, p.x))
            for p in self.points
        ]

    @property
    def expected(self) -> list[tuple[int, float, float]]:
        """Sizes and between what another campaign's residuals are, in per cent of the curve."""
        return [
            (size_bytes, _off(time.bounds[0], time), _off(time.bounds[1], time))
            for size_bytes, time in self.fitted.items()
            if time.bounds
        ]


def _off(seconds: float, time: Estimate) -> float:
    return 100 * (seconds / time.value - 1)


@dataclass(frozen=True, slots=True)
class FittedPanel:
    """One pattern on one number of ranks."""

    title: str
    lines: Sequence[FittedLine]


def fitted_panels(shown: Plotted, curves: Sequence[FittedCurve]) -> list[FittedPanel]:
    """A panel for each pattern and number of ranks of `curves`, which are of the run `shown`."""
    keys = list(dict.fromkeys(one.curve for one in curves))
    return [
        FittedPanel(
            curve_title(key, keys), [_line(shown, one) for one in curves if one.curve == key]
        )
        for key in keys
    ]


def _line(shown: Plotted, curve: FittedCurve) -> FittedLine:
    rows = [row for name, row in shown.rows if (name, row.curve) == (curve.label, curve.curve)]
    rows.sort(key=lambda row: row.size_bytes)
    points = [plotted_time(row, row.size_bytes) for row in rows]
    return FittedLine(shown.series[curve.label], points, curve)


def drawn_panels(panels: Sequence[FittedPanel], form: str) -> bytes:
    """The panels as "svg", "pdf" or "png", the same bytes for the same arguments."""
    columns = min(MOST_COLUMNS, math.ceil(math.sqrt(len(panels))))
    rows = math.ceil(len(panels) / columns)
    names = _names(panels)
    above = LEGEND_IN * math.ceil(len(names) / (NAMES_A_LINE * columns))
    size_in = (PANEL_IN[0] * columns, PANEL_IN[1] * rows + above)

    def draw(canvas: Canvas) -> None:
        parts = canvas.subfigures(rows, columns, squeeze=False).flat
        for part, panel in zip(parts, panels, strict=False):
            _draw_panel(part, panel)
        _name_lines(canvas, names, NAMES_A_LINE * columns)

    return rendered(draw, form, size_in)


def _draw_panel(part: SubFigure, panel: FittedPanel) -> None:
    times, residuals = part.subplots(2, 1, sharex=True, height_ratios=(TIME_SHARE, RESIDUAL_SHARE))
    sizes = sorted({point.x for line in panel.lines for point in line.points})
    place = places(sizes)
    times.set_yscale("log")
    residuals.axhline(0, color="black", linewidth=0.5)
    for number, line in enumerate(panel.lines):
        _draw_times(times, line, place)
        _draw_residuals(residuals, line, place)
        for axes in (times, residuals):
            _draw_breakpoints(axes, line, place)
        _draw_reaches(times, line, place, FOOT * (number + 1))
    ticks = size_ticks(sizes)
    residuals.set_xticks([place(x) for x in ticks], [size_name(x) for x in ticks])
    residuals.set_xlabel("message size")
    residuals.set_ylabel("residual, %")
    times.set_ylabel("time")
    times.set_title(panel.title, fontsize=8)
    name_values(times, name_time)
    for axes in (times, residuals):
        quieten(axes)
    part.align_ylabels()


def _draw_times(axes: Axes, line: FittedLine, place: _Place) -> None:
    colour, _, stroke = look(line.series)
    across = [place(size) for size in line.curve.sizes_bytes]
    seconds = [time.value for time in line.curve.times]
    axes.plot(across, seconds, color=colour, linestyle=stroke)
    bounds = [time.bounds for time in line.curve.times if time.bounds]
    if bounds:
        low, high = zip(*bounds, strict=True)
        axes.fill_between(across, low, high, color=colour, alpha=BAND_SHADE, linewidth=0)
    _draw_points(axes, line.series, line.points, place)


def _draw_residuals(axes: Axes, line: FittedLine, place: _Place) -> None:
    colour, _, stroke = look(line.series)
    if line.expected:
        sizes, low, high = zip(*line.expected, strict=True)
        across = list(map(place, sizes))
        axes.fill_between(across, low, high, color=colour, alpha=BAND_SHADE / 2, linewidth=0)
        axes.plot(across, low, across, high, color=colour, linewidth=0.5, linestyle=stroke)
    _draw_points(axes, line.series, line.residuals, place)


def _draw_points(
    axes: Axes, series: SeriesStyle, points: Sequence[PlottedPoint], place: _Place
) -> None:
    colour, marker, _ = look(series)
    across = [place(point.x) for point in points]
    face = "white" if series.hollow else colour
    axes.plot(
        across, [point.y for point in points],
        color=colour, linestyle="", marker=marker, markersize=3, markerfacecolor=face,
    )  # fmt: skip
    sure = [p for p in points if p.low is not None and p.high is not None]
    lows, highs = [p.low or p.y for p in sure], [p.high or p.y for p in sure]
    axes.vlines([place(p.x) for p in sure], lows, highs, color=colour, linewidth=0.8)


def _draw_breakpoints(axes: Axes, line: FittedLine, place: _Place) -> None:
    """A line each, whose stroke says what it is."""
    colour, _, _ = look(line.series)
    for one in line.curve.breakpoints:
        stroke = BREAK_STROKES[one.kind]
        axes.axvline(place(one.bytes.value), color=colour, linestyle=stroke, linewidth=0.7)


def _draw_reaches(axes: Axes, line: FittedLine, place: _Place, height: float) -> None:
    """A bar at the foot of each breakpoint, as wide as its interval; `height`: of the axes."""
    colour, _, _ = look(line.series)
    for one in line.curve.breakpoints:
        if one.bytes.bounds is not None:
            axes.plot(
                list(map(place, one.bytes.bounds)), [height, height],
                color=colour, linewidth=2, solid_capstyle="butt",
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip


def _names(panels: Sequence[FittedPanel]) -> dict[str, dict[str, Any]]:
    """Names in the legend, and what a line so named looks like."""
    lines = [line for panel in panels for line in panel.lines]
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        colour, marker, stroke = look(line.series)
        face = "white" if line.series.hollow else colour
        found[line.series.name] = {
            "color": colour, "marker": marker, "linestyle": stroke, "markerfacecolor": face,
        }  # fmt: skip
    for kind in Break:
        if any(one.kind is kind for line in lines for one in line.curve.breakpoints):
            found[kind] = {"color": BREAK_COLOUR, "linestyle": BREAK_STROKES[kind]}
    return found


def _name_lines(canvas: Canvas, names: dict[str, dict[str, Any]], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=name, **style) for name, style in names.items()]
    canvas.legend(
        handles=handles, loc="outside upper center", ncols=columns, fontsize=7, frameon=False,
        handlelength=2.6,
    )  # fmt: skip
