"""What a run measured, in absolute numbers: one row for each cell under each configuration.

Beside the rows: how the samples of each cell are distributed; and what ranks deliver that send at
once, in messages and bytes a second (windows are counted by their messages, neighbours on a grid
by what each of them sends).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
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
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Configuration, Origin, Run
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
    """In seconds; without an interval where the value was stated once."""
    blocks: int
    """0: the value was stated, once."""
    samples: int
    repetitions: int
    """Of the operation in each batch; 0: there are no batches."""
    algorithm: str
    transport: str
    """What carried the messages between ranks of one host; "unknown" where nothing said so."""
    warnings: tuple[Caveat, ...]
    circumstances: Circumstances
    origin: Origin = Origin.MEASURED
    stated: tuple[float, float] | None = None
    """The interval that came with a stated value, in seconds; no blocks stand behind it."""
    p90: Estimate | None = None
    """In seconds; None: not asked for, or a sample is more than one operation."""
    p99: Estimate | None = None

    @property
    def stated_low_s(self) -> float | None:
        """None: no interval came with the value."""
        return self.stated and self.stated[0]

    @property
    def stated_high_s(self) -> float | None:
        """None: no interval came with the value."""
        return self.stated and self.stated[1]

    @property
    def median_s(self) -> float:
        """The middle over blocks."""
        return self.time.value

    @property
    def low_s(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.time.low

    @property
    def high_s(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.time.high

    @property
    def run_delay_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.run_delay_share

    @property
    def disturbed_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.disturbed_share

    @property
    def handover_ns(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.handover_ns

    @property
    def clock_residual_ns(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.clock_residual_ns

    @property
    def link(self) -> str | None:
        """As Circumstances has it."""
        return self.circumstances.link

    @property
    def link_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.link_share

    @property
    def communication_share(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.communication_share

    @property
    def communication_most(self) -> float | None:
        """As Circumstances has it."""
        return self.circumstances.communication_most

    @property
    def verified(self) -> str | None:
        """As Verified.quantity of its Circumstances, like the next two; None: there is nothing."""
        found = self.circumstances.verified
        return None if found is None else found.quantity

    @property
    def verified_expected(self) -> float | None:
        """As Verified has it."""
        found = self.circumstances.verified
        return None if found is None else found.expected

    @property
    def verified_seen(self) -> float | None:
        """As Verified has it."""
        found = self.circumstances.verified
        return None if found is None else found.seen

    @property
    def key(self) -> tuple[int, int]:
        """That of its configuration."""
        return self.curve.ranks, self.curve.threads


@dataclass(frozen=True, slots=True)
class _Counts:
    """What one cell's time rests on, under one configuration."""

    filled: int
    """Blocks with a time; each stated value fills one."""
    blocks: int
    """Likewise, but none for a single stated value."""
    samples: int
    late: int
    apart: int
    clock_bound: int
    repetitions: int
    """In each batch."""
    seconds: float | None
    """The one stated value; None: it was measured, or stated in several blocks."""
    stated: tuple[float, float] | None
    """The interval that came with the value, in seconds."""


