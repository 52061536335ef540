"""Models as figures: against size or ranks, times over their residuals, where each form ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.errors import printable
from leadline.models.model import Break
from leadline.models.sampling import FittedCurve, FittedSweep
from leadline.report.figures.axes import (
    name_values,
    places,
    quieten,
    rank_ticks,
    size_ticks,
)
from leadline.report.figures.figure import PlottedPoint
from leadline.report.figures.plots import Plotted, name_time, plotted_time
from leadline.report.figures.style import BAND_SHADE, look, rendered
from leadline.report.series import SeriesStyle, curve_title, sweep_title
from leadline.units import format_size

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
LEAST_RESIDUAL = 0.1
"""In per cent, that an axis reaches to: what is smaller is rounding."""
ROUNDING = 1e-6
"""Likewise, by which predictions may differ from the form."""
BREAK_COLOUR = "#5a636c"

_Place = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class FittedLine:
    """What was measured of one variant, and the curve fitted to it."""

    series: SeriesStyle
    points: Sequence[PlottedPoint]
    curve: FittedCurve | FittedSweep

    @property
    def name(self) -> str:
        """In the legend."""
        return f"{self.series.name}, other p" if self.of_others else self.series.name

    @property
    def of_others(self) -> bool:
        """Whether it is of numbers of ranks that aren't powers of two, which are apart."""
        return isinstance(self.curve, FittedSweep) and self.curve.powers is False

    @property
    def look(self) -> dict[str, Any]:
        """Colour, marker, its face, and stroke."""
        colour, marker, stroke = look(self.series)
        hollow = self.series.hollow or self.of_others
        return {
            "color": colour,
            "marker": marker,
            "markerfacecolor": "white" if hollow else colour,
            "linestyle": ":" if self.of_others else stroke,
        }

    @property
    def residuals(self) -> list[PlottedPoint]:
        """How far what was measured is off the form, in per cent of it."""
        return [self._off(point.x, point.y, point.low, point.high) for point in self.points]

    @property
    def expected(self) -> list[PlottedPoint]:
        """Likewise what is predicted there, and between what another campaign's medians lie."""
        every = dict(zip(self.curve.xs, self.curve.times, strict=True))
        times = [(point.x, every[point.x]) for point in self.points]
        return [self._off(x, time.value, time.low, time.high) for x, time in times]

    def _off(self, x: int, y: float, low: float | None, high: float | None) -> PlottedPoint:
        form = self.curve.form_s[self.curve.xs.index(x)]
        low, high = (None if one is None else 100 * (one / form - 1) for one in (low, high))
        return PlottedPoint(x, 100 * (y / form - 1), low, high)


@dataclass(frozen=True, slots=True)
class FittedPanel:
    """One pattern on one number of ranks against sizes, or at one size against ranks."""

    title: str
    lines: Sequence[FittedLine]
    ranks: bool = False
    """The x axis counts ranks, else bytes."""


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


def swept_panels(shown: Plotted, sweeps: Sequence[FittedSweep]) -> list[FittedPanel]:
    """A panel for each pattern and size of `sweeps`, which are of the run `shown`."""
    kinds = list(dict.fromkeys(one.kind for one in sweeps))
    return [
        FittedPanel(
            sweep_title(kind, kinds),
            [_swept_line(shown, one) for one in sweeps if one.kind == kind],
            ranks=True,
        )
        for kind in kinds
    ]


