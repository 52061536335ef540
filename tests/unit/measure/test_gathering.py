"""What ranks answered, as one slice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.support.links import said

from leadline.kernels.messages import Solved
from leadline.measure.slices import kept_of, slice_of
from leadline.record.reduction import FEW_RANKS
from leadline.record.run import WhoseTime
from leadline.record.slices import Verified

SOLVED = {0: Solved(7, 10), 1: Solved(8, 11), 2: Solved(9, 12)}


def test_spending_is_by_rank_those_first_that_recorded() -> None:
    answers = [
        replace(said(rank, batches=int(rank != 0)), solved=SOLVED[rank]) for rank in (2, 0, 1)
    ]
    taken = slice_of(0, 0, (0, 0), 0, answers)
    assert [*taken.ranks, *taken.others] == [1, 2, 0]
    assert taken.communication is not None
    assert taken.communication.communication_ns.tolist() == [8, 9, 7]
    assert taken.communication.repetitions_ns.tolist() == [11, 12, 10]


def test_spending_of_many_ranks_is_kept_where_only_the_slowest_ones_batches_are() -> None:
    ranks = FEW_RANKS + 1
    answers = [replace(said(rank), solved=Solved(rank, 100 + rank)) for rank in range(ranks)]
    kept = kept_of(slice_of(0, 0, (0, 0), 0, answers), WhoseTime.SLOWEST, all_ranks=False)
    assert kept.start_ns.shape == (1, 1)
    assert kept.communication is not None
    assert kept.communication.communication_ns.tolist() == [*range(ranks)]


@pytest.mark.parametrize("known", [(), (0, 2)])
def test_spending_that_not_every_rank_tells_is_unknown(known: tuple[int, ...]) -> None:
    answers = [
        replace(said(rank), solved=SOLVED[rank] if rank in known else None) for rank in (0, 1)
    ]
    assert slice_of(0, 0, (0, 0), 0, answers).communication is None


def test_what_was_verified_is_the_furthest_from_right_of_all_ranks() -> None:
    found = [Verified("statistic", 4.0, 4.0), Verified("statistic", 2.0, 1.9), None]
    answers = [replace(said(rank), solved=Solved(1, 2, one)) for rank, one in enumerate(found)]
    assert slice_of(0, 0, (0, 0), 0, answers).verified == found[1]
    assert slice_of(0, 0, (0, 0), 0, answers[2:]).verified is None


def test_batches_of_ranks_are_cut_to_the_fewest() -> None:
    taken = slice_of(0, 0, (0, 0), 0, [said(0, batches=3), said(1, batches=2)])
    assert np.shape(taken.start_ns) == (2, 2)
