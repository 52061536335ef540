"""When blocks must end, and that cells which they have no time for differ, by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from leadline.measure.budget import Allotment
from leadline.measure.campaign import Deadline, Turns
from leadline.measure.cells import PlannedCell
from leadline.measure.plan import Group
from leadline.measure.schedule import NextBlock


def upcoming(end_s: float, hurried: bool = False) -> NextBlock:
    return NextBlock(Allotment(3, 1, 1), 10.0, 12.0, revised=False, end_s=end_s, hurried=hurried)


class OfSlices(Group):
    """A group of whose cells only the number of slices counts."""

    def __init__(self, ranks: int, slices: int) -> None:
        object.__setattr__(self, "_slices", slices)
        super().__init__(ranks, False, tuple[PlannedCell, ...]())

    @property
    def slices_per_visit(self) -> int:
        return int(self._slices)  # type: ignore[attr-defined]


def test_groups_and_parties_share_what_is_left_by_their_slices() -> None:
    small, large = OfSlices(2, 10), OfSlices(4, 30)
    one = Deadline(100.0, upcoming(end_s=40.0), [small, large])
    assert one.of_party(100.0, small, 1) == 110.0
    assert one.of_party(104.0, large, 1) == 140.0
    assert one.of_party(104.0, large, 3) == 116.0


def test_block_of_a_campaign_without_an_end_is_never_cut() -> None:
    group = OfSlices(2, 10)
    one = Deadline(100.0, upcoming(math.inf), [group])
    assert one.of_party(1e9, group, 2) == math.inf
    assert one.has_time(1e9)


def test_nothing_is_taken_again_after_a_blocks_share_nor_in_a_hurry() -> None:
    one = Deadline(100.0, upcoming(end_s=40.0), [])
    assert one.has_time(111.9)
    assert not one.has_time(112.1)
    assert not Deadline(100.0, upcoming(40.0, hurried=True), []).has_time(100.0)


def test_first_visit_that_was_cut_says_what_a_whole_one_takes() -> None:
    one = Deadline(0.0, upcoming(end_s=40.0), [])
    assert one.visit_s(6.0, 1.0, first=True) == 6.0
    assert one.visit_s(3.0, 0.5, first=False) is None
    assert not one.missed_s
    assert one.visit_s(3.0, 0.25, first=True) == 12.0
    assert one.missed_s == pytest.approx(9.0)


def test_visit_in_which_nothing_began_says_nothing_but_is_missed() -> None:
    one = Deadline(0.0, upcoming(end_s=40.0), [])
    assert one.visit_s(0.1, 0.0, first=True) is None
    assert one.missed_s


def test_cells_that_blocks_have_no_time_for_take_turns() -> None:
    turns, had = Turns(seed=1), Counter[int]()
    for block in range(7):  # each ends after 3 of 10 cells
        for cell in turns.ordered(range(10), lambda cell: [(0, cell), (1, cell)])[:3]:
            turns.took([(0, cell), (1, cell)], block)
            had[cell] += 1
    assert sum(had.values()) == 21
    assert {had[cell] for cell in range(10)} == {2, 3}


def test_visits_of_one_block_count_once_and_parties_apart() -> None:
    turns = Turns(seed=1)
    for cell in (0, 0, 0, 1):
        turns.took([(0, cell)], 0)
    turns.took([(0, 1)], 1)
    assert turns.ordered([1, 0], lambda cell: [(0, cell)]) == [0, 1]
    assert {tuple(turns.ordered([0, 1], lambda cell: [(9, cell)])) for _ in range(50)} == {
        (0, 1),
        (1, 0),
    }
