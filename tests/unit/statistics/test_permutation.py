from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from leadline.statistics.permutation import (
    LARGE,
    MOST_ENUMERATED,
    MOST_OF_LARGE,
    ample_blocks,
    bounded,
    curve_average,
    curve_averages,
    fewest_blocks,
    paired_significance,
    paired_significances,
    sign_flips,
    step_down,
)

NAN = math.nan


def test_sign_flips_of_few_blocks_are_all_there_are() -> None:
    assert sign_flips(2, 0).tolist() == [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    assert np.unique(sign_flips(12, 0), axis=0).shape == (4096, 12)


def test_sign_flips_of_many_blocks_are_sampled_repeatably_what_was_seen_first() -> None:
    flips = sign_flips(13, 5)
    assert flips.shape == (MOST_ENUMERATED, 13)
    assert (flips[0] == 1).all()
    assert (flips == sign_flips(13, 5)).all()
    assert abs(flips[1:].mean()) < 0.02


@pytest.mark.parametrize(
    ("tests", "blocks"),
    # one: 1/32 = 0.031; two: 1 - (31/32)^2 = 0.062, (63/64)^2: 0.031; 13: 1 - (255/256)^13 = 0.0496
    [(1, 6), (2, 7), (3, 7), (4, 8), (13, 9), (14, 10), (26, 10), (27, 11)],
)
def test_blocks_that_a_family_needs_by_hand(tests: int, blocks: int) -> None:
    assert fewest_blocks(tests) == blocks


@pytest.mark.parametrize(
    ("tests", "blocks"),
    # one: two of 12 astray, 2 (1 + 12 + 66) / 4096 = 0.039, are all in 98 %; one of 11 in 90 %
    # 13: three of 20, 2 (1 + 20 + 190 + 1140) / 2^20 = 0.0026 of 0.0039, in 98 %; two of 19 in 93 %
    [(1, 12), (13, 20), (78, 23)],
)
def test_ample_blocks_by_hand(tests: int, blocks: int) -> None:
    assert ample_blocks(tests) == blocks


def test_clear_cell_with_two_blocks_astray_shows_among_ample_ones_not_among_those_needed() -> None:
    cells, clear = 12, 5
    for blocks, shows in ((fewest_blocks(cells + 1), False), (ample_blocks(cells + 1), True)):
        differences = np.random.default_rng(blocks).normal(0.02, 0.01, (cells, blocks))
        differences[clear] = 0.05
        differences[clear, :2] = -0.01
        found = paired_significance(differences, -0.02, 0.02, seed=1)
        assert (found.above[clear] < 0.05) == shows, blocks


@pytest.mark.parametrize("count", [fewest_blocks, ample_blocks])
def test_a_family_without_a_test_is_refused(count: Callable[[int], int]) -> None:
    with pytest.raises(ValueError, match=r"\b0\b"):
        count(0)


def test_step_down_by_hand() -> None:
    # observed 5 and 2; the maximum reaches 5 in rows 0 and 2, the second alone 2 in rows 0 and 3
    statistics = np.array([[5.0, 2.0], [1.0, 1.0], [6.0, 0.0], [0.0, 3.0]])
    assert step_down(statistics).tolist() == [0.5, 0.5]
    assert step_down(statistics[:, :1]).tolist() == [0.5]
    assert step_down(statistics[:, 1:]).tolist() == [0.5]


def test_step_down_frees_the_lesser_from_the_greatest() -> None:
    # one step: the maximum reaches 2 in rows 0, 2 and 3; stepping down, only in row 0
    statistics = np.array([[9.0, 2.0], [0.0, 1.0], [8.0, 0.0], [3.0, 1.0]])
    assert step_down(statistics).tolist() == [0.25, 0.25]


def test_step_down_never_prefers_the_less_extreme() -> None:
    statistics = np.random.default_rng(0).standard_normal((500, 7))
    p_values = step_down(statistics)[np.argsort(-statistics[0])]
    assert (np.diff(p_values) >= 0).all()


def test_ties_count_as_extreme() -> None:
    assert step_down(np.ones((4, 2))).tolist() == [1, 1]


# -- curve average ---------------------------------------------------------------------------------


def test_curve_average_leaves_out_a_cell_that_most_blocks_lack() -> None:
    values = np.array([[1.0, 2, 3], [3, 4, 5], [9, NAN, NAN]])
    assert curve_average(values).tolist() == [2, 3, 4]


def test_cell_that_a_block_lacks_stands_at_its_level_there() -> None:
    # levels 2, 4 and 9; the middle block is off by 0 and 3 in what it has
    values = np.array([[1.0, 2, 3], [3, 7, 4], [8, NAN, 10]])
    assert curve_average(values).tolist() == pytest.approx([5 - 1, 5 + 1.5, 5 + 2 / 3])


def test_averages_of_two_samples_are_over_the_same_cells_each_at_its_own_level() -> None:
    before, after = curve_averages([
        np.array([[1.0, 1, 1, 1], [5, 5, NAN, 5], [3, 3, 3, 3], [7, NAN, NAN, NAN]]),
        np.array([[2.0, 2, NAN], [9, 9, 9], [4, 4, 4], [7, 7, 7]]),
    ])  # fmt: skip
    assert before.tolist() == [3, 3, 3, 3]
    assert after.tolist() == [5, 5, 5]


def test_curve_average_leaves_out_a_block_that_lacks_most_cells() -> None:
    average = curve_average(np.array([[1.0, 2], [3, NAN], [5, NAN]]))
    assert average[0] == 3
    assert math.isnan(average[1])


def test_curve_average_passes_over_cells_never_measured() -> None:
    values = np.array([[1.0, 2], [NAN, NAN], [NAN, NAN]])
    assert curve_average(values).tolist() == [1, 2]


@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (2, 3)])
def test_curve_average_of_nothing_is_nothing(shape: tuple[int, int]) -> None:
    average = curve_average(np.full(shape, NAN))
    assert average.shape == shape[1:]
    assert np.isnan(average).all()


