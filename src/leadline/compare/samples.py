"""From raw batches to block medians: the only place where ranks and batches are reduced.

An imported value takes the place of its cell's first block median, resting on no samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.compare.operations import RankRows, operations_of
from leadline.record.run import Batches, BatchFlag, Int32, Run, WhoseTime
from leadline.statistics.intervals import Floats

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Samples:
    """One time for each batch, reduced over ranks; columns of equal length, shape (n,).

    By configuration, cell, block, visit and number of the batch.
    """

    configuration: Int32
    cell: Int32
    block: Int32
    visit: Int32
    repetitions: Int32
    seconds: Floats
    """Per operation or message, as the cell defines it."""
    flags: Int32
    """What any rank flagged."""

    @property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Which samples take part in estimates: neither warm-up nor started late."""
        return np.asarray((self.flags & (BatchFlag.WARM_UP | BatchFlag.LATE)) == 0)


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
    batches = run.batches
    found = operations_of(batches)

    def repeated(values: npt.NDArray[Any]) -> Any:
        return np.repeat(values, found.numbers)

    cells = batches.cell[found.slices]
    repetitions = batches.repetitions[found.slices]
    by_root = np.array([cell.whose_time is WhoseTime.ROOT for cell in run.cells], np.bool_)
    messages = np.array([cell.messages_per_repetition for cell in run.cells], np.float64)
    time_ns, flags = _over_ranks(batches, found.ranks, repeated(~by_root[cells]))
    return Samples(
        configuration=repeated(batches.configuration[found.slices]),
        cell=repeated(cells),
        block=repeated(batches.block[found.slices]),
        visit=repeated(batches.visit[found.slices]),
        repetitions=repeated(repetitions),
        seconds=time_ns * 1e-9 / repeated(repetitions * messages[cells]),
        flags=flags,
    )


def _over_ranks(
    batches: Batches, ranks: Sequence[RankRows], slowest: npt.NDArray[np.bool_]
) -> tuple[Counts, Int32]:
    """The time of each operation and what any rank flagged.

    The lowest rank's time, or the longest where it is to be the `slowest`.
    """
    elapsed_ns = batches.end_ns - batches.start_ns
    time_ns, flags = elapsed_ns[ranks[0].rows], batches.flags[ranks[0].rows]
    for which, rows in ((one.operations, one.rows) for one in ranks[1:]):
        longest = time_ns[which]
        np.maximum(longest, elapsed_ns[rows], out=longest, where=slowest[which])
        time_ns[which] = longest
        flags[which] |= batches.flags[rows]
    return time_ns, flags


def block_medians(run: Run, samples: Samples) -> BlockMedians:
    """The median time of each configuration, cell and block, and what it rests on."""
    shape = (len(run.configurations), len(run.cells), _blocks(run))
    group = np.ravel_multi_index((samples.configuration, samples.cell, samples.block), shape)
    size = int(np.prod(shape))
    counted = samples.counted

    def count(chosen: npt.NDArray[np.bool_]) -> Counts:
        return np.bincount(group[chosen], minlength=size).reshape(shape)

    late = (samples.flags & (BatchFlag.WARM_UP | BatchFlag.LATE)) == BatchFlag.LATE
    seconds = _grouped_medians(group[counted], samples.seconds[counted], size).reshape(shape)
    _put_imported(run, seconds[:, :, :1, np.newaxis])
    return BlockMedians(
        seconds=seconds,
        samples=count(counted),
        late=count(late),
        clock_bound=count(counted & ((samples.flags & BatchFlag.CLOCK_BOUND) != 0)),
        single=count(counted & (samples.repetitions != 1)) == 0,
    )


def block_means(run: Run, samples: Samples) -> Floats:
    """The mean time of each configuration, cell and block, every operation counting the same.

    Seconds, shape as in BlockMedians; nan where there is none.
    """
    shape = (len(run.configurations), len(run.cells), _blocks(run))
    group = np.ravel_multi_index((samples.configuration, samples.cell, samples.block), shape)
    size = int(np.prod(shape))
    repetitions = np.where(samples.counted, samples.repetitions, 0)
    total = np.bincount(group, repetitions * samples.seconds, size)
    number = np.bincount(group, repetitions, size)
    means = np.full(size, np.nan)
    means[number > 0] = total[number > 0] / number[number > 0]
    return means.reshape(shape)


def visit_medians(run: Run, samples: Samples) -> Floats:
    """The median time of each visit, shape (configurations, cells, blocks, visits).

    Seconds; nan where there is none. Visits of one number to one cell follow each other closely
    under all configurations, so that their ratio is free of the machine's slower moods.
    """
    visits = max(int(run.batches.visit.max(initial=-1)) + 1, len(run.imported[:1]))
    shape = (len(run.configurations), len(run.cells), _blocks(run), visits)
    place = (samples.configuration, samples.cell, samples.block, samples.visit)
    group = np.ravel_multi_index(place, shape)
    counted = samples.counted
    medians = _grouped_medians(group[counted], samples.seconds[counted], int(np.prod(shape)))
    seconds = medians.reshape(shape)
    _put_imported(run, seconds[:, :, :1, :1])
    return seconds


def _blocks(run: Run) -> int:
    """The blocks of `run`; imported values need one to stand in."""
    return max(int(run.batches.block.max(initial=-1)) + 1, len(run.imported[:1]))


def _put_imported(run: Run, seconds: Floats) -> None:
    """Puts the imported values into `seconds`, shape (configurations, cells, 1, 1)."""
    for table in run.imported:
        seconds[table.configuration, list(table.cells), 0, 0] = table.seconds


def _grouped_medians(group: Counts, values: Floats, groups: int) -> Floats:
    """The median of the values of each group 0 .. groups - 1, nan for an empty one.

    `group` rises, as samples are in order; groups of one length are taken together.
    """
    number = np.bincount(group, minlength=groups)
    starts = np.cumsum(number) - number
    medians = np.full(groups, np.nan)
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
    chosen = (samples.configuration == configuration) & (samples.cell == cell) & samples.counted
    seconds, blocks = samples.seconds[chosen], samples.block[chosen]
    return tuple(seconds[blocks == block] for block in np.unique(blocks))