def _swept_line(shown: Plotted, sweep: FittedSweep) -> FittedLine:
    places = {(sweep.label, curve, sweep.size_bytes) for curve in sweep.measured}
    rows = [row for name, row in shown.rows if (name, row.curve, row.size_bytes) in places]
    rows.sort(key=lambda row: row.ranks)
    points = [plotted_time(row, row.ranks) for row in rows]
    return FittedLine(shown.series[sweep.label], points, sweep)


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
    xs = sorted({point.x for line in panel.lines for point in line.points})
    place = places(xs)
    times.set_yscale("log")
    residuals.axhline(0, color="black", linewidth=0.5)
    for number, line in enumerate(panel.lines):
        _draw_times(times, line, place)
        _draw_residuals(residuals, line, place)
        for axes in (times, residuals):
            _draw_breakpoints(axes, line, place)
        _draw_reaches(times, line, place, FOOT * (number + 1))
    ticks = rank_ticks(xs) if panel.ranks else size_ticks(xs)
    residuals.set_xticks(
        [place(x) for x in ticks], [str(x) if panel.ranks else format_size(x) for x in ticks]
    )
    residuals.set_xlabel("ranks p" if panel.ranks else "message size")
    residuals.set_ylabel("residual, %")
    times.set_ylabel("time")
    times.set_title(printable(panel.title), fontsize=8)
    name_values(times, name_time)
    if max(map(abs, residuals.get_ylim())) < LEAST_RESIDUAL:
        residuals.set_ylim(-LEAST_RESIDUAL, LEAST_RESIDUAL)
    for axes in (times, residuals):
        quieten(axes)
    part.align_ylabels()


def _draw_times(axes: Axes, line: FittedLine, place: _Place) -> None:
    across = list(map(place, line.curve.xs))
    axes.plot(across, line.curve.form_s, **line.look | {"marker": ""})
    bounds = [time.bounds for time in line.curve.times if time.bounds]
    if bounds:
        low, high = zip(*bounds, strict=True)
        colour = line.look["color"]
        axes.fill_between(across, low, high, color=colour, alpha=BAND_SHADE, linewidth=0)
    _draw_points(axes, line, line.points, place)


def _draw_residuals(axes: Axes, line: FittedLine, place: _Place) -> None:
    """What another campaign's are between, where predictions lie off the form, and the points."""
    colour, stroke = line.look["color"], line.look["linestyle"]
    across = [place(point.x) for point in line.expected]
    if any(abs(point.y) > ROUNDING for point in line.expected):
        axes.plot(across, [p.y for p in line.expected], color=colour, linewidth=0.7)
    bounds = [(p.low, p.high) for p in line.expected if p.low is not None and p.high is not None]
    if bounds:
        low, high = zip(*bounds, strict=True)
        axes.fill_between(across, low, high, color=colour, alpha=BAND_SHADE / 2, linewidth=0)
        axes.plot(across, low, across, high, color=colour, linewidth=0.5, linestyle=stroke)
    _draw_points(axes, line, line.residuals, place)


def _draw_points(
    axes: Axes, line: FittedLine, points: Sequence[PlottedPoint], place: _Place
) -> None:
    across = [place(point.x) for point in points]
    axes.plot(across, [p.y for p in points], **line.look | {"linestyle": "", "markersize": 3})
    sure = [p for p in points if p.low is not None and p.high is not None]
    lows, highs = [p.low or p.y for p in sure], [p.high or p.y for p in sure]
    across = [place(p.x) for p in sure]
    axes.vlines(across, lows, highs, color=line.look["color"], linewidth=0.8)


def _draw_breakpoints(axes: Axes, line: FittedLine, place: _Place) -> None:
    """A line each, whose stroke says what it is."""
    colour = line.look["color"]
    for one in line.curve.breakpoints:
        stroke = BREAK_STROKES[one.kind]
        axes.axvline(place(one.bytes.value), color=colour, linestyle=stroke, linewidth=0.7)


def _draw_reaches(axes: Axes, line: FittedLine, place: _Place, height: float) -> None:
    """A bar at the foot of each breakpoint, as wide as its interval; `height`: of the axes."""
    colour = line.look["color"]
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
    found = {line.name: line.look for line in lines}
    for kind in Break:
        if any(one.kind is kind for line in lines for one in line.curve.breakpoints):
            found[kind] = {"color": BREAK_COLOUR, "linestyle": BREAK_STROKES[kind]}
    return found


def _name_lines(canvas: Canvas, names: dict[str, dict[str, Any]], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=printable(name), **style) for name, style in names.items()]
    canvas.legend(
        handles=handles, loc="outside upper center", ncols=columns, fontsize=7, frameon=False,
        handlelength=2.6,
    )  # fmt: skip
