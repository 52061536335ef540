"""Reduction of raw batches to samples: the only place where ranks are reduced.

A slice that was disturbed, or not in the run's state, is taken again in the same visit; which
attempt counts is decided by the cause, the time for which ranks waited for a core, never by what
was measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.compare.core_latencies import CoreLatencies, core_latencies_of
from leadline.compare.operations import (
    Operations,
    extents,
    largest_of_ranks,
    operations_of,
    slice_of,
)
from leadline.record.run import Run, WhoseTime
from leadline.record.slices import LEFT_OUT, Batches, Counts, Disturbance, Int32, StripConditions
from leadline.statistics.intervals import Floats

PORTION = 2**18
"""Number of samples that are reduced at a time."""


@dataclass(frozen=True)
class Samples:
    """One time for each operation or batch, reduced over ranks, in groups of one slice.

    Groups are in the order of configuration, cell, block, visit and attempt, samples in that of
    groups.
    """

    configuration: Int32
    """Configuration of each group, shape (groups,)."""
    cell: Int32
    block: Int32
    visit: Int32
    attempt: Int32
    repetitions: Int32
    numbers: Counts
    """Number of samples of each group, at least one."""
    seconds: Floats
    """Time per operation or message, as the cell defines it; shape (n,)."""
    flags: npt.NDArray[np.uint8]
    """Flags of any rank, BatchFlag's bits; shape (n,)."""
    waited: Floats
    """Largest share of the time watched for which a rank was ready and had no core, for each group;
    0 where that isn't known."""
    core_latencies: CoreLatencies
    """Core-to-core latencies of the groups, and the state of the cores that the run's times are
    of."""
    used: npt.NDArray[np.bool_]
    """Whether each group counts: of several attempts of one visit one does, of those in the other
    state of the cores none."""

    def each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Repeat the values of groups for each of their samples."""
        return np.repeat(values, self.numbers)

    def per_group(self, chosen: npt.NDArray[np.bool_]) -> Counts:
        """Number of `chosen` samples in each group."""
        return some_of(self.numbers, chosen)

    @cached_property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Mask of samples that are part of estimates: of attempts used, without a LEFT_OUT flag."""
        return np.asarray(((self.flags & int(LEFT_OUT)) == 0) & self.each(self.used))

    @cached_property
    def counted_seconds(self) -> Floats:
        """Times of the counted samples, in s."""
        return self.seconds[self.counted]

    @cached_property
    def counted_numbers(self) -> Counts:
        """Number of counted samples of each group."""
        return self.per_group(self.counted)


def some_of(numbers: Counts, chosen: npt.NDArray[np.bool_]) -> Counts:
    """Number of `chosen` samples in each group; groups have `numbers` of them, at least 1."""
    if numbers.size == 0:
        return np.zeros(0, np.int64)
    starts = np.cumsum(numbers) - numbers
    return np.add.reduceat(chosen.view(np.uint8), starts, dtype=np.uint32).astype(np.int64)


def reduce_ranks(run: Run) -> Samples:
    """Reduce each batch to one time: the slowest rank's or the lowest rank's, as its cell defines.

    A rank's time is its end minus its start; in the isolated cadence the start is the common
    deadline, so the slowest rank's time is the last end minus the deadline. No batch: no sample.
    """
    operations = operations_of(run.batches)
    numbers = operations.numbers
    by_root = np.array([cell.whose_time is WhoseTime.ROOT for cell in run.cells], np.bool_)
    slowest = ~by_root[operations.cell]
    messages = np.array([cell.messages_per_repetition for cell in run.cells], np.float64)
    divisors = operations.repetitions * messages[operations.cell]
    waited = waited_of(run, operations)
    size = int(numbers.sum())
    seconds, flags = np.empty(size), np.empty(size, np.uint8)
    for groups, samples in _portions(numbers):
        time_ns, flags[samples] = _over_ranks(run.batches, operations, groups, slowest)
        seconds[samples] = time_ns * 1e-9 / np.repeat(divisors[groups], numbers[groups])
    counts = some_of(numbers, (flags & int(LEFT_OUT)) == 0) > 0
    core_latencies = core_latencies_of(run, operations, counts)
    return Samples(
        configuration=operations.configuration,
        cell=operations.cell,
        block=operations.block,
        visit=operations.visit,
        attempt=operations.attempt,
        repetitions=operations.repetitions,
        numbers=numbers,
        seconds=seconds,
        flags=flags,
        waited=waited,
        core_latencies=core_latencies,
        used=used_attempts(operations, np.where(counts, waited, np.inf), core_latencies.outside),
    )


