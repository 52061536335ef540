"""The history of curves for programs: every run's time, and the changes among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from leadline.compare.history import Change, History, Trend, TrendPoint
from leadline.record.caveats import Caveat
from leadline.record.run import Origin
from leadline.report.records import Records, records_of

TREND_COLUMNS = (
    "pattern", "variant", "origin", "ranks", "run", "started", "version", "kernel", "mean_s",
    "handover_ns", "change", "low", "high",
)  # fmt: skip


class PointRow(TypedDict):
    """One curve of one run."""

    run: str
    started: str
    version: str
    kernel: str
    mean_s: float
    """Geometric mean over the sizes."""
    handover_ns: float | None
    """A cache line's round trip between the ranks' cores; null: not known."""


class ChangeRow(TypedDict):
    """A new level: the times from here on over those of the level before."""

    index: int
    """Of the first point of the new level."""
    ratio: float
    low: float | None
    """Of the 95 % interval, as if the place of the change had been known."""
    high: float | None


class TrendRow(TypedDict):
    """Comparable points in order of their start, and the changes among them."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    sizes: Sequence[int]
    """In bytes."""
    buffers: str
    cadence: str
    binding: Sequence[int]
    settings: str
    """Environment, arguments and placement of the variant, and background load."""
    host: str
    cpu: str
    oversubscribed: bool
    far: bool
    """The ranks' cores handed a cache line over twice as slowly as in other such runs, at least."""
    slower_at_the_end: bool
    """A matter of the exit status of what was measured; of imports alone, of imported values."""
    persistence: float | None
    """How much of what a run is off its level the next one is off as well; null: too few runs."""
    points: Sequence[PointRow]
    changes: Sequence[ChangeRow]
    warnings: Sequence[Caveat]


class HistoryContent(TypedDict):
    """All series, and what couldn't be put into one."""

    exit_status: int
    series: Sequence[TrendRow]
    warnings: Sequence[Caveat]


def history_content(history: History) -> HistoryContent:
    """All series with their points and changes, and the warnings."""
    return {
        "exit_status": history.exit_status,
        "series": [_trend(one) for one in history.trends],
        "warnings": history.caveats,
    }


def _trend(series: Trend) -> TrendRow:
    shared = series.conditions
    return {
        "pattern": shared.pattern,
        "variant": shared.variant,
        "origin": shared.origin,
        "ranks": shared.ranks,
        "sizes": shared.sizes,
        "buffers": shared.buffers,
        "cadence": shared.cadence,
        "binding": shared.binding,
        "settings": shared.settings,
        "host": shared.host,
        "cpu": shared.cpu,
        "oversubscribed": shared.oversubscribed,
        "far": shared.far,
        "slower_at_the_end": series.slower_at_the_end,
        "persistence": series.persistence,
        "points": [_point(point) for point in series.points],
        "changes": [_change(change) for change in series.changes],
        "warnings": series.caveats,
    }


def _change(change: Change) -> ChangeRow:
    return {
        "index": change.index,
        "ratio": change.ratio.value,
        "low": change.ratio.low,
        "high": change.ratio.high,
    }


def _point(point: TrendPoint) -> PointRow:
    return {
        "run": point.run,
        "started": point.started,
        "version": point.version,
        "kernel": point.kernel,
        "mean_s": point.mean_s,
        "handover_ns": point.handover_ns,
    }


def history_records(history: History) -> Records:
    """One row for each run of each series; `change` is the ratio where a level begins."""
    rows = [row for one in history.trends for row in _rows(one)]
    return records_of(TREND_COLUMNS, rows)


def _rows(series: Trend) -> Iterator[dict[str, object]]:
    begins = {change.index: change for change in series.changes}
    shared = series.conditions
    for index, point in enumerate(series.points):
        row = {
            "pattern": shared.pattern,
            "variant": shared.variant,
            "origin": shared.origin,
            "ranks": shared.ranks,
        }
        change = begins.get(index)
        yield {**row, **_point(point), **(_level(change) if change else {})}


def _level(change: Change) -> dict[str, object]:
    ratio = change.ratio
    return {"change": ratio.value, "low": ratio.low, "high": ratio.high}
