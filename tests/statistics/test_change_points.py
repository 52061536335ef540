from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.statistics.change_points import (
    best_split,
    change_points,
    drawn_in,
    fewest_values,
    stretch_statistics,
    strongest_stretch,
)


def test_statistic_of_a_stretch_is_worked_out_by_hand() -> None:
    # The mean is 2.5. 1 + 2 is 2 less than two of it, 2 + 3 is just that; sqrt(2 * 2 / 4) = 1.
    assert stretch_statistics(np.array([1.0, 2.0, 3.0, 4.0]), 2) == pytest.approx([-2, 0, 2])
    # One value: 1.5 less over sqrt(1 * 3 / 4).
    first = stretch_statistics(np.array([1.0, 2.0, 3.0, 4.0]), 1)[0]
    assert first == pytest.approx(-1.5 / math.sqrt(0.75))


def test_a_stretch_and_what_is_outside_are_as_far_from_chance() -> None:
    values = np.array([2.0, 1.0, 5.0, 3.0, 4.0])
    inside, outside = stretch_statistics(values, 2), stretch_statistics(values, 3)
    assert inside[0] == pytest.approx(-outside[2])
    assert inside[3] == pytest.approx(-outside[0])


def test_p_value_counts_the_orders_by_hand() -> None:
    # Of the six patterns 0011 0101 0110 1001 1010 1100, all but 0101 and 1010 have two equal ones
    # in a row with both others outside, whose statistic, 1, is the largest there can be.
    first, end, p = strongest_stretch(np.array([0.0, 0.0, 1.0, 1.0]))
    assert (first, end) == (0, 2)
    assert p == pytest.approx(4 / 6)


def test_best_split_is_worked_out_by_hand() -> None:
    # 0 0 3 3 3, mean 1.8: sums -1.8 -3.6 -2.4 -1.2 over sqrt of 0.8 1.2 1.2 0.8.
    assert best_split(np.array([0.0, 0.0, 3.0, 3.0, 3.0])) == 2


def test_stray_values_are_drawn_in_by_hand() -> None:
    # Median 3, absolute deviations 2 1 0 1 97, their median 1.
    found = drawn_in(np.array([1.0, 2.0, 3.0, 4.0, 100.0]))
    assert found == pytest.approx([1, 2, 3, 4, 3 + 3 * 1.4826])
    assert drawn_in(np.array([1.0, 1.0, 1.0, 9.0])).tolist() == [1, 1, 1, 9]


@pytest.mark.parametrize("values", [[], [1.0]])
def test_a_series_too_short_to_cut_is_not_cut(values: list[float]) -> None:
    assert strongest_stretch(np.array(values)) == (0, len(values), 1.0)
    assert change_points(np.array(values), 0.05) == ()


def test_equal_values_never_change() -> None:
    assert strongest_stretch(np.full(6, 3.0))[2] == 1.0
    assert change_points(np.full(20, 3.0), 0.05) == ()


def test_fewest_values_are_those_whose_best_stretch_is_rare_enough() -> None:
    # 9 / C(9, 4) = 0.071, 10 / C(10, 5) = 0.040.
    assert fewest_values(0.05) == 10
    assert fewest_values(0.08) == 9


def test_a_level_that_lasted_for_a_while_is_found_at_both_ends() -> None:
    noise = np.random.default_rng(2).normal(0, 0.01, 20)
    level = np.repeat([1.0, 1.1, 1.0], [8, 5, 7])
    assert change_points(level + noise, 0.05) == (8, 13)


def test_two_steps_are_found_where_they_are() -> None:
    noise = np.random.default_rng(3).normal(0, 0.01, 30)
    level = np.repeat([1.0, 1.1, 0.9], 10)
    assert change_points(level + noise, 0.05) == (10, 20)


def test_one_stray_run_is_no_change() -> None:
    values = np.random.default_rng(4).normal(0, 0.01, 20)
    values[12] = 50.0
    assert change_points(values, 0.05) == ()


def test_a_series_without_change_raises_an_alarm_about_as_often_as_said() -> None:
    rng = np.random.default_rng(5)
    alarms = sum(bool(change_points(rng.normal(size=12), 0.05)) for _ in range(200))
    assert alarms <= 20  # 10 are expected; more than 20 have a chance of 0.002


def test_scale_and_origin_do_not_matter() -> None:
    values = np.random.default_rng(6).normal(size=15)
    assert strongest_stretch(values) == strongest_stretch(3 * values + 7)
