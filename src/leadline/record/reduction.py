"""Of the batches of many ranks the slowest one's, and the spread over all of them.

A batch of operations among ranks takes as long as it takes the slowest, so that nothing else of a
thousand ranks' batches decides what is said of their time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leadline.record.slices import SPREAD, Counts, RankSpread, Slice

FEW_RANKS = 16
"""Of so many, all batches are kept."""


def reduced(taken: Slice) -> Slice:
    """`taken` with one row of batches in place of those of its r ranks: at least one, and rising.

    Of each of the n batches by itself:

    * slowest: the rank with the longest end - start; of equals the lowest;
    * start, end: that rank's;
    * flags: all bits that any rank has;
    * spread: shortest, the least end - start; the least and the largest start, the least and the
      largest end; and the start of the lowest rank.

    What was reduced stays as it is. The ranks but the lowest are then `others`, so that what
    disturbed each of them is kept. As each is a least, a largest or all bits of some, groups of
    ranks may be reduced apart and then together: the result is the same.
    """
    if taken.spread is not None:
        return taken
    whose = np.broadcast_to(taken.ranks[:, np.newaxis].astype(np.int64), taken.start_ns.shape)
    return replace(_of_the_slowest(taken, whose), spread=spread_of(taken))


def joined(taken: Slice, groups: Sequence[Counts]) -> Slice:
    """`taken`, whose batches are those of its ranks that were reduced in groups, at least one.

    Args:
        taken: Its own batches don't matter.
        groups: Of each a table of shape (n, 10), all ranks of one below those of the next. Columns:
            start, end, flags and slowest as `reduced` has them, then those of RankSpread in order.
            What the shortest lacks is left out of all.
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
    """The row of `rows` that took longest in each batch, of equals the first, with all their flags.

    `whose` says of which rank each row's batches are, shape (rows, n).
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
    """That of `taken`, also where it was reduced before; of no batches columns of length 0."""
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
