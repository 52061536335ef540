"""Models as figures: times over their residuals, against size or ranks, with breakpoints marked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.errors import printable
from leadline.models.model import Break
from leadline.models.sampling import FittedCurve, FittedSweep, SweepKind
from leadline.record.curve import CurveKey
from leadline.report.figures.figure import PlottedPoint
from leadline.report.figures.plots import Plotted, name_time, plotted_time
from leadline.report.figures.style import (
    BAND_SHADE,
    look,
    name_values,
    places,
    quieten,
    rank_ticks,
    rendered,
    size_ticks,
)
from leadline.report.series import SeriesStyle, curve_title, sweep_title
from leadline.units import format_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.figure import SubFigure

PANEL_IN = (3.4, 3.4)
LEGEND_IN = 0.2
"""Height of a line of names above the panels."""
MOST_COLUMNS = 3
MOST_PANELS = 24
NAMES_A_LINE = 3
TIME_SHARE, RESIDUAL_SHARE = 2.2, 1.0
BREAK_STROKES: dict[Break, Any] = {
    Break.PROTOCOL_SWITCH: "--", Break.CACHE_EDGE: ":", Break.CHANGE: "-.",
}  # fmt: skip
FOOT = 0.025
"""Distance between the bars of breakpoints above the axis, as a share of its height."""
LEAST_RESIDUAL = 0.1
"""Least end of an axis of residuals, in per cent: smaller ones are rounding."""
ROUNDING = 1e-6
"""Per cent by which predictions may differ from the form by rounding alone."""
BREAK_COLOUR = "#5a636c"

_Place = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class FittedLine:
    """The measured times of one variant, and the curve fitted to them."""

    series: SeriesStyle
    points: Sequence[PlottedPoint]
    curve: FittedCurve | FittedSweep

    @property
    def name(self) -> str:
        """Name in the legend."""
        return f"{self.series.name}, other p" if self.of_others else self.series.name

    @property
    def of_others(self) -> bool:
        """Whether it is the sweep over numbers of ranks that aren't powers of two."""
        return isinstance(self.curve, FittedSweep) and self.curve.powers is False

    @property
    def look(self) -> dict[str, Any]:
        """Colour, marker, marker face and stroke, as matplotlib's arguments."""
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
        """Deviation of the measured times from the form, in per cent of it."""
        return [self._deviation(p.x, p.y, p.low, p.high) for p in self.points]

    @property
    def expected(self) -> list[PlottedPoint]:
        """Deviation of the predictions there, with the interval of another campaign's medians."""
        every = dict(zip(self.curve.xs, self.curve.times, strict=True))
        times = [(point.x, every[point.x]) for point in self.points]
        return [self._deviation(x, time.value, time.low, time.high) for x, time in times]

    def _deviation(self, x: int, y: float, low: float | None, high: float | None) -> PlottedPoint:
        form = self.curve.form_s[self.curve.xs.index(x)]
        low, high = (None if one is None else 100 * (one / form - 1) for one in (low, high))
        return PlottedPoint(x, 100 * (y / form - 1), low, high)


@dataclass(frozen=True, slots=True)
class FittedPanel:
    """One pattern on one number of ranks against size, or at one size against ranks."""

    title: str
    lines: Sequence[FittedLine]
    ranks: bool = False
    """The x axis counts ranks, else bytes."""


def fitted_panels(shown: Plotted, curves: Sequence[FittedCurve]) -> list[FittedPanel]:
    """A panel for each pattern and number of ranks of `curves`, which are of the run `shown`."""
    lines: dict[CurveKey, list[FittedLine]] = {}
    for curve in curves:
        rows = [row for name, row in shown.rows if (name, row.curve) == (curve.label, curve.curve)]
        rows.sort(key=lambda row: row.size_bytes)
        points = [plotted_time(row, row.size_bytes) for row in rows]
        line = FittedLine(shown.series[curve.label], points, curve)
        lines.setdefault(curve.curve, []).append(line)
    return [FittedPanel(curve_title(key, list(lines)), found) for key, found in lines.items()]


def swept_panels(shown: Plotted, sweeps: Sequence[FittedSweep]) -> list[FittedPanel]:
    """A panel for each pattern and size of `sweeps`, which are of the run `shown`."""
    lines: dict[SweepKind, list[FittedLine]] = {}
    for sweep in sweeps:
        cells = {(sweep.label, curve, sweep.size_bytes) for curve in sweep.measured}
        rows = [row for name, row in shown.rows if (name, row.curve, row.size_bytes) in cells]
        rows.sort(key=lambda row: row.ranks)
        points = [plotted_time(row, row.ranks) for row in rows]
        line = FittedLine(shown.series[sweep.label], points, sweep)
        lines.setdefault(sweep.kind, []).append(line)
    return [
        FittedPanel(sweep_title(kind, lines), found, ranks=True) for kind, found in lines.items()
    ]


