"""Rows of runs, and figures of studies, as lines and points with the names of their axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from leadline.compare.analysis import Analysis
from leadline.compare.curves import Curve
from leadline.compare.summaries import Summary
from leadline.papers.layout import StudyFigure
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.record.run import Origin
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.series import RAW, STYLES, SeriesStyle, series_name, series_of, time_drawn
from leadline.report.text.sweeps import is_crowded
from leadline.units import format_size, rate_unit, significant

NETWORK_STROKES = ("-", "--", "-.", ":")
"""The strokes of a study's networks, in the figure's order."""


@dataclass(frozen=True, slots=True)
class Plotted:
    """Rows of one or several runs, each with the name of its series."""

    series: Mapping[str, SeriesStyle]
    rows: tuple[tuple[str, Summary], ...]

    def lines(
        self, rows: Sequence[tuple[str, Summary]]
    ) -> Iterator[tuple[SeriesStyle, list[Summary]]]:
        """Those of `rows` that belong to each series that has any."""
        for name, series in self.series.items():
            summaries = [row for one, row in rows if one == name]
            if summaries:
                yield series, summaries


def plotted(analyses: Sequence[Analysis]) -> Plotted:
    """The rows of all runs."""
    runs = [analysis.run for analysis in analyses]
    return Plotted(
        series_of(runs),
        tuple(
            (series_name(runs, row.label, i), row)
            for i, analysis in enumerate(analyses)
            for row in analysis.summaries
        ),
    )


def size_figure(shown: Plotted, pattern: str, ranks: int, bandwidth: bool) -> Figure:
    """Time, or bandwidth, of a pattern on a number of ranks against size."""
    chosen = [
        (name, row)
        for name, row in shown.rows
        if (row.pattern, row.ranks) == (pattern, ranks) and (row.size_bytes or not bandwidth)
    ]
    lines = []
    for series, rows in shown.lines(chosen):
        rows.sort(key=lambda row: row.size_bytes)
        points = [plotted_time(row, row.size_bytes) for row in rows]
        if bandwidth:  # the lower bound of the time is the upper bound of the bandwidth
            points = [
                replace(p, y=p.x / p.y, low=p.high and p.x / p.high, high=p.low and p.x / p.low)
                for p in points
            ]
        lines.append(PlottedLine(series.name, series, points))
    if bandwidth:
        return Figure("message size", "bandwidth", lines, name_rate)
    sized = any(row.size_bytes for _, row in chosen)
    return Figure("message size" if sized else "no message size", "time", lines, name_time)


def ranks_figure(shown: Plotted, pattern: str, size_bytes: int) -> Figure:
    """Time of a pattern at one size against ranks; powers of two and others are two lines."""
    chosen = [
        (name, row)
        for name, row in shown.rows
        if (row.pattern, row.size_bytes) == (pattern, size_bytes)
    ]
    lines = []
    for series, rows in shown.lines(chosen):
        rows.sort(key=lambda row: row.ranks)
        for powers in (True, False):
            summaries = [row for row in rows if is_power_of_two(row.ranks) == powers]
            points = [plotted_time(row, row.ranks) for row in summaries]
            if points:
                label = series.name if powers else f"{series.name}, other p"
                lines.append(PlottedLine(label, series, points, hollow=not powers))
    label = f"ranks p ({format_size(size_bytes)})" if size_bytes else "ranks p"
    return Figure(label, "time", lines, name_time, ranks=True)


def ratio_figure(
    curve: Curve, threshold: float, series: Mapping[str, SeriesStyle] = MappingProxyType({})
) -> Figure:
    """A candidate's time over its baseline's against size, in the candidate's style in `series`."""
    points = [
        PlottedPoint(row.size_bytes or 0, row.ratio, row.low, row.high)
        for row in curve.cells
        if row.ratio is not None
    ]
    label = f"{curve.whole.candidate} / {curve.whole.baseline}"
    origin = max(curve.whole.origins, key=lambda one: one is not Origin.MEASURED)
    style = series.get(curve.whole.candidate, SeriesStyle(label, "s0", 0))
    lines = [PlottedLine(label, replace(style, name=label, origin=origin), points)]
    return Figure("message size", "ratio of times", lines, name_ratio, threshold=threshold)


def studied_figure(figure: StudyFigure) -> Figure:
    """A study's figure in the paper's units: a colour per library, a stroke per network."""
    networks = list(dict.fromkeys(one.network for one in figure.curves))
    libraries = list(dict.fromkeys(one.library for one in figure.curves if not one.raw))
    lines = []
    for curve in figure.curves:
        stroke = NETWORK_STROKES[networks.index(curve.network) % len(NETWORK_STROKES)]
        style = RAW if curve.raw else f"s{libraries.index(curve.library) % STYLES}"
        points = []
        for point in curve.points:
            shown = point.estimate.scaled(1 / figure.unit.worth)
            points.append(PlottedPoint(point.at, shown.value, shown.low, shown.high, point.crowded))
        series = SeriesStyle(curve.name, style, 0)
        lines.append(PlottedLine(curve.name, series, points, stroke=stroke, loose=curve.published))
    return Figure(
        "PEs" if figure.against_pes else "message size (bytes)",
        f"{figure.quantity} ({figure.unit.symbol})",
        lines,
        lambda value: f"{value:g}",
        ranks=figure.against_pes,
        linear=not figure.logarithmic,
    )


def plotted_time(row: Summary, x: int) -> PlottedPoint:
    """The time of a row in seconds at `x`, with the interval that it has."""
    time = time_drawn(row)
    return PlottedPoint(x, time.value, time.low, time.high, is_crowded(row))


def name_time(seconds: float) -> str:
    """Name of a tick of an axis of times, with no more digits than it needs."""
    for unit, scale in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * scale:
            return f"{seconds / scale:g} {unit}"
    return f"{seconds:g} s"


def name_rate(bytes_per_second: float) -> str:
    """Name of a tick of an axis of bandwidths."""
    unit, scale = rate_unit(bytes_per_second)
    return f"{bytes_per_second / scale:g} {unit}"


def name_ratio(ratio: float) -> str:
    """Name of a tick of an axis of ratios: three digits, without zeros at their end."""
    return significant(ratio, 3).rstrip("0").rstrip(".") if ratio != int(ratio) else f"{ratio:g}"