# -- significance ----------------------------------------------------------------------------------


def test_distances_are_bounded_by_the_nearer_quarter_by_hand() -> None:
    row = np.array([[0.1, -0.2, 9, -0.4, 0.5, 0.6, 0.7, NAN]])  # 7 known: at least 3
    bounded_row = [0.1, -0.2, 0.4, -0.4, 0.4, 0.4, 0.4]
    assert bounded(row)[0, :7].tolist() == bounded_row
    assert np.isnan(bounded(row)[0, 7])
    assert bounded(np.arange(1.0, 14)[None]).max() == 4  # of 13 a quarter is 4
    assert bounded(np.array([[5.0, -7.0]])).tolist() == [[5, -7]]  # of fewer than 3 all


def test_one_cell_is_as_significant_as_the_sign_flips_of_its_bounded_mean() -> None:
    # at no width between the margins: two-sided; the curve is the cell itself. The third nearest
    # lies 1 away, so the signs count: six or more of eight alike in 2 * (28 + 8 + 1) of 256 flips
    values = np.array([1.0, 2, 3, -1, 2, 4, 1, -2])
    found = paired_significance(values[None], 0.0, 0.0, 0)
    assert found.above == pytest.approx([74 / 256, 74 / 256])
    assert found.below.min() > 0.5


def test_blocks_far_on_one_side_decide_nothing() -> None:
    # the mean of these is far above zero, the median is not
    values = np.array([[-0.2, 9, -0.1, 7, 8, -0.3, 9, -0.2]])
    assert paired_significance(values, 0.0, 0.0, 0).above[0] > 0.9


def test_several_curves_are_one_family() -> None:
    rng = np.random.default_rng(11)
    clear, others = rng.normal(1, 0.2, (2, 8)), rng.normal(0, 1, (9, 8))
    alone = paired_significance(clear, 0.0, 0.0, 0)
    first, second = paired_significances([clear, others], 0.0, 0.0, 0)
    assert first.above.shape == (3,)
    assert second.above.shape == (10,)
    assert (first.above >= alone.above).all()
    assert first.above[2] <= 0.05
    assert (first.family, second.family) == (13, 13)
    assert paired_significances([], 0.0, 0.0, 0) == ()


