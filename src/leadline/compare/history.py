"""Trend of a curve over many runs: comparable runs in order, and where their level changes.

A run's value is the mean over its sizes of the logarithm of the time per operation. The run is the
unit: what differs from run to run is in the spread with which a change is compared. Values of
different origins are never in one series, nor in one family of tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.core_latencies import are_apart, typical
from leadline.compare.origins import REPEATED, Labelled, not_measured
from leadline.compare.summaries import Summary
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.record.curve import CurveKey
from leadline.record.provenance import Provenance
from leadline.record.run import Configuration, Origin
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.statistics.change_points import FEWEST_VALUES, change_points, persistence_about
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats, shift

NO_SLOWDOWN, SLOWDOWN = 0, 1
Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Selection of cells; an empty field selects all."""

    patterns: Collection[str] = ()
    variants: Collection[str] = ()
    sizes: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Conditions(Labelled):
    """What runs of one series share; versions and kernels may change, as these are watched."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    sizes: Sizes
    buffers: str
    cadence: str
    binding: tuple[int, ...]
    settings: str
    """Requested environment, arguments and placement of the variant; background load."""
    host: str
    cpu: str
    oversubscribed: bool
    """More ranks than cores at some size, and no link was the limit."""
    far: bool = False
    """Core-to-core latency between the ranks at least twice that of other such runs."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One curve of one run."""

    run: str
    started: str
    version: str
    kernel: str
    conditions: Conditions
    mean_s: float
    """Geometric mean over the sizes, in s."""
    core_latency_ns: float | None = None
    """Core-to-core latency between the ranks' cores, a round trip, the median over the sizes; None:
    not known."""
    repeated: bool = False
    """Imported, with several values in each cell."""


@dataclass(frozen=True, slots=True)
class Change:
    """Change of level: the ratio of the times from here on to those of the level before."""

    index: int
    """Index of the first point of the new level."""
    ratio: Estimate
    """Ratio of the levels, its interval as if the place of the change had been known."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Comparable points in order of their start, and the changes among them."""

    conditions: Conditions
    points: tuple[TrendPoint, ...]
    changes: tuple[Change, ...]
    persistence: float | None
    """Lag-1 autocorrelation of the runs' deviations from their level; None: too few runs."""
    warnings: tuple[RunWarning, ...]

    @property
    def slower_at_the_end(self) -> bool:
        """Whether the last level is a slowdown; never so with more ranks than cores."""
        if not self.changes or self.conditions.oversubscribed:
            return False
        return self.changes[-1].ratio.value > 1


@dataclass(frozen=True, slots=True)
class History:
    """All trends, and warnings about what couldn't be put into one."""

    trends: tuple[Trend, ...]
    warnings: tuple[RunWarning, ...]

    @property
    def decisive(self) -> tuple[Trend, ...]:
        """Trends that decide the exit status: measured ones; where there are none, imported ones.

        What a model predicts never decides it.
        """
        for origin in (Origin.MEASURED, Origin.IMPORTED):
            trends = tuple(trend for trend in self.trends if trend.conditions.origin is origin)
            if trends:
                return trends
        return ()

    @property
    def slower(self) -> tuple[Trend, ...]:
        """Decisive trends whose last level is a slowdown."""
        return tuple(trend for trend in self.decisive if trend.slower_at_the_end)

    @property
    def exit_status(self) -> int:
        """1 where the last level of a trend is a slowdown, else 0."""
        return SLOWDOWN if self.slower else NO_SLOWDOWN


def points_of(analysis: Analysis, choice: Choice) -> Iterator[TrendPoint]:
    """Curves of a run in the chosen cells; sizes that weren't measured make another trend."""
    run = analysis.run
    provenance = run.provenance
    rows: dict[tuple[CurveKey, str], list[Summary]] = {}
    for row in analysis.summaries:
        if (
            row.pattern in (choice.patterns or (row.pattern,))
            and not {row.variant, row.label}.isdisjoint(choice.variants or (row.variant,))
            and row.size_bytes in (choice.sizes or (row.size_bytes,))
        ):
            rows.setdefault((row.curve, row.label), []).append(row)
    configurations = {(c.variant, c.origin, c.key): c for c in run.configurations}
    for curve in rows.values():
        configuration = configurations[curve[0].variant, curve[0].origin, curve[0].key]
        yield TrendPoint(
            run=run.path,
            started=provenance.started or "",
            version=configuration.version,
            kernel=provenance.machine.shown("kernel"),
            conditions=_conditions(curve, run.as_asked(configuration), provenance),
            mean_s=math.exp(math.fsum(math.log(row.median_s) for row in curve) / len(curve)),
            core_latency_ns=typical(row.core_latency_ns for row in curve),
            repeated=all(REPEATED in row.warnings for row in curve),
        )


