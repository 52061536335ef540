"""Absolute times of a run: one row for each cell under each configuration.

Also the distribution of the samples of each cell; and what ranks that send at once deliver, in
messages and bytes per second (windows are counted by their messages, neighbours on a grid by what
each of them sends).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from leadline.compare.circumstances import (
    NOTABLE_SHARE,
    Circumstances,
    CircumstancesByCell,
)
from leadline.compare.medians import BlockMedians
from leadline.compare.origins import REPEATED, Labelled, not_measured
from leadline.compare.samples import Samples, operation_times
from leadline.compare.warnings import (
    OVERSUBSCRIBED,
    USUAL_READING_NS,
    clock_bound,
    clocks_apart,
    crowding,
    disturbed,
    handed_over,
    too_few_blocks,
)
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin, Run
from leadline.record.warnings import Gathered, RunWarning, WarningKind, warning_of
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, bootstrap_quantile
from leadline.units import format_size


@dataclass(frozen=True, slots=True)
class Summary(OnCurve, Labelled):
    """One cell under one configuration; times are per operation or message."""

    curve: CurveKey
    variant: str
    backend: str
    version: str
    size_bytes: int
    time: Estimate
    """Time in s; without an interval where the value was stated once."""
    blocks: int
    """Number of blocks; 0: the value was stated, once."""
    samples: int
    repetitions: int
    """Repetitions of the operation in each batch; 0: there are no batches."""
    algorithm: str
    transport: str
    """Transport of messages between ranks of one host; "unknown" where it wasn't reported."""
    warnings: tuple[RunWarning, ...]
    circumstances: Circumstances
    origin: Origin = Origin.MEASURED
    stated: tuple[float, float] | None = None
    """Interval that came with a stated value, in s; no blocks stand behind it."""
    p90: Estimate | None = None
    """90 % quantile in s; None: not asked for, or a sample is more than one operation."""
    p99: Estimate | None = None

    @property
    def stated_low_s(self) -> float | None:
        """Lower end of the stated interval in s; None: no interval came with the value."""
        return self.stated and self.stated[0]

    @property
    def stated_high_s(self) -> float | None:
        """Upper end of the stated interval in s; None: no interval came with the value."""
        return self.stated and self.stated[1]

    @property
    def median_s(self) -> float:
        """Median over blocks, in s."""
        return self.time.value

    @property
    def low_s(self) -> float | None:
        """Lower end of the 95 % interval in s; None: too few blocks for one."""
        return self.time.low

    @property
    def high_s(self) -> float | None:
        """Upper end of the 95 % interval in s; None: too few blocks for one."""
        return self.time.high

    @property
    def run_delay_share(self) -> float | None:
        """Run delay share, as in Circumstances."""
        return self.circumstances.run_delay_share

    @property
    def disturbed_share(self) -> float | None:
        """Share of disturbed slices, as in Circumstances."""
        return self.circumstances.disturbed_share

    @property
    def core_latency_ns(self) -> float | None:
        """Core-to-core latency, as in Circumstances."""
        return self.circumstances.core_latency_ns

    @property
    def clock_residual_ns(self) -> float | None:
        """Clock residual, as in Circumstances."""
        return self.circumstances.clock_residual_ns

    @property
    def link(self) -> str | None:
        """Busiest link, as in Circumstances."""
        return self.circumstances.link

    @property
    def link_share(self) -> float | None:
        """Share of the link's rate, as in Circumstances."""
        return self.circumstances.link_share

    @property
    def communication_share(self) -> float | None:
        """Share of communication, mean over ranks, as in Circumstances."""
        return self.circumstances.communication_share

    @property
    def communication_most(self) -> float | None:
        """Largest share of communication, as in Circumstances."""
        return self.circumstances.communication_most

    @property
    def verified(self) -> str | None:
        """Quantity that was verified, as in Circumstances; None, also for the next two: none."""
        verified = self.circumstances.verified
        return None if verified is None else verified.quantity

    @property
    def verified_expected(self) -> float | None:
        """Expected value of the verified quantity."""
        verified = self.circumstances.verified
        return None if verified is None else verified.expected

    @property
    def verified_seen(self) -> float | None:
        """Observed value of the verified quantity."""
        verified = self.circumstances.verified
        return None if verified is None else verified.seen

    @property
    def key(self) -> tuple[int, int]:
        """Ranks and threads of its configuration."""
        return self.curve.ranks, self.curve.threads


