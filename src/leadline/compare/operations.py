"""Rows of the batches that are one operation: the same batch on all of its ranks.

Batches arrive slice by slice, rank by rank and in the order of their numbers. Where they do, the
operations are found without sorting every row; any other order is sorted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.record.batches import StripedBatches
from leadline.record.quantities import UNKNOWN
from leadline.record.slices import Batches, Int32, Strips
from leadline.statistics.intervals import Floats

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Operations:
    """Groups of operations by configuration, cell, block, visit, attempt and batch number."""

    configuration: Int32
    """Configuration of each group of operations that share all but the number, shape (groups,)."""
    cell: Int32
    block: Int32
    visit: Int32
    attempt: Int32
    repetitions: Int32
    numbers: Places
    """Number of operations of each group, at least one."""
    first: Places
    """Row of the batches with which each rank's operations begin, by rising rank, and -1 where a
    group has fewer ranks; shape (ranks, groups). As many rows follow as the group has
    operations."""


def operations_of(batches: Batches) -> Operations:
    """Operations of `batches` in any order."""
    strips = strips_of(batches)
    operations = None if strips is None else operations_of_strips(strips)
    return operations or sorted_operations(batches)


def strips_of(batches: Batches) -> Strips | None:
    """Strips: what each rank recorded in each slice; None: rows aren't as slices recorded them."""
    if isinstance(batches, StripedBatches):
        return batches.strips
    # where a slice has the slowest ranks' batches alone, its rows are of no rank
    whose = batches.rank
    if batches.spread is not None:
        unknown = batches.spread.shortest_ns == UNKNOWN
        whose = np.where(unknown, batches.rank, np.int32(UNKNOWN))
    # rows with which another slice or rank begins
    begins = np.zeros(batches.rank.size, np.bool_)
    begins[:1] = True
    for column in (*slice_of(batches), whose, batches.repetitions):
        begins[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(begins)
    counting = (batches.batch[1:] - batches.batch[:-1] == 1) | begins[1:]
    if np.any(batches.batch[first]) or not counting.all():
        return None
    return Strips(
        configuration=batches.configuration[first],
        cell=batches.cell[first],
        block=batches.block[first],
        visit=batches.visit[first],
        attempt=batches.attempt[first],
        launch=batches.launch[first],
        rank=batches.rank[first],
        repetitions=batches.repetitions[first],
        first=first,
        length=np.diff(first, append=batches.rank.size),
    )


def operations_of_strips(strips: Strips) -> Operations | None:
    """Operations of strips; None where a slice's differ in length, or a slice occurs twice."""
    slices = _joined(slice_of(strips))
    order = np.lexsort((strips.rank, slices))
    order = order[strips.length[order] > 0]
    slices, ranks, lengths = slices[order], strips.rank[order], strips.length[order]
    same = slices[1:] == slices[:-1]
    if np.any(same & ((lengths[1:] != lengths[:-1]) | (ranks[1:] == ranks[:-1]))):
        return None
    lowest = np.flatnonzero(np.append(True, ~same)[: order.size])
    firsts = _by_rank(strips.first[order], lowest)
    return _operations(strips, order[lowest], lengths[lowest], firsts)


def _operations(of: Batches | Strips, chosen: Places, numbers: Places, first: Places) -> Operations:
    """Operations whose groups are those of the rows, or strips, `chosen`."""
    return Operations(
        configuration=of.configuration[chosen],
        cell=of.cell[chosen],
        block=of.block[chosen],
        visit=of.visit[chosen],
        attempt=of.attempt[chosen],
        repetitions=of.repetitions[chosen],
        numbers=numbers,
        first=first,
    )


def _by_rank(rows: Places, lowest: Places) -> Places:
    """The `rows`, by group and rank, as Operations.first; groups begin at `lowest`."""
    ranks = np.diff(lowest, append=rows.size)
    first = np.full((int(ranks.max(initial=1)), lowest.size), -1)
    for rank in range(len(first)):
        has = ranks > rank
        first[rank, has] = rows[lowest[has] + rank]
    return first


def sorted_operations(batches: Batches) -> Operations:
    """Operations of batches in any order, by sorting all rows."""
    key = _joined((*slice_of(batches), batches.batch))
    order = np.lexsort((batches.rank, key))
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    numbers = np.ones(first.size, np.intp)
    return _operations(batches, order[first], numbers, _by_rank(order, first))


def slice_of(of: Batches | Strips | Operations) -> tuple[Int32, ...]:
    """Columns that identify the slice of each row."""
    return of.configuration, of.cell, of.block, of.visit, of.attempt


def extents(place: tuple[Int32, ...]) -> tuple[int, ...]:
    """Shape of an array that has all of `place`."""
    return tuple(int(column.max(initial=-1)) + 1 for column in place)


def largest_of_ranks(strips: Strips, values: Floats, groups: Operations) -> Floats:
    """Largest of the ranks' `values`, which aren't negative, in the slice of each of `groups`.

    Shape (groups,); 0 where there is none.
    """
    place = slice_of(strips)
    largest = np.zeros(extents(place))
    np.maximum.at(largest, place, values)
    return np.asarray(largest[slice_of(groups)])


def _joined(columns: tuple[Int32, ...]) -> npt.NDArray[np.int64]:
    """Key of each row, in the order of the columns and equal where all of them are."""
    key = np.zeros(columns[0].size, np.int64)
    for column in columns:
        key = key * (int(column.max(initial=0)) + 1) + column
    return key