def _portions(numbers: Counts) -> Iterator[tuple[slice, slice]]:
    """Groups, and their samples, of about PORTION samples: what fits a cache isn't paged in."""
    ends = np.cumsum(numbers)
    groups = np.searchsorted(ends, np.arange(PORTION, ends[-1:].sum() + PORTION, PORTION))
    bounds = [0, *np.unique(np.minimum(groups + 1, numbers.size)).tolist()]
    for first, last in pairwise(bounds):
        yield slice(first, last), slice(int(ends[first] - numbers[first]), int(ends[last - 1]))


def _over_ranks(
    batches: Batches, operations: Operations, groups: slice, slowest: npt.NDArray[np.bool_]
) -> tuple[Counts, Int32]:
    """Time of each operation of `groups`, in ns, and the flags of any rank.

    `slowest`, by group: the longest time instead of the lowest rank's.
    """
    numbers = operations.numbers[groups]
    rows = _rows(operations.first[0, groups], numbers)
    time_ns, flags = batches.elapsed_ns[rows], batches.flags[rows]
    for first in operations.first[1:, groups]:
        has = first >= 0
        which, rows = np.repeat(has, numbers), _rows(first[has], numbers[has])
        flags[which] |= batches.flags[rows]
        longest = np.maximum(time_ns[which], batches.elapsed_ns[rows])
        counts = np.repeat(slowest[groups][has], numbers[has])
        time_ns[which] = np.where(counts, longest, time_ns[which])
    return time_ns, flags


def _rows(first: Counts, lengths: Counts) -> Counts:
    """Numbers first, first + 1, ... of each run of a length, one run after the other."""
    rows: Counts = np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    rows += np.arange(rows.size)
    return rows


def summed(place: tuple[Int32, ...], values: npt.NDArray[Any], shape: tuple[int, ...]) -> Floats:
    """Sum of groups' `values` at each place of `shape`."""
    group = np.ravel_multi_index(place, shape)
    sums = np.bincount(group, values.astype(np.float64), int(np.prod(shape)))
    return np.asarray(sums, np.float64).reshape(shape)


def block_means(run: Run, samples: Samples) -> Floats:
    """Mean time of each configuration, cell and block, every operation counting the same.

    In s, shape as in BlockMedians; nan where there is none.
    """
    shape = (len(run.configurations), len(run.cells), blocks_of(samples, run))
    place = (samples.configuration, samples.cell, samples.block)
    counted = np.where(samples.counted, samples.seconds, 0)
    starts = np.cumsum(samples.numbers) - samples.numbers
    sums = np.add.reduceat(counted, starts) if starts.size else np.zeros(0)
    number = summed(place, samples.repetitions * samples.counted_numbers, shape)
    total = summed(place, samples.repetitions * sums, shape)
    return np.where(number > 0, total / np.where(number > 0, number, 1), np.nan)


def blocks_of(samples: Samples, run: Run) -> int:
    """Number of blocks of `run`, including those of stated values."""
    stated = max((table.block for table in run.stated), default=-1)
    return max(int(samples.block.max(initial=-1)), stated) + 1


def operation_times(samples: Samples, configuration: int, cell: int) -> tuple[Floats, ...]:
    """Counted samples of one cell under one configuration, in s, one array per block.

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


def waited_of(run: Run, groups: Operations) -> Floats:
    """Largest share of its time for which a rank waited for a core, for each of `groups`.

    Shape (groups,); 0 where it isn't known.
    """
    if run.strips is None or run.conditions is None:
        return np.zeros(groups.numbers.size)
    return largest_of_ranks(run.strips, run_delay_shares(run.conditions), groups)


def run_delay_shares(recorded: StripConditions | Disturbance) -> Floats:
    """Share of its window that each strip, or each rank, waited for a core; 0: not known."""
    known = (recorded.run_delay_ns >= 0) & (recorded.window_ns > 0)
    shares: Floats = np.divide(
        recorded.run_delay_ns, recorded.window_ns, out=np.zeros(known.shape), where=known
    )
    return shares


def used_attempts(
    groups: Operations, waited: Floats, outside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Mask of `groups` that count: of each visit the attempt that waited least.

    Never those `outside` the run's state. `waited` is infinite where all batches are flagged: that
    attempt has nothing to count. The first of several that waited equally counts.
    """
    if not groups.numbers.size:
        return np.zeros(0, np.bool_)
    place = slice_of(groups)
    attempts = np.full(extents(place), np.inf)
    np.minimum.at(attempts, place, np.where(outside, np.inf, waited))
    first = np.argmin(attempts, axis=-1)[place[:-1]] == groups.attempt
    return np.asarray(first & ~outside)