def test_a_curve_that_says_the_same_costs_nothing() -> None:
    values = np.random.default_rng(12).standard_normal((4, 8)) + 1
    alone = paired_significance(values, -0.1, 0.1, 0)
    for one in paired_significances([values, values], -0.1, 0.1, 0):
        # cells that agree twice lend each other more certainty, so only the average is as before
        assert one.above[-1] == pytest.approx(alone.above[-1], abs=0.02)


def test_large_families_are_put_to_fewer_flips() -> None:
    assert sign_flips(14, 0, MOST_OF_LARGE).shape == (MOST_OF_LARGE, 14)
    values = np.random.default_rng(13).normal(1, 0.1, (LARGE, 14))
    assert (paired_significance(values, -0.1, 0.1, 0).above == 1 / MOST_OF_LARGE).any()


def test_wide_margins_cost_only_one_side() -> None:
    # all eight above the upper margin: 1 of 256 flips; with both margins met, 2 of 256
    values = np.linspace(0.09, 0.11, 8)[None]
    together = paired_significance(values, 0.0, 0.0, 0)
    assert together.above[0] == 2 / 256
    apart = paired_significance(values, -0.02, 0.02, 0)
    assert 1 / 256 <= apart.above[0] <= 2 / 256
    assert apart.below[0] == 1


def test_scatter_as_wide_as_the_margins_hides_nothing_beyond_them() -> None:
    # from -0.02 the nearer quarter of these reaches no farther than 0.02, whatever lies beyond
    scatter = np.linspace(-0.03, 0.09, 24)[None] + 0.02
    assert np.sum(scatter > 0.02) == 18
    for values, sides in ((scatter, ("above", "below")), (-scatter, ("below", "above"))):
        found = paired_significance(values, -0.02, 0.02, 0)
        beyond, within = (getattr(found, side) for side in sides)
        assert beyond.max() <= 0.05
        assert within.min() > 0.9


def test_sides_change_places_with_the_sign() -> None:
    values = np.random.default_rng(6).standard_normal((5, 8)) + 0.7
    here = paired_significance(values, -0.1, 0.1, 0)
    there = paired_significance(-values, -0.1, 0.1, 0)
    assert here.above == pytest.approx(there.below)
    assert here.below == pytest.approx(there.above)


def test_five_blocks_are_never_significant_and_six_are() -> None:
    values = np.full((2, 6), 0.1) + np.arange(6) * 1e-3
    assert (paired_significance(values[:, :5], -0.02, 0.02, 0).above == 1).all()
    assert (paired_significance(values, -0.02, 0.02, 0).above <= 0.05).all()


def test_a_cell_with_few_blocks_leaves_the_others_as_they_were() -> None:
    values = np.random.default_rng(7).standard_normal((3, 8)) + 1
    poor = np.full((1, 8), NAN)
    poor[0, :3] = 50
    alone = paired_significance(values, -0.1, 0.1, 0)
    joined = paired_significance(np.vstack([values, poor]), -0.1, 0.1, 0)
    assert joined.above[3] == 1
    assert joined.above[[0, 1, 2, 4]] == pytest.approx(alone.above)


@pytest.mark.parametrize("blocks", [0, 1, 8])
def test_nothing_measured_is_not_significant(blocks: int) -> None:
    nothing = np.full((2, blocks), NAN)
    found = paired_significance(nothing, -0.02, 0.02, 0)
    assert (found.above == 1).all()
    assert (found.below == 1).all()


def test_equal_values_neither_divide_by_zero_nor_alarm() -> None:
    found = paired_significance(np.zeros((3, 8)), -0.02, 0.02, 0)
    assert (found.above == 1).all()
    assert (found.below == 1).all()
    sure = paired_significance(np.full((3, 8), 0.1), -0.02, 0.02, 0)
    assert (sure.above <= 2 / 256).all()
