"""One slice of what its ranks answered. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from leadline.kernels.messages import Result, Surroundings
from leadline.record.reduction import FEW_RANKS, reduced
from leadline.record.run import WhoseTime
from leadline.record.slices import Counts, Disturbance, Slice


def slice_of(
    configuration: int, cell: int, when: tuple[int, int], launch: int, results: Sequence[Result]
) -> Slice:
    """The Slice made of all ranks' results; of ranks that recorded no time what disturbed them."""
    recorded = sorted((r for r in results if len(r.batches)), key=lambda r: r.rank)
    others = sorted((r for r in results if not len(r.batches)), key=lambda r: r.rank)
    fewest = min((len(r.batches) for r in recorded), default=0)
    stacked = np.stack([r.batches[:fewest] for r in recorded]) if recorded else np.empty((0, 0, 3))
    return Slice(
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
    )


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


def kept_of(taken: Slice, whose_time: WhoseTime, all_ranks: bool) -> Slice:
    """What is recorded of `taken`: of many ranks the slowest one's batches, if the time is theirs.

    Unless those of `all_ranks` are asked for.
    """
    many = taken.ranks.size > FEW_RANKS and whose_time is WhoseTime.SLOWEST
    return reduced(taken) if many and not all_ranks else taken
