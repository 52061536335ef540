"""Segmentation of a curve into ranges of sizes: the cheapest of all ways to cut it.

Every range of neighbouring sizes has a cost, its residual sum of squares; the cheapest cuts into 1,
2, ... pieces follow by dynamic programming, for whole batches of curves at once. Sizes that a curve
of the batch lacks, because they are left out, lie in no piece.

Sources: Bellman and Roth 1969; Bai and Perron 2003 (piecewise least squares).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

Indices = npt.NDArray[np.intp]


FEWEST_SIZES = 3
"""Fewest sizes of a piece, where there are several: a line through two sizes fits anything."""


@dataclass(frozen=True, eq=False)
class Ranges:
    """All ranges of neighbouring ones among `sizes` sizes."""

    sizes: int

    @cached_property
    def bounds(self) -> tuple[Indices, Indices]:
        """First and last size of each range, shape (ranges,)."""
        first, last = np.triu_indices(self.sizes)
        return first, last

    @cached_property
    def number(self) -> Indices:
        """Index of the range from one size to another, shape (sizes, sizes)."""
        table = np.zeros((self.sizes, self.sizes), dtype=np.intp)
        table[self.bounds] = np.arange(self.bounds[0].size)
        return table

    def sums(self, values: Floats) -> Floats:
        """Sums of `values`, shape (..., sizes), over each range, shape (..., ranges).

        Avoids matrix products, whose threads wait for each other where cores are busy.
        """
        sums = np.empty((*values.shape[:-1], self.bounds[0].size))
        for first, start in enumerate(self.number.diagonal().tolist()):
            end = start + self.sizes - first
            np.cumsum(values[..., first:], axis=-1, out=sums[..., start:end])
        return sums

    def may_be_piece(self, present: Bools) -> Bools:
        """Mask of ranges that hold enough of the sizes `present`: (..., ranges) from (..., sizes).

        The range of all sizes is always included.
        """
        enough = self.sums(present.astype(np.float64)) >= FEWEST_SIZES
        enough[..., self.number[0, -1]] = True
        return np.asarray(enough, dtype=np.bool_)


@lru_cache(maxsize=64)
def ranges_of(sizes: int) -> Ranges:
    """Ranges among so many sizes, cached."""
    return Ranges(sizes)


def most_pieces(sizes: int, most: int) -> int:
    """Most pieces that so many sizes can be cut into, one of them being left out: at least 1."""
    return max(1, min(most, (sizes - 1) // FEWEST_SIZES))


def cheapest_cuts(costs: Floats, sizes: int, most: int) -> tuple[tuple[Floats, Indices], ...]:
    """Least cost in 1 .. `most` pieces, shape (batch,), and their first sizes, (batch, pieces).

    `costs` are those of all ranges, shape (batch, ranges), infinite where a range can't be a piece.
    An infinite least cost: there is no such cut, and the first sizes are meaningless.
    """
    ranges, batch = ranges_of(sizes), len(costs)
    table = np.full((batch, sizes, sizes), np.inf)
    table[:, *ranges.bounds] = costs
    reached = table[:, 0]  # (batch, last size)
    choices: list[Indices] = []
    cuts = [(reached[:, -1], np.zeros((batch, 1), dtype=np.intp))]
    for _ in range(1, most):
        totals = reached[:, :-1, None] + table[:, 1:]  # the last piece begins after the one reached
        best = totals.argmin(axis=1)
        reached = np.take_along_axis(totals, best[:, None], axis=1)[:, 0]
        choices.append(best + 1)
        # back from the last size: where its piece begins, the one before it ends
        last, firsts = np.full(batch, sizes - 1), list[Indices]()
        for choice in reversed(choices):
            first = choice[np.arange(batch), last]
            firsts.insert(0, first)
            last = np.maximum(first - 1, 0)
        zeros = np.zeros(batch, dtype=np.intp)
        cuts.append((reached[:, -1], np.stack([zeros, *firsts], axis=1)))
    return tuple(cuts)


def neighbours(present: Bools) -> tuple[Indices, Indices]:
    """Last size present up to each size, and first one from it on, shape (batch, sizes).

    Where there is none: the first size, and the last.
    """
    sizes = present.shape[1]
    place = np.arange(sizes)
    before = np.maximum.accumulate(np.where(present, place, 0), axis=1)
    after = np.minimum.accumulate(np.where(present, place, sizes - 1)[:, ::-1], axis=1)
    return before, after[:, ::-1]