@dataclass(frozen=True, slots=True)
class _Counts:
    """Numbers on which one cell's time rests, under one configuration."""

    filled: int
    """Blocks with a time; each stated value fills one."""
    blocks: int
    """Blocks with a time, but none for a single stated value."""
    samples: int
    late: int
    apart: int
    clock_bound: int
    repetitions: int
    """Repetitions in each batch."""
    seconds: float | None
    """The one stated value; None: it was measured, or stated in several blocks."""
    stated: tuple[float, float] | None
    """Interval that came with the value, in s."""


def summarise(
    run: Run,
    medians: BlockMedians,
    log_times: Sequence[Sequence[Estimate]],
    around: CircumstancesByCell,
) -> tuple[Summary, ...]:
    """Summaries of a run, by configuration and cell; what wasn't measured has none.

    `log_times` are medians over the logarithms of block medians.
    """
    stated: dict[tuple[int, int], list[float]] = {}
    for table in run.stated:
        for index, seconds in zip(table.cells, table.seconds, strict=True):
            stated.setdefault((table.configuration, index), []).append(seconds)
    alone = {place: values[0] for place, values in stated.items() if len(values) == 1}
    filled = np.asarray(medians.seconds > 0)
    repeated = filled.sum(axis=2, keepdims=True) > 1
    measured = filled & ((medians.samples > 0) | repeated)
    flagged = (medians.late, medians.apart, medians.clock_bound)
    # the fields of _Counts, each a list over configurations of lists over cells
    numbers: list[list[list[Any]]] = [
        *(np.sum(n, axis=2).tolist() for n in (filled, measured, medians.samples, *flagged)),
        _by_cell(run, run.repetitions, 0),
        _by_cell(run, alone, None),
        _by_cell(run, stated_bounds(run), None),
    ]
    reading_s = 1e-9 * (run.machine.clock_read_at_most_ns or USUAL_READING_NS)
    by_cell = [list(map(_Counts, *rows)) for rows in zip(*numbers, strict=True)]
    return tuple(
        _summary(configuration, cell, log_times[c][k].exp(), by_cell[c][k], around[c][k], reading_s)
        for c, configuration in enumerate(run.configurations)
        for k, cell in enumerate(run.cells)
        if by_cell[c][k].filled
    )


def stated_bounds(run: Run) -> Mapping[tuple[int, int], tuple[float, float]]:
    """Intervals that came with values, in s, by (configuration, cell)."""
    return {
        (table.configuration, cell): (low, high)
        for table in run.stated
        for cell, low, high in zip(table.cells, table.low, table.high, strict=False)
    }


def _by_cell(run: Run, known: Mapping[tuple[int, int], object], other: object) -> list[list[Any]]:
    """Values `known`, and `other` elsewhere, by configuration and cell."""
    return [
        [known.get((c, k), other) for k in range(len(run.cells))]
        for c in range(len(run.configurations))
    ]


def _summary(
    configuration: Configuration,
    cell: Cell,
    time: Estimate,
    counts: _Counts,
    around: Circumstances,
    reading_s: float,
) -> Summary:
    is_simulated = configuration.origin is Origin.SIMULATED
    repetition_s = time.value * cell.messages_per_repetition
    bound = counts.clock_bound > NOTABLE_SHARE * counts.samples
    return Summary(
        curve=CurveKey.of(cell, configuration),
        variant=configuration.variant,
        backend=configuration.backend,
        version=configuration.version,
        size_bytes=cell.size_bytes,
        time=time if counts.seconds is None else Estimate(counts.seconds),
        blocks=counts.blocks if time.bounds or not is_simulated else 0,
        samples=counts.samples,
        repetitions=counts.repetitions,
        algorithm=algorithm(configuration, cell),
        transport=configuration.transport,
        warnings=(
            *_warnings(configuration, counts, around, time.bounds is not None),
            *clock_bound(configuration, bound, repetition_s * counts.repetitions, reading_s),
            *clocks_apart(around, repetition_s),
        ),
        circumstances=around,
        origin=configuration.origin,
        stated=counts.stated,
    )


