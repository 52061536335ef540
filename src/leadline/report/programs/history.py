"""The history of curves for programs: the time of each run, and the changes among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.compare.history import History
from leadline.record.run import Origin
from leadline.record.warnings import RunWarning
from leadline.report.programs.rows import row_of
from leadline.report.records import Records, records_of

TREND_COLUMNS = (
    "pattern", "variant", "origin", "ranks", "run", "started", "version", "kernel", "mean_s",
    "core_latency_ns", "change", "low", "high",
)  # fmt: skip


class PointRow(TypedDict):
    """One curve in one run."""

    run: str
    started: str
    version: str
    kernel: str
    mean_s: float
    """Geometric mean of the times over the sizes."""
    core_latency_ns: float | None
    """Core-to-core latency, a cache line's round trip between the ranks' cores; null: not known."""


class ChangeRow(TypedDict):
    """The beginning of a new level of the times."""

    index: int
    """Index of the first point of the new level."""
    ratio: float
    """Times of the new level over those of the level before."""
    low: float | None
    """Lower bound of the 95 % interval, as if the index had been known; null: there is none."""
    high: float | None
    """Upper bound of that interval; null: there is none."""


class TrendRow(TypedDict):
    """Comparable points in the order of their start, and the changes among them."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    sizes: Sequence[int]
    """Message sizes in bytes."""
    buffers: str
    cadence: str
    binding: Sequence[int]
    settings: str
    """Environment, arguments and placement of the variant, and background load."""
    host: str
    cpu: str
    oversubscribed: bool
    far: bool
    """The core-to-core latency of the ranks' cores is at least twice that in other such runs."""
    slower_at_the_end: bool
    """Whether the last level is a slowdown. Measured series decide the exit status, imported ones
    only where none was measured."""
    persistence: float | None
    """Autocorrelation of the deviations from the level, run to run; null: too few runs."""
    points: Sequence[PointRow]
    changes: Sequence[ChangeRow]
    warnings: Sequence[RunWarning]


class HistoryContent(TypedDict):
    """All series, and warnings of what couldn't be put into one."""

    exit_status: int
    series: Sequence[TrendRow]
    warnings: Sequence[RunWarning]


def history_content(history: History) -> HistoryContent:
    """All series with their points and changes, and the warnings."""
    return {
        "exit_status": history.exit_status,
        "series": [
            row_of(
                TrendRow,
                trend.conditions,
                slower_at_the_end=trend.slower_at_the_end,
                persistence=trend.persistence,
                points=[row_of(PointRow, point) for point in trend.points],
                changes=[
                    {
                        "index": change.index,
                        "ratio": change.ratio.value,
                        "low": change.ratio.low,
                        "high": change.ratio.high,
                    }
                    for change in trend.changes
                ],
                warnings=trend.warnings,
            )
            for trend in history.trends
        ],
        "warnings": history.warnings,
    }


def history_records(history: History) -> Records:
    """One row for each run of each series; `change` is the ratio where a level begins."""
    rows = []
    for trend in history.trends:
        shared = trend.conditions
        begins = {change.index: change.ratio for change in trend.changes}
        for index, point in enumerate(trend.points):
            row = {
                "pattern": shared.pattern,
                "variant": shared.variant,
                "origin": shared.origin,
                "ranks": shared.ranks,
                **row_of(PointRow, point),
            }
            if ratio := begins.get(index):
                row |= {"change": ratio.value, "low": ratio.low, "high": ratio.high}
            rows.append(row)
    return records_of(TREND_COLUMNS, rows)
