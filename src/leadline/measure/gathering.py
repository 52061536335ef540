"""One slice of what its ranks answered. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from leadline.kernels.messages import Result, Surroundings
from leadline.kernels.solutions import Solved
from leadline.record.reduction import FEW_RANKS, joined, reduced
from leadline.record.run import WhoseTime
from leadline.record.slices import CommunicationTimes, Counts, Disturbance, Slice, Verified


def slice_of(
    configuration: int, cell: int, when: tuple[int, int], launch: int, results: Sequence[Result]
) -> Slice:
    """The Slice made of all ranks' results; of ranks that recorded no time what disturbed them.

    Where relays reduced the batches of their hosts' ranks, it is what they come to together.
    """
    groups = sorted((r for r in results if r.over), key=lambda r: r.rank)
    over = {rank for one in groups for rank in one.over}
    over |= {r.rank for r in results if len(r.batches)}
    recorded = sorted((r for r in results if r.rank in over), key=lambda r: r.rank)
    others = sorted((r for r in results if r.rank not in over), key=lambda r: r.rank)
    own = [r.batches for r in recorded] if not groups else []
    fewest = min(map(len, own), default=0)
    stacked = np.stack([one[:fewest] for one in own]) if own else np.empty((0, 0, 3))
    taken = Slice(
        configuration,
        cell,
        *when,
        repetitions=results[0].repetitions,
        ranks=np.array([r.rank for r in recorded], dtype=np.int32),
        start_ns=stacked[:, :, 0].astype(np.int64),
        end_ns=stacked[:, :, 1].astype(np.int64),
        flags=stacked[:, :, 2].astype(np.int32),
        launch=launch,
        disturbance=_disturbance([r.around for r in (*recorded, *others)]),
        others=np.array([r.rank for r in others], dtype=np.int32),
        warm_up=results[0].warm_up,
        communication=_communication([r.solved for r in (*recorded, *others)]),
        verified=_verified([r.solved for r in (*recorded, *others)]),
    )
    return joined(taken, [one.batches for one in groups]) if groups else taken


def _disturbance(around: Sequence[Surroundings]) -> Disturbance:
    def column(values: Iterable[int]) -> Counts:
        return np.array([*values], dtype=np.int64)

    return Disturbance(
        column(one.window_ns for one in around),
        column(one.run_delay_ns for one in around),
        column(one.involuntary_switches for one in around),
        column(one.minor_faults for one in around),
        column(one.handover_ns for one in around),
    )


def _communication(solved: Sequence[Solved | None]) -> CommunicationTimes | None:
    known = [one for one in solved if one is not None]
    if len(known) < len(solved):
        return None
    return CommunicationTimes(
        np.array([one.communication_ns for one in known], dtype=np.int64),
        np.array([one.elapsed_ns for one in known], dtype=np.int64),
    )


def _verified(solved: Sequence[Solved | None]) -> Verified | None:
    """Of what the ranks checked the furthest from what was expected."""
    known = [one.verified for one in solved if one and one.verified]
    return max(known, key=lambda one: one.relative_error, default=None)


def kept_of(taken: Slice, whose_time: WhoseTime, all_ranks: bool) -> Slice:
    """What is recorded of `taken`."""
    return reduced(taken) if is_reduced(taken.ranks.size, whose_time, all_ranks) else taken


def is_reduced(ranks: int, whose_time: WhoseTime, all_ranks: bool) -> bool:
    """Whether of so many `ranks` that record only the slowest one's batches are kept.

    Those of many, if the time is the slowest one's, unless `all_ranks` are asked for.
    """
    return ranks > FEW_RANKS and whose_time is WhoseTime.SLOWEST and not all_ranks