def _conditions(
    curve: Sequence[Summary], configuration: Configuration, provenance: Provenance
) -> Conditions:
    """Conditions of a curve measured under `configuration` as it was requested."""
    first = curve[0]
    variables = (f"{name}={value}" for name, value in sorted(configuration.environment.items()))
    placed = [
        placement.label
        for placement in configuration.placement
        if placement.pattern in ("", first.pattern)
    ]
    load = [f"load={provenance.background_load}"] if provenance.background_load else []
    return Conditions(
        pattern=first.pattern,
        variant=first.variant,
        origin=first.origin,
        ranks=first.ranks,
        sizes=tuple(sorted(row.size_bytes for row in curve)),
        buffers=first.buffers,
        cadence=first.cadence,
        binding=configuration.binding,
        settings=" ".join([*variables, *configuration.arguments, *placed, *load]),
        host=provenance.machine.shown("host"),
        cpu=provenance.machine.shown("cpu"),
        oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in curve),
    )


def history_of(
    points: Iterable[TrendPoint],
    threshold: float,
    undated: int = 0,
    known: Sequence[RunWarning] = (),
    seed: int = 0,
) -> History:
    """Group `points`, in order of their start, into series of at least two runs each.

    The 5 % of a false alarm are shared by all series of an origin (Bonferroni). Changes of at most
    `threshold` are none. `undated` runs, which have no start time, only get a warning; `known` are
    warnings about runs besides.
    """
    groups: dict[Conditions, list[TrendPoint]] = {}
    for point in _by_state(list(points)):
        groups.setdefault(point.conditions, []).append(point)
    series = [group for group in groups.values() if len(group) > 1]
    alone = len(groups) - len(series)
    number = Counter(group[0].conditions.origin for group in series)
    trends = tuple(
        _trend(group, threshold, (1 - CONFIDENCE) / number[group[0].conditions.origin], seed)
        for group in series
    )
    warnings = [*known]
    if undated:
        warnings.append(warning_of(WarningKind.UNDATED, number=undated))
    if alone:
        warnings.append(warning_of(WarningKind.NOT_COMPARABLE, curves=alone))
    return History(trends, tuple(warnings))


def _by_state(points: Sequence[TrendPoint]) -> Iterator[TrendPoint]:
    """The points with the state of their cores, near or far, in their conditions; unknown: near."""
    least: dict[Conditions, float] = {}
    for point in points:
        if point.core_latency_ns is not None:
            known = least.setdefault(point.conditions, point.core_latency_ns)
            least[point.conditions] = min(known, point.core_latency_ns)
    for point in points:
        far = are_apart(point.core_latency_ns, least.get(point.conditions))
        yield replace(point, conditions=replace(point.conditions, far=far))


def _trend(points: Sequence[TrendPoint], threshold: float, alpha: float, seed: int) -> Trend:
    """Trend of the points of one series; `alpha` is the risk of a false alarm."""
    conditions = points[0].conditions
    logs = np.log([point.mean_s for point in points])
    changes = notable_changes(logs, change_points(logs, alpha, seed), threshold)
    warnings = [OVERSUBSCRIBED] if conditions.oversubscribed else []
    not_from_here = not_measured(conditions.origin, all(point.repeated for point in points))
    warnings += [not_from_here] if not_from_here else []
    if len(points) < FEWEST_VALUES:
        warnings.append(warning_of(WarningKind.FEW_RUNS, runs=len(points), needed=FEWEST_VALUES))
        return Trend(conditions, tuple(points), changes, None, tuple(warnings))
    persistence, drifts = persistence_about(logs, [change.index for change in changes])
    if drifts:
        effective = len(points) * (1 - persistence) / (1 + persistence)
        warnings.append(
            warning_of(WarningKind.DRIFT, runs=len(points), share=persistence, effective=effective)
        )
    return Trend(conditions, tuple(points), changes, persistence, tuple(warnings))


def notable_changes(logs: Floats, starts: tuple[int, ...], threshold: float) -> tuple[Change, ...]:
    """Shifts to the levels that begin at `starts`, with intervals, without slight ones.

    A change is kept if it exceeds `threshold` and its interval excludes "none". Of the others the
    smallest is removed first, which joins its two levels. Where runs are autocorrelated about their
    levels, intervals are as wide as for the effective, smaller number of runs.
    """
    bounds = (0, *starts, len(logs))
    levels = [logs[first:end] for first, end in pairwise(bounds)]
    # the standard error of a mean of drifting values exceeds that of independent ones by a factor;
    # source: Bartlett 1946, of a first-order autoregression
    wider = 1.0
    if len(logs) >= FEWEST_VALUES:
        persistence = max(persistence_about(logs, starts)[0], 0.0)
        wider = math.sqrt((1 + persistence) / (1 - persistence))
    shifts = [shift(before, after).widened(wider) for before, after in pairwise(levels)]
    slight = {
        start: abs(level_shift.value)
        for start, level_shift in zip(starts, shifts, strict=True)
        if abs(level_shift.value) <= math.log1p(threshold) or level_shift.holds(0)
    }
    if slight:
        least = min(slight, key=slight.__getitem__)
        return notable_changes(logs, tuple(s for s in starts if s != least), threshold)
    return tuple(
        Change(start, level_shift.exp()) for start, level_shift in zip(starts, shifts, strict=True)
    )
