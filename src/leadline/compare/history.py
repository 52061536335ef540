"""The trend of a curve over many runs: comparable runs put in order, and where the level changes.

A run's value is the mean over its sizes of the logarithm of the time per operation. The run is
the unit: what differs from run to run is in the spread that a change is held against. Values of
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
from leadline.compare.handovers import are_apart, typical
from leadline.compare.origins import REPEATED, Labelled, not_measured
from leadline.compare.summaries import Summary
from leadline.compare.warnings import OVERSUBSCRIBED
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey
from leadline.record.provenance import Provenance
from leadline.record.run import Configuration, Origin
from leadline.statistics.change_points import FEWEST_VALUES, change_points
from leadline.statistics.drift import persistence_about
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats, shift

NO_SLOWDOWN, SLOWDOWN = 0, 1
Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cells are looked at; empty: all."""

    patterns: Collection[str] = ()
    variants: Collection[str] = ()
    sizes: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Conditions(Labelled):
    """What runs of one series share; versions and kernels may change, for they are watched."""

    pattern: str
    variant: str
    origin: Origin
    ranks: int
    sizes: Sizes
    buffers: str
    cadence: str
    binding: tuple[int, ...]
    settings: str
    """Environment that was asked for, arguments and placement of the variant; background load."""
    host: str
    cpu: str
    oversubscribed: bool
    """At some size, and no link was the limit."""
    far: bool = False
    """The ranks' cores handed a cache line over twice as slowly as in other such runs, at least."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One curve of one run."""

    run: str
    started: str
    version: str
    kernel: str
    conditions: Conditions
    mean_s: float
    """Geometric mean over the sizes."""
    handover_ns: float | None = None
    """A cache line's round trip between the ranks' cores, the median over the sizes; None: not
    known."""
    repeated: bool = False
    """Imported, with several values in each cell."""


@dataclass(frozen=True, slots=True)
class Change:
    """A new level: the times from here on over those of the level before."""

    index: int
    """Of the first point of the new level."""
    ratio: Estimate
    """Its interval as if the place of the change had been known."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Comparable points in order of their start, and the changes among them."""

    conditions: Conditions
    points: tuple[TrendPoint, ...]
    changes: tuple[Change, ...]
    persistence: float | None
    """How much of what a run is off its level the next one is off as well; None: too few runs."""
    caveats: tuple[Caveat, ...]

    @property
    def slower_at_the_end(self) -> bool:
        """Whether the last level is a slowdown; never so with more ranks than cores."""
        if not self.changes or self.conditions.oversubscribed:
            return False
        return self.changes[-1].ratio.value > 1


@dataclass(frozen=True, slots=True)
class History:
    """All trends, and what couldn't be put into one."""

    trends: tuple[Trend, ...]
    caveats: tuple[Caveat, ...]

    @property
    def decisive(self) -> tuple[Trend, ...]:
        """Those that the exit status goes by: measured ones; where there are none, imported ones.

        What a model says never is one.
        """
        for origin in (Origin.MEASURED, Origin.IMPORTED):
            found = tuple(one for one in self.trends if one.conditions.origin is origin)
            if found:
                return found
        return ()

    @property
    def slower(self) -> tuple[Trend, ...]:
        """Decisive trends whose last level is a slowdown."""
        return tuple(one for one in self.decisive if one.slower_at_the_end)

    @property
    def exit_status(self) -> int:
        """1 where the last level of a trend is a slowdown, else 0."""
        return SLOWDOWN if self.slower else NO_SLOWDOWN


def points_of(analysis: Analysis, choice: Choice) -> Iterator[TrendPoint]:
    """The curves of a run in the cells chosen; sizes that weren't measured make another trend."""
    run = analysis.run
    provenance = run.provenance
    rows: dict[tuple[CurveKey, str], list[Summary]] = {}
    for row in analysis.summaries:
        if _chosen(row, choice):
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
            handover_ns=typical(row.handover_ns for row in curve),
            repeated=all(REPEATED in row.warnings for row in curve),
        )


def _conditions(
    curve: Sequence[Summary], configuration: Configuration, provenance: Provenance
) -> Conditions:
    first = curve[0]
    return Conditions(
        pattern=first.pattern,
        variant=first.variant,
        origin=first.origin,
        ranks=first.ranks,
        sizes=tuple(sorted(row.size_bytes for row in curve)),
        buffers=first.buffers,
        cadence=first.cadence,
        binding=configuration.binding,
        settings=_settings(configuration, first.pattern, provenance.background_load),
        host=provenance.machine.shown("host"),
        cpu=provenance.machine.shown("cpu"),
        oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in curve),
    )


def _chosen(row: Summary, choice: Choice) -> bool:
    return (
        row.pattern in (choice.patterns or (row.pattern,))
        and not {row.variant, row.label}.isdisjoint(choice.variants or (row.variant,))
        and row.size_bytes in (choice.sizes or (row.size_bytes,))
    )


