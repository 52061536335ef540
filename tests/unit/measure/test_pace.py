"""What the first blocks of a campaign change of its plan, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.campaigns import planned

from leadline.measure.budget import Allotment, BlockCosts, BlockLimits
from leadline.measure.plan import Group, Plan
from leadline.measure.schedule import BlockTimes, Pace, Shortfall
from leadline.statistics.intervals import Floats

EXPECTED = BlockCosts(startup_s=1.0, launch_s=0.1, visit_s=0.2)


def plan(allotment: Allotment, limits: BlockLimits) -> Plan:
    group = Group(2, False, (), allotment.launches)
    return Plan((group,), limits, EXPECTED, allotment, slice_s=0.005, cold_bytes=0)


def pace() -> Pace:
    return Pace(plan(Allotment(10, 8, 4), BlockLimits(6, 9, 9, 64)))


def startup_and_visit(times: BlockTimes) -> tuple[float, float]:
    costs = times.costs(EXPECTED)
    assert costs.launch_s == EXPECTED.launch_s
    return costs.startup_s, costs.visit_s


def test_costs_of_a_block_by_hand() -> None:
    # after both launches' first visits one takes 0.2 s: the excess of 0.5 and 0.3 is start-up
    times = BlockTimes(3.0, 2, ((0.5, 0.3, 0.2, 0.2),))
    assert startup_and_visit(times) == pytest.approx((3.0 - 0.8 - 0.1, 0.2))
    # two parties took turns, a third never came up
    times = BlockTimes(4.0, 1, ((0.4, 0.2, 0.2), (0.5, 0.3, 0.3), ()))
    assert startup_and_visit(times) == pytest.approx((4.0 - 3 * 0.5, 0.5))


def test_first_visits_alone_are_not_taken_for_usual_ones() -> None:
    times = BlockTimes(3.0, 2, ((0.4, 0.6),))
    assert startup_and_visit(times) == pytest.approx((3.0 - 0.4 - 0.1, 0.2))
    assert times.costs(BlockCosts(1.0, 0.1, 0.9)).visit_s == 0.5


def test_first_block_is_the_plan() -> None:
    upcoming = pace().next(30.0, 0)
    assert upcoming.allotment == Allotment(10, 8, 4)
    assert not upcoming.revised
    assert upcoming.usual_s == pytest.approx(3.0)
    assert upcoming.most_s == pytest.approx(30 / 9)


def test_costs_that_were_measured_take_the_place_of_those_expected() -> None:
    one = pace()
    one.took(BlockTimes(1.5, 4, ((0.1,) * 8,)))  # 0.7 s start-up, 0.3 of them for launches
    upcoming = one.next(27.0, 1)
    assert upcoming.revised
    assert upcoming.allotment == Allotment(18, 8, 4)
    one.took(BlockTimes(2.0, 4, ((0.1,) * 8,)))  # of two blocks the second is the better guide
    assert one.next(27.0, 2).allotment.blocks == 13
    assert not one.next(27.0, 2).revised


def test_shorter_slices_make_the_first_block_too_dear_a_guide() -> None:
    one = pace()
    one.took(BlockTimes(1.5, 4, ((0.1,) * 8,)))
    one.shortened(0.03)
    assert one.costs.visit_s == pytest.approx(0.07)
    one.took(BlockTimes(1.3, 4, ((0.08,) * 8,)))
    assert one.costs.visit_s == pytest.approx(0.08)


def test_block_without_a_visit_says_nothing_of_costs() -> None:
    one = pace()
    one.took(BlockTimes(60.0, 4, ((), ())))
    assert one.costs == EXPECTED


def log_ratios(blocks: int, visit: float, block: float) -> tuple[Floats, Floats]:
    """A row whose halves of blocks lie at `visit` and -`visit` around each block's own value.

    With the weights of its visits.
    """
    halves = visit * np.repeat([1.0, -1.0], 4)
    own = block * np.arange(blocks)
    ratios = np.asarray(own[:, None] + halves * (-1.0) ** np.arange(blocks)[:, None])[None]
    return ratios, np.ones(ratios.shape)


@pytest.mark.parametrize(
    ("visit", "block", "visits"), [(1.0, 0.0, 24), (0.1, 1.0, 4)], ids=["visits", "blocks"]
)
def test_three_blocks_say_whether_visits_or_blocks_spread(
    visit: float, block: float, visits: int
) -> None:
    one = pace()
    one.spread(*log_ratios(2, visit, block))
    assert not one.next(100.0, 2).revised
    one.spread(*log_ratios(3, visit, block))
    upcoming = one.next(100.0, 3)
    assert upcoming.revised
    assert upcoming.allotment.visits == visits


def test_spread_is_looked_at_again_when_blocks_have_doubled() -> None:
    revised = []
    for blocks in range(1, 26):
        one = pace()
        one.spread(*log_ratios(blocks, 1.0, 0.1))
        revised += [blocks] * one.next(300.0, blocks).revised
    assert revised == [3, 6, 12, 24]


def test_blocks_still_needed_get_launches_and_visits_out_of_their_way() -> None:
    one = pace()
    one.took(BlockTimes(4.0, 4, ((0.3,) * 8,)))
    upcoming = one.next(16.0, 1)
    assert upcoming.allotment.launches == 2
    assert upcoming.allotment.visits == 4
    assert upcoming.most_s == 2.0


def test_campaign_ends_without_time_once_the_fewest_blocks_are_whole() -> None:
    assert pace().next(0.0, 5).allotment.blocks == 1
    assert pace().next(0.0, 6).allotment.blocks == 0
    assert pace().next(300.0, 64).allotment.blocks == 0


def test_blocks_that_are_counted_are_measured_whatever_they_take() -> None:
    counted = Pace(plan(Allotment(4, 8, 2), BlockLimits(4, 4, 4, 4)))
    assert [counted.next(0.0, done).allotment.blocks for done in range(5)] == [4, 3, 2, 1, 0]
    assert Pace(planned(Group(2, False, ()))).next(0.0, 0).allotment == Allotment(1, 1, 1)


def kept(budget_s: float, needed: int = 9) -> Pace:
    """Of a campaign whose user stated the budget, and whose plan has the blocks needed."""
    return Pace(plan(Allotment(10, 8, 4), BlockLimits(6, needed, needed, 64)), budget_s, kept=True)


def slow(one: Pace, visit_s: float = 5.0) -> Pace:
    """After a first block of 2 s of start-up and two visits."""
    one.took(BlockTimes(2 + 2 * visit_s, 1, ((visit_s, visit_s),)))
    return one


def simulated(one: Pace, budget_s: float, block_s: float) -> tuple[float, list[float]]:
    """When a campaign ends whose blocks take so long under load, and what each of them took.

    A block that runs into the campaign's end is cut there, but for what its launches take to end.
    """
    spent_s, took = 0.0, list[float]()
    while upcoming := one.next(budget_s - spent_s, len(took)):
        if not upcoming.allotment.blocks:
            return spent_s, took
        lasted_s = min(block_s, upcoming.end_s)
        spent_s += lasted_s
        if lasted_s < block_s:
            return spent_s, took
        took.append(lasted_s)
        one.took(BlockTimes(block_s, 1, ((block_s - 2,),)))
    raise AssertionError


@pytest.mark.parametrize("block_s", [3, 4, 7, 9, 12, 25, 39])
def test_budget_of_the_user_is_kept_within_a_tenth_whatever_blocks_take(block_s: float) -> None:
    spent_s, took = simulated(kept(40.0), 40.0, block_s)
    assert spent_s <= 44.0
    assert len(took) == (6 if 6 * block_s <= 44 else 40 // block_s) or 6 * block_s < 40


def test_blocks_without_a_stated_budget_go_on_until_there_are_intervals() -> None:
    one = Pace(plan(Allotment(10, 8, 4), BlockLimits(6, 9, 9, 64)), 40.0)
    spent_s, took = simulated(one, 40.0, 25.0)
    assert (spent_s, len(took)) == (150.0, 6)


def test_campaign_says_after_its_first_block_how_many_it_ends_with() -> None:
    one = slow(kept(40.0))
    upcoming = one.next(26.0, 1)  # three of 7 s, and 5 s: more than half a visit
    assert upcoming.shortfall == Shortfall(40.0, 4, True, 6, 9, 14.0 + 5 * 7.0, kept=True)
    assert upcoming.allotment == Allotment(4, 1, 1)
    assert upcoming.hurried
    assert upcoming.end_s == 26.0
    assert one.next(25.0, 1).allotment.blocks == 3


def test_shortfall_is_told_once_a_kind() -> None:
    one = slow(kept(40.0))
    assert one.next(20.0, 1).shortfall
    assert not one.next(13.0, 2).shortfall


def test_shortfall_that_turns_out_to_be_none_is_taken_back() -> None:
    """The first block took three times as long as those that follow."""
    one = slow(kept(40.0))
    assert one.next(20.0, 1).shortfall
    for _ in range(3):
        one.took(BlockTimes(1.0, 1, ((0.3,),)))
    found = one.next(17.0, 4).shortfall
    assert found is not None
    assert found.blocks >= found.needed
    assert not one.next(16.0, 5).shortfall


def test_campaign_that_goes_on_beyond_its_budget_takes_nothing_back() -> None:
    one = slow(Pace(plan(Allotment(10, 8, 4), BlockLimits(6, 9, 9, 64)), 40.0))
    assert one.next(20.0, 1).shortfall
    for _ in range(3):
        one.took(BlockTimes(1.0, 1, ((0.3,),)))
    assert not one.next(17.0, 4).shortfall


def test_as_many_blocks_as_are_expected_are_no_shortfall() -> None:
    one = kept(40.0)
    assert one.next(40.0, 0).shortfall is None
    one.took(BlockTimes(3.0, 4, ((0.2,) * 8,)))
    assert one.next(37.0, 1).shortfall is None


def test_six_blocks_but_not_those_needed_are_a_shortfall_of_their_own() -> None:
    one = kept(40.0)
    one.took(BlockTimes(6.0, 1, ((1.0,) * 4,)))
    shortfall = one.next(34.0, 1).shortfall
    assert shortfall is not None
    assert 6 <= shortfall.blocks < 9
    assert shortfall.enough_s > 40


def test_blocks_that_are_counted_never_fall_short() -> None:
    counted = Pace(plan(Allotment(4, 8, 2), BlockLimits(4, 4, 4, 4)), 1.0, kept=True)
    upcoming = slow(counted).next(0.0, 1)
    assert upcoming.shortfall is None
    assert not upcoming.is_bound


def test_what_is_left_to_expect_ends_with_the_budget() -> None:
    one = slow(kept(40.0))
    assert one.next(20.0, 1).expected_s <= 20.0
    assert pace().next(30.0, 0).expected_s == pytest.approx(10 * EXPECTED.block_s(8, 4))
