from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from leadline.statistics.estimate import Estimate, Lack
from leadline.statistics.intervals import (
    bootstrap_quantile,
    median,
    median_rows,
    rank_sum_distribution,
    shift,
    sign_distribution,
    weighted_row_medians,
)


def unbounded(estimate: Estimate) -> bool:
    return estimate.bounds is None and estimate.level is None


# -- distributions ---------------------------------------------------------------------------------


def test_sign_distribution_of_three_values_by_hand() -> None:
    # of eight ways none, three, three and one have 0, 1, 2 and 3 below
    assert (sign_distribution(3) * 8).tolist() == [1, 3, 3, 1]
    assert sign_distribution(0).tolist() == [1]


def test_rank_sum_distribution_of_two_and_two_by_hand() -> None:
    # lower ranks of the first pair out of 1..4: 12 13 14,23 24 34, so u = 0 1 2,2 3 4
    assert rank_sum_distribution(2, 2) * 6 == pytest.approx([1, 1, 2, 1, 1])


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 5), (5, 0)])
def test_rank_sum_distribution_of_an_empty_sample_is_certain_zero(n: int, m: int) -> None:
    assert rank_sum_distribution(n, m).tolist() == [1.0]


@pytest.mark.parametrize(("n", "m"), [(3, 7), (7, 3), (8, 8)])
def test_rank_sum_distribution_gives_scipy_exact_p_values(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    first, second = rng.random(n), rng.random(m)
    result = stats.mannwhitneyu(first, second, alternative="less", method="exact")
    below = rank_sum_distribution(n, m)[: int(result.statistic) + 1].sum()
    assert below == pytest.approx(result.pvalue)


def test_distributions_are_symmetric_and_sum_to_one_for_many_blocks() -> None:
    for chances in (sign_distribution(2000), rank_sum_distribution(40, 64)):
        assert chances.sum() == pytest.approx(1)
        assert chances == pytest.approx(chances[::-1])


# -- median ----------------------------------------------------------------------------------------


def test_median_of_few_by_hand() -> None:
    assert median([6, 1, 2]).value == 2
    assert median([6, 1, 2, 4]).value == 3


def test_six_values_give_an_interval_a_little_inside_their_extremes() -> None:
    # of 1..6 the extremes cover 62/64, the next 50/64: a tenth of the way in confidence, and
    # 5 * 0.1 / (1 + 4 * 0.1) = 5/14 of it in value
    interval = median([3, 1, 6, 2, 5, 4])
    assert interval.value == 3.5
    assert interval.bounds == pytest.approx((1 + 5 / 14, 6 - 5 / 14))
    assert interval.level == 0.95


def test_sixteen_values_give_bounds_between_the_fourth_and_the_fifth() -> None:
    # P(fewer than 4 of 16) = 697/65536, with the fourth 2517/65536: 1 - 2 P = 0.9787, then 0.9232
    interval = median(np.arange(1, 17))
    share = (0.95 - 0.9787) / (0.9232 - 0.9787)
    expected = 4 + 12 * share / (4 + 8 * share)
    assert interval.bounds == pytest.approx((expected, 17 - expected), abs=1e-3)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_there_is_no_interval_below_six_values(n: int) -> None:
    interval = median(np.arange(n))
    assert unbounded(interval)
    assert interval.value == (n - 1) / 2
    assert interval.lack is (Lack.TOO_FEW if n else Lack.NOTHING)


def test_less_confidence_needs_fewer_values() -> None:
    interval = median([1, 2, 3, 4, 5], confidence=30 / 32)
    assert (interval.low, interval.high) == pytest.approx((1, 5))


def test_no_value_gives_no_estimate() -> None:
    for interval in (median([]), median([math.nan])):
        assert math.isnan(interval.value)
        assert unbounded(interval)


def test_missing_values_are_left_out() -> None:
    values = [1.0, 2, 3, 4, 5, 6]
    assert median([*values, math.nan]) == median(values)


def test_equal_values_give_an_interval_of_no_width() -> None:
    interval = median([0.5] * 8)
    assert (interval.low, interval.value, interval.high) == (0.5, 0.5, 0.5)


def test_median_moves_and_turns_with_the_values() -> None:
    values = np.random.default_rng(1).standard_normal(9)
    here, moved, turned = (median(v) for v in (values, values + 3, -values))
    assert moved.value == pytest.approx(here.value + 3)
    assert here.bounds is not None
    assert turned.bounds == pytest.approx((-here.bounds[1], -here.bounds[0]))


def test_rows_are_what_each_is_by_itself() -> None:
    values = np.random.default_rng(5).standard_normal((40, 9))
    values[np.random.default_rng(6).random(values.shape) < 0.3] = math.nan
    values[3], values[4] = math.nan, 1.0
    assert median_rows(values)[4] == Estimate(1.0, 1.0, 1.0, 0.95, 9)
    alone = [median(row) for row in values]
    assert [repr(one) for one in median_rows(values)] == list(map(repr, alone))


def test_no_row_has_no_estimate() -> None:
    assert median_rows(np.zeros((0, 8))) == ()
    assert [one.lack for one in median_rows(np.zeros((2, 0)))] == [Lack.NOTHING] * 2


@pytest.mark.parametrize("blocks", [6, 7, 8, 10, 13, 16])
@pytest.mark.parametrize("noise", ["normal", "exponential"])
def test_median_is_covered_as_often_as_asked_for_even_in_lopsided_noise(
    noise: str, blocks: int
) -> None:
    rng = np.random.default_rng(blocks)
    values = getattr(rng, f"standard_{noise}")((4000, blocks))
    truth = {"normal": 0.0, "exponential": math.log(2)}[noise]
    covered = np.mean([one.holds(truth) for one in median_rows(values)])
    assert 0.935 <= covered <= 0.965  # 95 % within four standard errors


# -- shift -----------------------------------------------------------------------------------------


def test_shift_is_the_median_of_differences_by_hand() -> None:
    # 5 - 1, 5 - 2, 9 - 1, 9 - 2: 3 4 7 8
    assert shift([1, 2], [5, 9]).value == 5.5


def test_four_against_four_give_the_extreme_differences() -> None:
    interval = shift([1, 2, 3, 4], [11, 12, 13, 14])
    assert (interval.low, interval.value, interval.high) == (7, 10, 13)
    assert interval.level == pytest.approx(1 - 2 / 70)


def test_three_against_three_are_too_few() -> None:
    interval = shift([1, 2, 3], [4, 5, 6])
    assert unbounded(interval)
    assert interval.value == 3


@pytest.mark.parametrize(("first", "second"), [([], [1.0]), ([1.0], []), ([], [])])
def test_shift_of_an_empty_sample_has_no_estimate(first: list[float], second: list[float]) -> None:
    interval = shift(first, second)
    assert math.isnan(interval.value)
    assert unbounded(interval)


def test_shift_the_other_way_round_is_the_opposite() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.random(6), rng.random(9)
    there, back = shift(first, second), shift(second, first)
    assert there.value == pytest.approx(-back.value)
    assert back.bounds is not None
    assert there.bounds == pytest.approx((-back.bounds[1], -back.bounds[0]))


def test_shift_of_ties_is_zero() -> None:
    interval = shift([2] * 5, [2, 2, math.nan, 2, 2])
    assert (interval.low, interval.value, interval.high) == (0, 0, 0)


# -- order statistics ------------------------------------------------------------------------------


def test_bootstrap_repeats_with_its_seed_and_only_then() -> None:
    rng = np.random.default_rng(3)
    blocks = [rng.exponential(1 + b / 10, 50) for b in range(8)]
    same = [bootstrap_quantile(blocks, 0.9, seed) for seed in (1, 1, 2)]
    assert same[0] == same[1] != same[2]
    assert same[0].bounds is not None
    assert same[0].bounds[0] < same[0].value < same[0].bounds[1]


def test_bootstrap_quantile_is_that_of_all_values_together() -> None:
    blocks = [np.arange(50.0), np.arange(50.0, 101.0)]
    assert bootstrap_quantile(blocks, 0.9, 0).value == pytest.approx(90)


def test_blocks_that_differ_widen_the_interval() -> None:
    values = np.random.default_rng(4).standard_normal((8, 40))
    moved = values + np.arange(8)[:, None]
    alike, apart = (bootstrap_quantile(list(v), 0.9, 0) for v in (values, moved))
    assert apart.half_width > 2 * alike.half_width


def test_bootstrap_of_one_block_or_none_has_no_bounds() -> None:
    one, none = bootstrap_quantile([np.ones(5)], 0.9, 0), bootstrap_quantile([], 0.9, 0)
    assert unbounded(one)
    assert one.value == 1
    assert unbounded(none)
    assert math.isnan(none.value)


def test_bootstrap_leaves_empty_blocks_out() -> None:
    blocks = [np.arange(9.0), np.array([math.nan]), np.zeros(0), np.arange(9.0)]
    assert bootstrap_quantile(blocks, 0.5, 0).value == 4


def test_weighted_median_has_half_of_the_weight_on_either_side() -> None:
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0])
    assert weighted_row_medians(values, weights) == 2
    assert weighted_row_medians(values, np.array([5.0, 1.0, 1.0])) == 3


def test_equal_weights_give_the_median_and_half_a_weight_exactly_the_middle_of_two() -> None:
    rows = np.random.default_rng(3).standard_normal((20, 7))
    for some in (rows, rows[:, :6]):
        alike = weighted_row_medians(some, np.full(some.shape, 0.1))
        assert alike == pytest.approx(np.median(some, axis=1))
    assert weighted_row_medians(np.array([1.0, 2, 9]), np.array([0.3, 0.1, 0.2])) == 1.5


def test_weighted_median_leaves_out_what_is_missing_or_weighs_nothing() -> None:
    assert weighted_row_medians(np.array([math.nan, 4, 9]), np.array([9.0, 1, 0])) == 4
    assert np.isnan(weighted_row_medians(np.array([1.0, math.nan]), np.array([0.0, 1])))
    assert np.isnan(weighted_row_medians(np.zeros((2, 0)), np.zeros((2, 0)))).all()
