"""Reduces the batches of many ranks to the slowest one's, and the spread over all of them.

A batch of operations among ranks takes as long as it takes the slowest one, so that no other batch
of a thousand ranks' decides about the time that is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leadline.record.slices import SPREAD, Counts, RankSpread, Slice

FEW_RANKS = 16
"""The most ranks whose batches are all kept."""


def reduced(taken: Slice) -> Slice:
    """`taken` with one row of batches in place of those of its r >= 1 ranks, which ascend.

    For each of the n batches by itself:

    * slowest: the rank with the longest end - start; of several the lowest;
    * start, end: that rank's;
    * flags: all bits that any rank has;
    * spread: shortest, the least end - start; the least and the largest start, the least and the
      largest end; and the start of the lowest rank.

    A slice that was reduced before is returned as it is. All ranks but the lowest become `others`,
    so that what disturbed each of them is kept. As each of the above is a minimum, a maximum or a
    union of bits, groups of ranks may be reduced apart and then together: the result is the same.
    """
    if taken.spread is not None:
        return taken
    whose = np.broadcast_to(taken.ranks[:, np.newaxis].astype(np.int64), taken.start_ns.shape)
    return replace(_of_the_slowest(taken, whose), spread=spread_of(taken))


def joined(taken: Slice, groups: Sequence[Counts]) -> Slice:
    """`taken` with the batches of its ranks that were reduced in groups, at least one.

    Args:
        taken: Its own batches are ignored.
        groups: A table of shape (n, 10) for each, all ranks of one below those of the next.
            Columns: start, end, flags and slowest as by `reduced`, then those of RankSpread in
            order, all times in ns. Rows that the shortest table lacks are left out of all.
    """
    fewest = min(map(len, groups))
    columns = np.stack([group[:fewest] for group in groups], axis=1).transpose(2, 1, 0)
    start_ns, end_ns, flags, slowest, *spread_ns = columns
    shortest, first_start, last_start, first_end, last_end, lowest_rank_start = spread_ns
    spread = RankSpread(
        shortest_ns=np.min(shortest, axis=0),
        first_start_ns=np.min(first_start, axis=0),
        last_start_ns=np.max(last_start, axis=0),
        first_end_ns=np.min(first_end, axis=0),
        last_end_ns=np.max(last_end, axis=0),
        lowest_rank_start_ns=lowest_rank_start[0],
    )
    rows = replace(taken, start_ns=start_ns, end_ns=end_ns, flags=flags)
    return replace(_of_the_slowest(rows, slowest), spread=spread)


def _of_the_slowest(rows: Slice, whose: Counts) -> Slice:
    """`rows` reduced to the longest time of each batch, of equal ones the first, with all flags.

    `whose` is the rank of each row's batches, shape (rows, n).
    """
    longest = np.argmax(rows.end_ns - rows.start_ns, axis=0)[np.newaxis]
    start_ns, end_ns, slowest = (
        np.take_along_axis(one, longest, axis=0) for one in (rows.start_ns, rows.end_ns, whose)
    )
    return replace(
        rows,
        ranks=rows.ranks[:1],
        others=np.concatenate([rows.ranks[1:], rows.others]),
        start_ns=start_ns,
        end_ns=end_ns,
        flags=np.bitwise_or.reduce(rows.flags, axis=0, keepdims=True).astype(np.int32),
        slowest=slowest[0].astype(np.int32),
    )


def spread_of(taken: Slice) -> RankSpread:
    """The spread of `taken`, also where it was reduced before; columns of length n, perhaps 0."""
    if taken.spread is not None:
        return taken.spread
    start_ns, end_ns = taken.start_ns, taken.end_ns
    if not start_ns.size:
        return RankSpread(*[start_ns.ravel()] * len(SPREAD))
    return RankSpread(
        shortest_ns=np.min(end_ns - start_ns, axis=0),
        first_start_ns=np.min(start_ns, axis=0),
        last_start_ns=np.max(start_ns, axis=0),
        first_end_ns=np.min(end_ns, axis=0),
        last_end_ns=np.max(end_ns, axis=0),
        lowest_rank_start_ns=start_ns[0],
    )
