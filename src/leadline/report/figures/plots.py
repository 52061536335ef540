"""Rows of runs as figures: which lines and points, and what their axes are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from leadline.compare.analysis import Analysis
from leadline.compare.curves import Curve
from leadline.compare.summaries import Summary
from leadline.models.forms import is_power_of_two
from leadline.record.run import Origin
from leadline.report.figures.figure import Figure, PlottedLine, PlottedPoint
from leadline.report.series import SeriesStyle, series_name, series_of, time_drawn
from leadline.report.text.sweeps import is_crowded
from leadline.units import format_size, rate_unit, significant


@dataclass(frozen=True, slots=True)
class Plotted:
    """Rows of one or several runs under the names of their series."""

    series: Mapping[str, SeriesStyle]
    rows: tuple[tuple[str, Summary], ...]

    def lines(
        self, rows: Sequence[tuple[str, Summary]]
    ) -> Iterator[tuple[SeriesStyle, list[Summary]]]:
        """The rows among `rows` of each series that has any."""
        for name, series in self.series.items():
            mine = [row for one, row in rows if one == name]
            if mine:
                yield series, mine


def plotted(analyses: Sequence[Analysis]) -> Plotted:
    """The rows of all runs."""
    runs = [one.run for one in analyses]
    return Plotted(
        series_of(runs),
        tuple(
            (series_name(runs, row.label, i), row)
            for i, one in enumerate(analyses)
            for row in one.summaries
        ),
    )


def size_figure(shown: Plotted, pattern: str, ranks: int, bandwidth: bool) -> Figure:
    """Time, or size over time, against size."""
    chosen = [
        (name, row)
        for name, row in shown.rows
        if (row.pattern, row.ranks) == (pattern, ranks) and (row.size_bytes or not bandwidth)
    ]
    lines = []
    for series, rows in shown.lines(chosen):
        rows.sort(key=lambda row: row.size_bytes)
        points = [_rate(row) if bandwidth else plotted_time(row, row.size_bytes) for row in rows]
        lines.append(PlottedLine(series.name, series, points))
    if bandwidth:
        return Figure("message size", "bandwidth", lines, _name_rate)
    sized = any(row.size_bytes for _, row in chosen)
    return Figure("message size" if sized else "no message size", "time", lines, name_time)


def ranks_figure(shown: Plotted, pattern: str, size_bytes: int) -> Figure:
    """Time against the number of ranks; powers of two and others are lines of their own."""
    chosen = [
        (name, row)
        for name, row in shown.rows
        if (row.pattern, row.size_bytes) == (pattern, size_bytes)
    ]
    lines = []
    for series, rows in shown.lines(chosen):
        rows.sort(key=lambda row: row.ranks)
        for powers in (True, False):
            mine = [row for row in rows if is_power_of_two(row.ranks) == powers]
            points = [plotted_time(row, row.ranks) for row in mine]
            if points:
                label = series.name if powers else f"{series.name}, other p"
                lines.append(PlottedLine(label, series, points, hollow=not powers))
    label = f"ranks p ({format_size(size_bytes)})" if size_bytes else "ranks p"
    return Figure(label, "time", lines, name_time, ranks=True)


def ratio_figure(
    curve: Curve, threshold: float, series: Mapping[str, SeriesStyle] = MappingProxyType({})
) -> Figure:
    """A candidate's time over its baseline's, against size; its style is that among `series`."""
    points = [
        PlottedPoint(row.size_bytes or 0, row.ratio, row.low, row.high)
        for row in curve.cells
        if row.ratio is not None
    ]
    label = f"{curve.whole.candidate} / {curve.whole.baseline}"
    origin = max(curve.whole.origins, key=lambda one: one is not Origin.MEASURED)
    style = series.get(curve.whole.candidate, SeriesStyle(label, "s0", 0))
    lines = [PlottedLine(label, replace(style, name=label, origin=origin), points)]
    return Figure("message size", "ratio of times", lines, _name_ratio, threshold=threshold)


def plotted_time(row: Summary, x: int) -> PlottedPoint:
    """The time of a row at `x`, with what interval it has."""
    time = time_drawn(row)
    return PlottedPoint(x, time.value, time.low, time.high, is_crowded(row))


def _rate(row: Summary) -> PlottedPoint:
    size = row.size_bytes
    time = time_drawn(row)
    low, high = (value and size / value for value in (time.high, time.low))
    return PlottedPoint(size, size / row.median_s, low, high, is_crowded(row))


def name_time(seconds: float) -> str:
    """A tick of an axis of times: no more digits than it needs."""
    for unit, scale in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * scale:
            return f"{seconds / scale:g} {unit}"
    return f"{seconds:g} s"


def _name_rate(bytes_per_second: float) -> str:
    unit, scale = rate_unit(bytes_per_second)
    return f"{bytes_per_second / scale:g} {unit}"


def _name_ratio(ratio: float) -> str:
    return significant(ratio, 3).rstrip("0").rstrip(".") if ratio != int(ratio) else f"{ratio:g}"
