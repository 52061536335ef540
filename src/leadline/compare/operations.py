"""Which rows of the batches are one operation: the same batch on all of its ranks.

Batches arrive slice by slice, rank by rank and in the order of their numbers. Where they do, the
operations are found without sorting every row; any other order is sorted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.record.run import Batches, Int32

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RankRows:
    """The rows of the lowest rank of each operation, or of the second lowest, or so on."""

    operations: Places | slice
    """Which operations have so many ranks."""
    rows: Places
    """Of the batches, one for each of these."""


@dataclass(frozen=True, slots=True)
class Operations:
    """By configuration, cell, block, visit and number of the batch."""

    slices: Places
    """A row of each group of operations that share all of these but the number, and repetitions."""
    numbers: Places
    """How many operations each of the groups has."""
    ranks: tuple[RankRows, ...]
    """From the lowest up."""


def operations_of(batches: Batches) -> Operations:
    """Those of `batches`, in whichever order these are."""
    if batches.rank.size == 0:
        none = np.zeros(0, np.intp)
        return Operations(none, none, (RankRows(slice(None), none),))
    return in_order_of_arrival(batches) or sorted_operations(batches)


def in_order_of_arrival(batches: Batches) -> Operations | None:
    """The operations of slices as `record.batches` puts them together; None: they are in another.

    A strip is what one rank recorded in one slice. Its numbers count from 0, all with the same
    repetitions; the strips of a slice have one length; and no slice comes twice.
    """
    begins = _strips(batches)
    starts = np.flatnonzero(begins)
    counting = (batches.batch[1:] - batches.batch[:-1] == 1) | begins[1:]
    if np.any(batches.batch[starts]) or not counting.all():
        return None
    lengths = np.diff(starts, append=batches.rank.size)
    slices = _joined(_where(batches), starts)
    ranks = batches.rank[starts]
    order = np.lexsort((ranks, slices))
    starts, lengths, slices, ranks = starts[order], lengths[order], slices[order], ranks[order]
    same = slices[1:] == slices[:-1]
    if np.any(same & ((lengths[1:] != lengths[:-1]) | (ranks[1:] == ranks[:-1]))):
        return None
    return _operations(starts, lengths, np.flatnonzero(np.append(True, ~same)))


def _strips(batches: Batches) -> npt.NDArray[np.bool_]:
    """Whether another slice or rank begins with a row."""
    begins = np.zeros(batches.rank.size, np.bool_)
    begins[0] = True
    for column in (*_where(batches), batches.rank, batches.repetitions):
        begins[1:] |= column[1:] != column[:-1]
    return begins


def _operations(starts: Places, lengths: Places, lowest: Places) -> Operations:
    """Those of strips in order; `lowest` are the strips with which slices begin."""
    ranks = np.diff(lowest, append=starts.size)
    least, most = int(ranks.min()), int(ranks.max())
    numbers = lengths[lowest]
    found = []
    for rank in range(most):
        has = ranks > rank
        strips = lowest[has] + rank
        which = slice(None) if rank < least else np.flatnonzero(np.repeat(has, numbers))
        found.append(RankRows(which, _runs(starts[strips], lengths[strips])))
    return Operations(starts[lowest], numbers, tuple(found))


def _runs(starts: Places, lengths: Places) -> Places:
    """The numbers start, start + 1, ... of each strip, one after the other."""
    rows: Places = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    rows += np.arange(rows.size)
    return rows


def sorted_operations(batches: Batches) -> Operations:
    """The operations of batches in any order."""
    every = np.arange(batches.rank.size)
    key = _joined((*_where(batches), batches.batch), every)
    order = np.lexsort((batches.rank, key))
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    ranks = np.diff(first, append=order.size)
    having = [np.flatnonzero(ranks > rank) for rank in range(int(ranks.max()))]
    found = (RankRows(which, order[first[which] + rank]) for rank, which in enumerate(having))
    return Operations(order[first], np.ones(first.size, np.intp), tuple(found))


def _where(batches: Batches) -> tuple[Int32, ...]:
    return batches.configuration, batches.cell, batches.block, batches.visit


def _joined(columns: tuple[Int32, ...], rows: Places) -> npt.NDArray[np.int64]:
    """One number for each of `rows`, in the order of the columns and equal where all are."""
    key = np.zeros(rows.size, np.int64)
    for column in columns:
        key = key * (int(column.max()) + 1) + column[rows]
    return key