def with_tails(
    rows: Sequence[Summary], run: Run, samples: Samples, medians: BlockMedians, seed: int
) -> tuple[Summary, ...]:
    """Add p90 and p99 to `rows`, all those of `run`, where each sample is one operation.

    From a bootstrap that `seed` makes reproducible.
    """
    places = np.argwhere(np.any(medians.seconds > 0, axis=2)).tolist()
    single = np.all(medians.single, axis=2).tolist()
    summaries: list[Summary] = []
    for row, (c, k) in zip(rows, places, strict=True):
        summary = row
        if row.samples and single[c][k]:
            times = operation_times(samples, c, k)
            p90, p99 = (bootstrap_quantile(times, quantile, seed) for quantile in (0.90, 0.99))
            summary = replace(row, p90=p90, p99=p99)
        summaries.append(summary)
    return tuple(summaries)


def algorithm(configuration: Configuration, cell: Cell) -> str:
    """Algorithm of the configuration for the cell's pattern: "native", "binomial" ..."""
    return configuration.algorithms.get(cell.pattern.partition(":")[0], "unknown")


def _warnings(
    configuration: Configuration, counts: _Counts, around: Circumstances, finite: bool
) -> Iterator[RunWarning]:
    """Warnings about one row; `finite`: it has an interval."""
    yield from crowding(around)
    by_origin = not_measured(configuration.origin, repeated=counts.seconds is None)
    if by_origin is not None:
        yield by_origin
    if not finite and by_origin in (None, REPEATED):
        yield too_few_blocks(counts.filled, around.lost)
    if around.spoilt:
        yield disturbed(around)
    if around.notably_outside:
        yield handed_over(around)
    taken = counts.samples + counts.late + counts.apart
    if counts.late > NOTABLE_SHARE * taken:
        yield warning_of(WarningKind.LATE_STARTS, late=counts.late, operations=taken)
    if counts.apart > NOTABLE_SHARE * taken:
        yield warning_of(WarningKind.APART, apart=counts.apart, batches=taken)
    if around.unsettled_share is not None and around.unsettled_share > NOTABLE_SHARE:
        yield warning_of(WarningKind.UNSETTLED, share=around.unsettled_share)


def gathered(rows: Iterable[Summary]) -> list[RunWarning]:
    """Warnings of `rows`, one of each code: the first cell's cause, and how many more cells.

    Causes show the size for patterns with any size above zero.
    """
    seen: dict[str, list[tuple[Summary, RunWarning]]] = {}
    rows = list(rows)
    sized = {row.pattern for row in rows if row.size_bytes}
    for row in rows:
        for warning in row.warnings:
            seen.setdefault(warning.code, []).append((row, warning))
    warnings: list[RunWarning] = []
    for alike in seen.values():
        row, first = alike[0]
        if len({warning.cause for _, warning in alike}) == 1:
            cause = Gathered.ALIKE(cause=first.cause, cells=len(alike))
        else:
            cause = Gathered.FIRST(
                variant=row.variant,
                pattern=row.pattern,
                size=format_size(row.size_bytes) if row.pattern in sized else None,
                cause=first.cause,
                others=len(alike) - 1,
            )
        warnings.append(replace(first, cause=cause))
    return warnings