def summarise(
    run: Run,
    medians: BlockMedians,
    log_times: Sequence[Sequence[Estimate]],
    around: CircumstancesByCell,
) -> tuple[Summary, ...]:
    """The rows of a run, by configuration and cell; what wasn't measured has no row.

    `log_times` are medians over the logarithms of block medians.
    """
    numbers: list[list[list[Any]]] = [
        *_numbers(medians),
        _by_cell(run, run.repetitions, 0),
        _by_cell(run, _stated_seconds(run), None),
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


def _stated_seconds(run: Run) -> Mapping[tuple[int, int], float]:
    """Values that stand alone in their cell."""
    found: dict[tuple[int, int], list[float]] = {}
    for table in run.stated:
        for cell, seconds in zip(table.cells, table.seconds, strict=True):
            found.setdefault((table.configuration, cell), []).append(seconds)
    return {place: values[0] for place, values in found.items() if len(values) == 1}


def stated_bounds(run: Run) -> Mapping[tuple[int, int], tuple[float, float]]:
    """The intervals that came with values, in seconds, by (configuration, cell)."""
    return {
        (table.configuration, cell): (low, high)
        for table in run.stated
        for cell, low, high in zip(table.cells, table.low, table.high, strict=False)
    }


def _numbers(medians: BlockMedians) -> Iterator[list[list[int]]]:
    """The fields of _Counts, each a list over configurations of lists over cells."""
    filled = np.asarray(medians.seconds > 0)
    repeated = filled.sum(axis=2, keepdims=True) > 1
    measured = filled & ((medians.samples > 0) | repeated)
    flagged = (medians.late, medians.apart, medians.clock_bound)
    for array in (filled, measured, medians.samples, *flagged):
        yield np.sum(array, axis=2).tolist()


def _by_cell(run: Run, known: Mapping[tuple[int, int], object], other: object) -> list[list[Any]]:
    """The values `known`, and `other` elsewhere, by configuration and cell."""
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
    """`rows`, all those of `run`, with p90 and p99 where each sample is one operation.

    By a bootstrap that `seed` makes repeatable.
    """
    wheres = np.argwhere(np.any(medians.seconds > 0, axis=2)).tolist()
    single = np.all(medians.single, axis=2).tolist()
    return tuple(
        _tailed(row, operation_times(samples, c, k), seed) if row.samples and single[c][k] else row
        for row, (c, k) in zip(rows, wheres, strict=True)
    )


def _tailed(row: Summary, times: Sequence[Floats], seed: int) -> Summary:
    p90, p99 = (bootstrap_quantile(times, quantile, seed) for quantile in (0.90, 0.99))
    return replace(row, p90=p90, p99=p99)


def algorithm(configuration: Configuration, cell: Cell) -> str:
    """Which algorithm the configuration used for the cell's pattern: "native", "binomial" ..."""
    return configuration.algorithms.get(cell.pattern.partition(":")[0], "unknown")


def _warnings(
    configuration: Configuration, counts: _Counts, around: Circumstances, finite: bool
) -> Iterator[Caveat]:
    yield from crowding(around)
    said = not_measured(configuration.origin, repeated=counts.seconds is None)
    if said is not None:
        yield said
    if not finite and said in (None, REPEATED):
        yield too_few_blocks(counts.filled, around.lost)
    if around.spoilt:
        yield disturbed(around)
    if around.notably_outside:
        yield handed_over(around)
    taken = counts.samples + counts.late + counts.apart
    if counts.late > NOTABLE_SHARE * taken:
        cause = f"{counts.late} of {taken} operations had a rank that started late"
        yield CaveatKind.LATE_STARTS.because(cause)
    if counts.apart > NOTABLE_SHARE * taken:
        cause = f"in {counts.apart} of {taken} batches ranks that were to contend ran apart"
        yield CaveatKind.APART.because(cause)
    if around.unsettled_share is not None and around.unsettled_share > NOTABLE_SHARE:
        yield CaveatKind.UNSETTLED.because(
            f"in {100 * around.unsettled_share:.0f} % of the launches that met the cell, times "
            "still changed or pages were still new when warming up had to end"
        )


def gathered(rows: Iterable[Summary]) -> list[Caveat]:
    """The warnings of `rows`, one of each code: the first cell's cause, and how many more."""
    seen: dict[str, list[tuple[Summary, Caveat]]] = {}
    rows = list(rows)
    sized = {row.pattern for row in rows if row.size_bytes}
    for row in rows:
        for caveat in row.warnings:
            seen.setdefault(caveat.code, []).append((row, caveat))
    return [_together(found, sized) for found in seen.values()]


def _together(found: Sequence[tuple[Summary, Caveat]], sized: Collection[str]) -> Caveat:
    """One caveat for the rows it is `found` in; patterns that are `sized` say at which."""
    row, caveat = found[0]
    if len({one.cause for _, one in found}) == 1:
        return replace(caveat, cause=f"{caveat.cause} ({_cells(len(found))})")
    at = f" at {format_size(row.size_bytes)}" * (row.pattern in sized)
    cause = f"{row.variant}, {row.pattern}{at}: {caveat.cause}"
    return replace(caveat, cause=f"{cause}; and {_cells(len(found) - 1, 'more ')}")


def _cells(number: int, more: str = "") -> str:
    return f"{number:,} {more}cell{'s' * (number != 1)}"


SHARES = (0.0, 0.001, 0.01, *(step / 40 for step in range(1, 40)), 0.99, 0.999, 1.0)
"""Of the samples, rising: steps of 2.5 % between the extremes and the outer per cent and mille."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """One cell under one configuration; times are per operation or message."""

    configuration: int
    """Index into Run.configurations."""
    cell: int
    """Index into Run.cells."""
    samples: int
    quantiles_s: tuple[float, ...]
    """At SHARES, in seconds; of a batch of several operations their mean is one sample."""
    blocks_s: tuple[float, ...]
    """The median of each block, in seconds and in the blocks' order."""


def distributions_of(samples: Samples, medians: Floats) -> tuple[Distribution, ...]:
    """Those of all cells with samples, by configuration and cell; a stated value has none.

    `medians` are those of blocks in seconds, shape (configurations, cells, blocks).
    """
    return tuple(
        Distribution(
            configuration=configuration,
            cell=cell,
            samples=seconds.size,
            quantiles_s=tuple(np.quantile(seconds, SHARES).tolist()),
            blocks_s=tuple(one for one in medians[configuration, cell].tolist() if one > 0),
        )
        for (configuration, cell), seconds in _samples_by_cell(samples)
    )


def _samples_by_cell(samples: Samples) -> Iterator[tuple[tuple[int, int], Floats]]:
    """(configuration, cell) and its counted samples in seconds, for each that has any."""
    configurations, cells = samples.configuration, samples.cell
    changes = (configurations[1:] != configurations[:-1]) | (cells[1:] != cells[:-1])
    groups = [0, *(np.flatnonzero(changes) + 1).tolist(), cells.size]
    ends = np.append(0, np.cumsum(samples.counted_numbers))
    for first, last in pairwise(groups):
        seconds = samples.counted_seconds[ends[first] : ends[last]]
        if seconds.size:
            yield (int(configurations[first]), int(cells[first])), seconds


@dataclass(frozen=True, slots=True)
class Rates(OnCurve, Labelled):
    """What one configuration delivers in one pattern, all ranks together."""

    curve: CurveKey
    variant: str
    origin: Origin
    oversubscribed: bool
    """At one of the two sizes, and no link was the limit."""
    least_bytes: int
    """The smallest size."""
    messages_per_s: float
    """At it."""
    most_bytes: int
    """The largest size."""
    bytes_per_s: float
    """At it."""
    rank_bytes_per_s: float | None
    """Of these what the rank sends that sends most; None: of windows."""
    pair_bytes_per_s: float | None
    """What two ranks exchange, both ways; None: they aren't in pairs."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many messages there are in a sample's time."""

    in_all: int
    of_a_rank: int | None = None
    of_a_pair: int | None = None


def rates(run: Run, rows: Sequence[Summary]) -> tuple[Rates, ...]:
    """Those of all rows of patterns that send windows, or on a grid, in the order of the rows."""
    windows = {cell.pattern: run.windows_of(cell) for cell in run.cells}
    counted = {_curve(row): _counted(run, row, windows[row.pattern]) for row in rows}
    found = [row for row in rows if counted[_curve(row)]]
    order = {key: place for place, key in enumerate(dict.fromkeys(map(_curve, found)))}
    found.sort(key=lambda row: (order[_curve(row)], row.size_bytes))
    return tuple(
        _rates(list(group), one) for key, group in groupby(found, _curve) if (one := counted[key])
    )


def _curve(row: Summary) -> tuple[CurveKey, str]:
    return row.curve, row.label


def _counted(run: Run, row: Summary, windows: str) -> _Counted | None:
    """A window for each "pair" of ranks, or "one" in all; or what neighbours send."""
    if windows != "none":
        return _Counted(row.ranks // 2 if windows == "pair" else 1)
    if sends := run.sends_of(row.pattern, row.ranks):
        return _Counted(sends.all_ranks, sends.busiest_rank, 2 if sends.in_pairs else None)
    return None


def _rates(rows: Sequence[Summary], counted: _Counted) -> Rates:
    """Of one curve, by size."""
    least, most = rows[0], rows[-1]
    one_bytes_per_s = most.size_bytes / most.median_s
    return Rates(
        curve=least.curve,
        variant=least.variant,
        origin=least.origin,
        oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in (least, most)),
        least_bytes=least.size_bytes,
        messages_per_s=counted.in_all / least.median_s,
        most_bytes=most.size_bytes,
        bytes_per_s=counted.in_all * one_bytes_per_s,
        rank_bytes_per_s=counted.of_a_rank and counted.of_a_rank * one_bytes_per_s,
        pair_bytes_per_s=counted.of_a_pair and counted.of_a_pair * one_bytes_per_s,
    )
