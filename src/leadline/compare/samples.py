"""From raw batches to samples: the only place where ranks are reduced.

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

from leadline.compare.handovers import Handovers, handovers_of
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
    waited: Floats
    """Of each group, the largest share of the time watched for which a rank was ready and had no
    core; 0 where nobody says."""
    handovers: Handovers
    """Of each group, and which state of the cores the run's times are of."""
    used: npt.NDArray[np.bool_]
    """Whether each group counts: of several attempts of one visit one does, of those in the other
    state of the cores none."""

    def each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What belongs to each group, for each sample."""
        return np.repeat(values, self.numbers)

    def per_group(self, chosen: npt.NDArray[np.bool_]) -> Counts:
        """How many samples of each group are `chosen`."""
        return some_of(self.numbers, chosen)

    @cached_property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Which samples take part in estimates: of attempts used, those without a LEFT_OUT flag."""
        return np.asarray(((self.flags & int(LEFT_OUT)) == 0) & self.each(self.used))

    @cached_property
    def counted_seconds(self) -> Floats:
        """Of these the times."""
        return self.seconds[self.counted]

    @cached_property
    def counted_numbers(self) -> Counts:
        """How many of them each group has."""
        return self.per_group(self.counted)


def some_of(numbers: Counts, chosen: npt.NDArray[np.bool_]) -> Counts:
    """How many of each group of samples are `chosen`; groups have `numbers` of them, at least 1."""
    if numbers.size == 0:
        return np.zeros(0, np.int64)
    found = np.add.reduceat(chosen.view(np.uint8), np.cumsum(numbers) - numbers, dtype=np.uint32)
    return found.astype(np.int64)


def reduce_ranks(run: Run) -> Samples:
    """The time of each batch: the slowest rank's or the lowest rank's, as its cell says.

    A rank's time is its end minus its start; in the isolated cadence the start is the common
    deadline, so the slowest rank's time is the last end minus the deadline. No batch: no sample.
    """
    found = operations_of(run.batches)
    by_root = np.array([cell.whose_time is WhoseTime.ROOT for cell in run.cells], np.bool_)
    messages = np.array([cell.messages_per_repetition for cell in run.cells], np.float64)
    divisors = found.repetitions * messages[found.cell]
    waited = waited_of(run, found)
    size = int(found.numbers.sum())
    seconds, flags = np.empty(size), np.empty(size, np.uint8)
    for groups, samples in _portions(found.numbers):
        time_ns, flags[samples] = _over_ranks(run.batches, found, groups, ~by_root[found.cell])
        seconds[samples] = time_ns * 1e-9 / np.repeat(divisors[groups], found.numbers[groups])
    counts = some_of(found.numbers, (flags & int(LEFT_OUT)) == 0) > 0
    handovers = handovers_of(run, found, counts)
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
        waited=waited,
        handovers=handovers,
        used=used_attempts(found, np.where(counts, waited, np.inf), handovers.outside),
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


def summed(place: tuple[Int32, ...], values: npt.NDArray[Any], shape: tuple[int, ...]) -> Floats:
    """The sum of groups' `values` at each place of `shape`."""
    group = np.ravel_multi_index(place, shape)
    sums = np.bincount(group, values.astype(np.float64), int(np.prod(shape)))
    return np.asarray(sums, np.float64).reshape(shape)


def block_means(run: Run, samples: Samples) -> Floats:
    """The mean time of each configuration, cell and block, every operation counting the same.

    Seconds, shape as in BlockMedians; nan where there is none.
    """
    shape = (len(run.configurations), len(run.cells), blocks_of(samples, run))
    place = (samples.configuration, samples.cell, samples.block)
    number = summed(place, samples.repetitions * samples.counted_numbers, shape)
    total = summed(place, samples.repetitions * _sums(samples), shape)
    return np.where(number > 0, total / np.where(number > 0, number, 1), np.nan)


def _sums(samples: Samples) -> Floats:
    """The counted samples of each group, summed."""
    counted = np.where(samples.counted, samples.seconds, 0)
    starts = np.cumsum(samples.numbers) - samples.numbers
    if starts.size == 0:
        return np.zeros(0)
    sums: Floats = np.add.reduceat(counted, starts)
    return sums


def blocks_of(samples: Samples, run: Run) -> int:
    """The blocks of `run`, those that stated values stand in among them."""
    stated = max((table.block for table in run.stated), default=-1)
    return max(int(samples.block.max(initial=-1)), stated) + 1


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


def waited_of(run: Run, groups: Operations) -> Floats:
    """Of each of `groups`, the largest share of its time for which a rank waited for a core.

    Shape (groups,); 0 where the run doesn't say.
    """
    if run.strips is None or run.conditions is None:
        return np.zeros(groups.numbers.size)
    return largest_of_ranks(run.strips, run_delay_shares(run.conditions), groups)


def run_delay_shares(found: StripConditions | Disturbance) -> Floats:
    """Of each strip, or each rank, the share of its window; 0 where it isn't known."""
    said = (found.run_delay_ns >= 0) & (found.window_ns > 0)
    shares: Floats = np.divide(
        found.run_delay_ns, found.window_ns, out=np.zeros(said.shape), where=said
    )
    return shares


def used_attempts(
    groups: Operations, waited: Floats, outside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Which of `groups` count: of each visit the attempt that waited least, of equals the first.

    Not those `outside` the run's state. `waited` is infinite where all batches are flagged: that
    attempt has nothing to count.
    """
    if not groups.numbers.size:
        return np.zeros(0, np.bool_)
    place = slice_of(groups)
    attempts = np.full(extents(place), np.inf)
    np.minimum.at(attempts, place, np.where(outside, np.inf, waited))
    first = np.argmin(attempts, axis=-1)[place[:-1]] == groups.attempt
    return np.asarray(first & ~outside)