SHARES = (0.0, 0.001, 0.01, *(step / 40 for step in range(1, 40)), 0.99, 0.999, 1.0)
"""Shares of the samples, rising: steps of 2.5 % between the extremes and the outer per cent and
mille."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Distribution of one cell under one configuration; times are per operation or message."""

    configuration: int
    """Index into Run.configurations."""
    cell: int
    """Index into Run.cells."""
    samples: int
    quantiles_s: tuple[float, ...]
    """Quantiles at SHARES, in s; of a batch of several operations their mean is one sample."""
    blocks_s: tuple[float, ...]
    """Median of each block, in s and in the order of blocks."""


def distributions_of(samples: Samples, medians: Floats) -> tuple[Distribution, ...]:
    """Distributions of all cells with samples, by configuration and cell.

    A stated value has none. `medians` are those of blocks in s, shape (configurations, cells,
    blocks).
    """
    configurations, cells = samples.configuration, samples.cell
    changes = (configurations[1:] != configurations[:-1]) | (cells[1:] != cells[:-1])
    groups = [0, *(np.flatnonzero(changes) + 1).tolist(), cells.size]
    ends = np.append(0, np.cumsum(samples.counted_numbers))
    distributions: list[Distribution] = []
    for first, last in pairwise(groups):
        seconds = samples.counted_seconds[ends[first] : ends[last]]
        if not seconds.size:
            continue
        configuration, cell = int(configurations[first]), int(cells[first])
        distributions.append(
            Distribution(
                configuration=configuration,
                cell=cell,
                samples=seconds.size,
                quantiles_s=tuple(np.quantile(seconds, SHARES).tolist()),
                blocks_s=tuple(s for s in medians[configuration, cell].tolist() if s > 0),
            )
        )
    return tuple(distributions)


@dataclass(frozen=True, slots=True)
class Rates(OnCurve, Labelled):
    """Rates of one configuration in one pattern, all ranks together."""

    curve: CurveKey
    variant: str
    origin: Origin
    oversubscribed: bool
    """More ranks than cores at one of the two sizes, and no link was the limit."""
    least_bytes: int
    """Smallest size."""
    messages_per_s: float
    """Message rate at the smallest size."""
    most_bytes: int
    """Largest size."""
    bytes_per_s: float
    """Bandwidth at the largest size."""
    rank_bytes_per_s: float | None
    """Bandwidth sent by the rank that sends most; None: windows."""
    pair_bytes_per_s: float | None
    """Bandwidth between two ranks, both ways; None: ranks aren't in pairs."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """Numbers of messages in a sample's time."""

    in_all: int
    of_a_rank: int | None = None
    of_a_pair: int | None = None


def rates(run: Run, rows: Sequence[Summary]) -> tuple[Rates, ...]:
    """Rates of all patterns that send windows, or on a grid, in the order of the rows."""
    windows = {cell.pattern: run.windows_of(cell) for cell in run.cells}
    curves: dict[tuple[CurveKey, str], list[Summary]] = {}
    for row in rows:
        curves.setdefault((row.curve, row.label), []).append(row)
    by_curve: list[Rates] = []
    for curve in curves.values():
        row = curve[0]
        window = windows[row.pattern]
        if window != "none":  # one for each "pair" of ranks, or "one" in all
            messages = _Counted(row.ranks // 2 if window == "pair" else 1)
        elif sends := run.sends_of(row.pattern, row.ranks):
            pair = 2 if sends.in_pairs else None
            messages = _Counted(sends.all_ranks, sends.busiest_rank, pair)
        else:
            continue
        curve.sort(key=lambda row: row.size_bytes)
        least, most = curve[0], curve[-1]
        one_bytes_per_s = most.size_bytes / most.median_s
        by_curve.append(
            Rates(
                curve=least.curve,
                variant=least.variant,
                origin=least.origin,
                oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in (least, most)),
                least_bytes=least.size_bytes,
                messages_per_s=messages.in_all / least.median_s,
                most_bytes=most.size_bytes,
                bytes_per_s=messages.in_all * one_bytes_per_s,
                rank_bytes_per_s=messages.of_a_rank and messages.of_a_rank * one_bytes_per_s,
                pair_bytes_per_s=messages.of_a_pair and messages.of_a_pair * one_bytes_per_s,
            )
        )
    return tuple(by_curve)