def drawn_panels(panels: Sequence[FittedPanel], form: str) -> bytes:
    """The panels as "svg", "pdf" or "png", the same bytes for the same arguments."""
    columns = min(MOST_COLUMNS, math.ceil(math.sqrt(len(panels))))
    rows = math.ceil(len(panels) / columns)
    lines = [line for panel in panels for line in panel.lines]
    looks: dict[str, dict[str, Any]] = {line.name: line.look for line in lines}
    for kind in Break:
        if any(breakpoint.kind is kind for line in lines for breakpoint in line.curve.breakpoints):
            looks[kind] = {"color": BREAK_COLOUR, "linestyle": BREAK_STROKES[kind]}
    above = LEGEND_IN * math.ceil(len(looks) / (NAMES_A_LINE * columns))
    size_in = (PANEL_IN[0] * columns, PANEL_IN[1] * rows + above)

    def draw(canvas: Canvas) -> None:
        from matplotlib.lines import Line2D

        parts = canvas.subfigures(rows, columns, squeeze=False).flat
        for part, panel in zip(parts, panels, strict=False):
            _draw_panel(part, panel)
        canvas.legend(
            handles=[Line2D([], [], label=printable(one), **looks[one]) for one in looks],
            loc="outside upper center", ncols=NAMES_A_LINE * columns, fontsize=7, frameon=False,
            handlelength=2.6,
        )  # fmt: skip

    return rendered(draw, form, size_in)


def _draw_panel(part: SubFigure, panel: FittedPanel) -> None:
    times, residuals = part.subplots(2, 1, sharex=True, height_ratios=(TIME_SHARE, RESIDUAL_SHARE))
    xs = sorted({point.x for line in panel.lines for point in line.points})
    place = places(xs)
    times.set_yscale("log")
    residuals.axhline(0, color="black", linewidth=0.5)
    for number, line in enumerate(panel.lines):
        _draw_line(times, residuals, line, place, FOOT * (number + 1))
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


def _draw_line(times: Axes, residuals: Axes, line: FittedLine, place: _Place, foot: float) -> None:
    """Draws a form with its prediction interval, what it was fitted to, and its breakpoints.

    Below, residuals have the interval of another campaign's medians, and the predictions where they
    deviate from the form. A breakpoint is a line in both plots, whose stroke shows its kind; a bar
    at height `foot`, a share of the axis, spans its interval.
    """
    colour, stroke = line.look["color"], line.look["linestyle"]
    across = list(map(place, line.curve.xs))
    times.plot(across, line.curve.form_s, **line.look | {"marker": ""})
    if bounds := [time.bounds for time in line.curve.times if time.bounds]:
        low, high = zip(*bounds, strict=True)
        times.fill_between(across, low, high, color=colour, alpha=BAND_SHADE, linewidth=0)
    _draw_points(times, line, line.points, place)

    across = [place(point.x) for point in line.expected]
    if any(abs(point.y) > ROUNDING for point in line.expected):
        residuals.plot(across, [p.y for p in line.expected], color=colour, linewidth=0.7)
    both = ((p.low, p.high) for p in line.expected)
    if known := [(low, high) for low, high in both if low is not None and high is not None]:
        low, high = zip(*known, strict=True)
        residuals.fill_between(across, low, high, color=colour, alpha=BAND_SHADE / 2, linewidth=0)
        residuals.plot(across, low, across, high, color=colour, linewidth=0.5, linestyle=stroke)
    _draw_points(residuals, line, line.residuals, place)

    for axes in (times, residuals):
        for breakpoint in line.curve.breakpoints:
            kind = BREAK_STROKES[breakpoint.kind]
            axes.axvline(place(breakpoint.bytes.value), color=colour, linestyle=kind, linewidth=0.7)
    for breakpoint in line.curve.breakpoints:
        if breakpoint.bytes.bounds is not None:
            times.plot(
                list(map(place, breakpoint.bytes.bounds)), [foot, foot],
                color=colour, linewidth=2, solid_capstyle="butt",
                transform=times.get_xaxis_transform(),
            )  # fmt: skip


def _draw_points(
    axes: Axes, line: FittedLine, points: Sequence[PlottedPoint], place: _Place
) -> None:
    across = [place(point.x) for point in points]
    axes.plot(across, [p.y for p in points], **line.look | {"linestyle": "", "markersize": 3})
    sure = [p for p in points if p.low is not None and p.high is not None]
    lows, highs = [p.low or p.y for p in sure], [p.high or p.y for p in sure]
    across = [place(p.x) for p in sure]
    axes.vlines(across, lows, highs, color=line.look["color"], linewidth=0.8)
