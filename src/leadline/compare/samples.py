"""From raw batches to block medians: the only place where ranks and batches are reduced.

A stated value takes the place of its cell's first block median, resting on no samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import Operations, operations_of
from leadline.record.run import Run, WhoseTime
from leadline.record.slices import LEFT_OUT, Batches, BatchFlag, Counts, Int32
from leadline.statistics.intervals import Floats

PORTION = 2**18
"""Samples that are reduced at a time."""


@dataclass(frozen=True)
class Samples:
    """One time for each operation or batch, reduced over ranks, in groups of one slice.

    Groups are in the order of configuration, cell, block, visit and attempt, samples in that of
    groups.
    """

    configuration: Int32
    """Of each group, shape (groups,)."""
    cell: Int32
    block: Int32
    visit: Int32
    attempt: Int32
    repetitions: Int32
    numbers: Counts
    """Samples of each group, at least one."""
    seconds: Floats
    """Per operation or message, as the cell defines it; shape (n,)."""
    flags: npt.NDArray[np.uint8]
    """What any rank flagged, BatchFlag's bits; shape (n,)."""

    def each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What belongs to each group, for each sample."""
        return np.repeat(values, self.numbers)

    def per_group(self, chosen: npt.NDArray[np.bool_]) -> Counts:
        """How many samples of each group are `chosen`."""
        if self.numbers.size == 0:
            return np.zeros(0, np.int64)
        starts = np.cumsum(self.numbers) - self.numbers
        found = np.add.reduceat(chosen.view(np.uint8), starts, dtype=np.uint32)
        return found.astype(np.int64)

    @cached_property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Which samples take part in estimates: those without a flag of LEFT_OUT."""
        return np.asarray((self.flags & int(LEFT_OUT)) == 0)

    @cached_property
    def counted_seconds(self) -> Floats:
        """Of these the times."""
        return self.seconds[self.counted]

    @cached_property
    def counted_numbers(self) -> Counts:
        """How many of them each group has."""
        return self.per_group(self.counted)


@dataclass(frozen=True, slots=True)
class BlockMedians:
    """Arrays of shape (configurations, cells, blocks) over the indices of the run."""

    seconds: Floats
    """Median over the samples of a block; nan where there are none."""
    samples: Counts
    """Counted in the median."""
    late: Counts
    """Left out because a rank started late."""
    clock_bound: Counts
    """Counted, though reading the clock took a notable part of the batch."""
    single: npt.NDArray[np.bool_]
    """Whether every sample counted is one operation, so that quantiles of samples are tails."""


def reduce_ranks(run: Run) -> Samples:
    """The time of each batch: the slowest rank's or the lowest rank's, as its cell says.

    A rank's time is its end minus its start; in the isolated cadence the start is the common
    deadline, so the slowest rank's time is the last end minus the deadline. No batch: no sample.
    """
    found = operations_of(run.batches)
    by_root = np.array([cell.whose_time is WhoseTime.ROOT for cell in run.cells], np.bool_)
    messages = np.array([cell.messages_per_repetition for cell in run.cells], np.float64)
    divisors = found.repetitions * messages[found.cell]
    size = int(found.numbers.sum())
    seconds, flags = np.empty(size), np.empty(size, np.uint8)
    for groups, samples in _portions(found.numbers):
        time_ns, flags[samples] = _over_ranks(run.batches, found, groups, ~by_root[found.cell])
        seconds[samples] = time_ns * 1e-9 / np.repeat(divisors[groups], found.numbers[groups])
    return Samples(
        configuration=found.configuration,
        cell=found.cell,
        block=found.block,
        visit=found.visit,
        attempt=found.attempt,
        repetitions=found.repetitions,
        numbers=found.numbers,
        seconds=seconds,
        flags=flags,
    )


def _portions(numbers: Counts) -> Iterator[tuple[slice, slice]]:
    """Groups, and their samples, of about PORTION samples: what fits a cache is not paged in."""
    ends = np.cumsum(numbers)
    groups = np.searchsorted(ends, np.arange(PORTION, ends[-1:].sum() + PORTION, PORTION))
    bounds = [0, *np.unique(np.minimum(groups + 1, numbers.size)).tolist()]
    for first, last in pairwise(bounds):
        yield slice(first, last), slice(int(ends[first] - numbers[first]), int(ends[last - 1]))


def _over_ranks(
    batches: Batches, found: Operations, groups: slice, slowest: npt.NDArray[np.bool_]
) -> tuple[Counts, Int32]:
    """The time of each operation of `groups`, in nanoseconds, and what any rank flagged.

    The lowest rank's time, or the longest where it is to be the `slowest`, by group.
    """
    numbers = found.numbers[groups]
    rows = _rows(found.first[0, groups], numbers)
    time_ns, flags = batches.elapsed_ns[rows], batches.flags[rows]
    for first in found.first[1:, groups]:
        has = first >= 0
        which, rows = np.repeat(has, numbers), _rows(first[has], numbers[has])
        flags[which] |= batches.flags[rows]
        longest = np.maximum(time_ns[which], batches.elapsed_ns[rows])
        counts = np.repeat(slowest[groups][has], numbers[has])
        time_ns[which] = np.where(counts, longest, time_ns[which])
    return time_ns, flags


