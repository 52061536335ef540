"""Batches that were to run on all ranks at the same time, by when they began and ended."""

from __future__ import annotations

import numpy as np
import pytest

from leadline.measure.slices import overlaps, without_company
from leadline.record.reduction import reduced
from leadline.record.slices import BatchFlag, Slice


def taken(*ranks: list[tuple[int, int]]) -> Slice:
    """A slice of (start, end) of each batch of each rank."""
    times = np.array(ranks, dtype=np.int64).reshape(len(ranks), len(ranks[0]) if ranks else 0, 2)
    flags = np.full(times.shape[:2], BatchFlag.CLOCK_BOUND, np.int32)
    numbers = np.arange(len(ranks), dtype=np.int32)
    return Slice(0, 0, 0, 0, 9, numbers, times[:, :, 0], times[:, :, 1], flags)


@pytest.mark.parametrize(
    ("first", "second", "share", "apart"),
    [
        ((0, 100), (0, 100), 1.0, False),
        ((0, 100), (10, 100), 0.9, False),
        ((0, 100), (11, 111), 0.89, True),
        ((0, 100), (0, 20), 0.2, True),  # the quicker was through early
        ((0, 100), (500, 600), -4.0, True),
    ],
)
def test_batch_counts_where_all_ranks_ran_for_nine_tenths_of_the_longest(
    first: tuple[int, int], second: tuple[int, int], share: float, apart: bool
) -> None:
    both = taken([first], [second])
    assert overlaps(both).tolist() == [pytest.approx(share)]
    flags = without_company(both).flags
    assert flags.tolist() == [[BatchFlag.CLOCK_BOUND | (BatchFlag.APART if apart else 0)]] * 2


def test_one_rank_of_many_that_is_apart_spoils_the_batch_and_no_other() -> None:
    many = taken(*[[(0, 100), (200, 300)]] * 3, [(0, 100), (260, 360)])
    assert overlaps(many).tolist() == [1.0, 0.4]
    flags = without_company(many).flags & BatchFlag.APART
    assert (flags != 0).tolist() == [[False, True]] * 4


def test_what_is_kept_of_many_ranks_tells_whether_they_ran_apart() -> None:
    many = taken(*[[(0, 100), (200, 300)]] * 3, [(0, 100), (260, 360)])
    assert overlaps(reduced(many)).tolist() == overlaps(many).tolist()
    flagged, kept = reduced(without_company(many)), without_company(reduced(many))
    assert kept.flags.tolist() == flagged.flags.tolist()


def test_slice_that_nobody_recorded_has_nothing_to_flag() -> None:
    assert without_company(taken([], [])).flags.size == 0
    assert without_company(taken()).flags.size == 0