def _settings(configuration: Configuration, pattern: str, background_load: str | None) -> str:
    pairs = (f"{name}={value}" for name, value in sorted(configuration.environment.items()))
    load = [f"load={background_load}"] if background_load else []
    laid = [one.label for one in configuration.placement if one.pattern in ("", pattern)]
    return " ".join([*pairs, *configuration.arguments, *laid, *load])


def history_of(
    points: Iterable[TrendPoint],
    threshold: float,
    undated: int = 0,
    known: Sequence[Caveat] = (),
    seed: int = 0,
) -> History:
    """The series that `points`, in order of their start, form, two runs at least in each.

    The 5 % of a false alarm are shared by all series of an origin (Bonferroni). Changes of at most
    `threshold` are none. `undated` runs, which don't say when they started, are only warned of,
    and so is what is `known` of runs besides.
    """
    groups: dict[Conditions, list[TrendPoint]] = {}
    for point in _by_state(list(points)):
        groups.setdefault(point.conditions, []).append(point)
    several = [group for group in groups.values() if len(group) > 1]
    alone = len(groups) - len(several)
    number = Counter(group[0].conditions.origin for group in several)
    found = tuple(
        _trend(group, threshold, (1 - CONFIDENCE) / number[group[0].conditions.origin], seed)
        for group in several
    )
    caveats = ([_undated(undated)] if undated else []) + ([_alone(alone)] if alone else [])
    return History(found, (*known, *caveats))


def _by_state(points: Sequence[TrendPoint]) -> Iterator[TrendPoint]:
    """`points`, whose conditions say whether their cores were far; what isn't known is near."""
    least: dict[Conditions, float] = {}
    for point in points:
        if point.handover_ns is not None:
            known = least.setdefault(point.conditions, point.handover_ns)
            least[point.conditions] = min(known, point.handover_ns)
    for point in points:
        far = are_apart(point.handover_ns, least.get(point.conditions))
        yield replace(point, conditions=replace(point.conditions, far=far))


def _undated(number: int) -> Caveat:
    return CaveatKind.UNDATED.because(
        f"runs that don't say when they were started are left out ({number})"
    )


def _alone(number: int) -> Caveat:
    return CaveatKind.NOT_COMPARABLE.because(
        f"{number} curves are left out: no other run has them at the same sizes and settings, "
        "its cores in the same state"
    )


def _trend(points: Sequence[TrendPoint], threshold: float, alpha: float, seed: int) -> Trend:
    conditions = points[0].conditions
    logs = np.log([point.mean_s for point in points])
    changes = notable_changes(logs, change_points(logs, alpha, seed), threshold)
    caveats = [OVERSUBSCRIBED] if conditions.oversubscribed else []
    said = not_measured(conditions.origin, all(point.repeated for point in points))
    caveats += [said] if said else []
    if len(points) < FEWEST_VALUES:
        caveats.append(_few_runs(len(points), FEWEST_VALUES))
        return Trend(conditions, tuple(points), changes, None, tuple(caveats))
    persistence, drifts = persistence_about(logs, [change.index for change in changes])
    if drifts:
        caveats.append(_drift(len(points), persistence))
    return Trend(conditions, tuple(points), changes, persistence, tuple(caveats))


def _few_runs(number: int, fewest: int) -> Caveat:
    return CaveatKind.FEW_RUNS.because(
        f"{number} comparable runs can't show a change, {fewest} could"
    )


def _drift(number: int, persistence: float) -> Caveat:
    counted = number * (1 - persistence) / (1 + persistence)
    return CaveatKind.DRIFT.because(
        f"{number} runs drift: of what one is off its level the next is off by "
        f"{100 * persistence:.0f} %, so that they tell as much as {counted:.0f} would"
    )


def notable_changes(logs: Floats, starts: tuple[int, ...], threshold: float) -> tuple[Change, ...]:
    """The shift to each level that begins at `starts`, with its interval; slight ones are undone.

    A change is kept if it exceeds `threshold` and its interval excludes "none". Of those that
    aren't, the smallest is undone first, which joins its two levels. Where runs drift about their
    levels, intervals are as wide as for the fewer runs that would tell as much.
    """
    bounds = (0, *starts, len(logs))
    levels = [logs[first:end] for first, end in pairwise(bounds)]
    wider = _inflation(logs, starts)
    shifts = [shift(before, after).widened(wider) for before, after in pairwise(levels)]
    slight = {
        start: abs(found.value)
        for start, found in zip(starts, shifts, strict=True)
        if abs(found.value) <= math.log1p(threshold) or found.holds(0)
    }
    if slight:
        least = min(slight, key=slight.__getitem__)
        return notable_changes(logs, tuple(s for s in starts if s != least), threshold)
    return tuple(Change(start, found.exp()) for start, found in zip(starts, shifts, strict=True))


def _inflation(logs: Floats, starts: tuple[int, ...]) -> float:
    """By what the standard error of a mean of drifting values exceeds that of independent ones.

    Source: Bartlett 1946, of a first-order autoregression.
    """
    if len(logs) < FEWEST_VALUES:
        return 1.0
    persistence = max(persistence_about(logs, starts)[0], 0.0)
    return math.sqrt((1 + persistence) / (1 - persistence))