def _rows(first: Counts, lengths: Counts) -> Counts:
    """The numbers first, first + 1, ... of each run of a length, one run after the other."""
    rows: Counts = np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    rows += np.arange(rows.size)
    return rows


def block_medians(run: Run, samples: Samples) -> BlockMedians:
    """The median time of each configuration, cell and block, and what it rests on."""
    shape = (len(run.configurations), len(run.cells), _blocks(samples, run))
    place = (samples.configuration, samples.cell, samples.block)

    def count(numbers: Counts) -> Counts:
        return _summed(place, numbers, shape).astype(np.int64)

    late = (samples.flags & int(BatchFlag.WARM_UP | BatchFlag.LATE)) == int(BatchFlag.LATE)
    clock_bound = samples.counted & ((samples.flags & int(BatchFlag.CLOCK_BOUND)) != 0)
    number = count(samples.counted_numbers)
    seconds = _grouped_medians(number.ravel(), samples.counted_seconds).reshape(shape)
    _put_stated(run, seconds[:, :, :1, np.newaxis])
    return BlockMedians(
        seconds=seconds,
        samples=number,
        late=count(samples.per_group(late)),
        clock_bound=count(samples.per_group(clock_bound)),
        single=count(np.where(samples.repetitions != 1, samples.counted_numbers, 0)) == 0,
    )


def _summed(place: tuple[Int32, ...], values: npt.NDArray[Any], shape: tuple[int, ...]) -> Floats:
    """The sum of groups' `values` at each place of `shape`."""
    group = np.ravel_multi_index(place, shape)
    sums = np.bincount(group, values.astype(np.float64), int(np.prod(shape)))
    return np.asarray(sums, np.float64).reshape(shape)


def block_means(run: Run, samples: Samples) -> Floats:
    """The mean time of each configuration, cell and block, every operation counting the same.

    Seconds, shape as in BlockMedians; nan where there is none.
    """
    shape = (len(run.configurations), len(run.cells), _blocks(samples, run))
    place = (samples.configuration, samples.cell, samples.block)
    number = _summed(place, samples.repetitions * samples.counted_numbers, shape)
    total = _summed(place, samples.repetitions * _sums(samples), shape)
    return np.where(number > 0, total / np.where(number > 0, number, 1), np.nan)


def _sums(samples: Samples) -> Floats:
    """The counted samples of each group, summed."""
    counted = np.where(samples.counted, samples.seconds, 0)
    starts = np.cumsum(samples.numbers) - samples.numbers
    if starts.size == 0:
        return np.zeros(0)
    sums: Floats = np.add.reduceat(counted, starts)
    return sums


def visit_medians(run: Run, samples: Samples) -> Floats:
    """The median time of each visit, shape (configurations, cells, blocks, visits).

    Seconds; nan where there is none. Visits of one number to one cell follow each other closely
    under all configurations, so that their ratio is free of the machine's slower moods.
    """
    visits = max(int(samples.visit.max(initial=-1)) + 1, len(run.stated[:1]))
    shape = (len(run.configurations), len(run.cells), _blocks(samples, run), visits)
    place = (samples.configuration, samples.cell, samples.block, samples.visit)
    number = _summed(place, samples.counted_numbers, shape).astype(np.int64)
    seconds = _grouped_medians(number.ravel(), samples.counted_seconds).reshape(shape)
    _put_stated(run, seconds[:, :, :1, :1])
    return seconds


def _blocks(samples: Samples, run: Run) -> int:
    """The blocks of `run`; stated values need one to stand in."""
    return max(int(samples.block.max(initial=-1)) + 1, len(run.stated[:1]))


def _put_stated(run: Run, seconds: Floats) -> None:
    """Puts the stated values into `seconds`, shape (configurations, cells, 1, 1)."""
    for table in run.stated:
        seconds[table.configuration, list(table.cells), 0, 0] = table.seconds


def _grouped_medians(number: Counts, values: Floats) -> Floats:
    """The median of each group of `values`, which follow each other; nan for an empty one.

    `number` says how many each has; groups of one length are taken together.
    """
    starts = np.cumsum(number) - number
    medians = np.full(number.size, np.nan)
    for length in set(number.tolist()) - {0}:
        mine = np.flatnonzero(number == length)
        middle = (length - 1) // 2, length // 2
        rows = np.partition(values[starts[mine, None] + np.arange(length)], middle, axis=1)
        medians[mine] = (rows[:, middle[0]] + rows[:, middle[1]]) / 2
    return medians


def operation_times(samples: Samples, configuration: int, cell: int) -> tuple[Floats, ...]:
    """The counted samples of one cell under one configuration, in seconds, one array per block.

    For quantiles; blocks without samples are left out.
    """
    ends = np.cumsum(samples.counted_numbers)
    groups = np.flatnonzero((samples.configuration == configuration) & (samples.cell == cell))
    times: dict[int, list[Floats]] = {}
    for group in groups.tolist():
        first, end = int(ends[group] - samples.counted_numbers[group]), int(ends[group])
        if end > first:
            times.setdefault(int(samples.block[group]), []).append(
                samples.counted_seconds[first:end]
            )
    return tuple(np.concatenate(parts) for parts in times.values())
