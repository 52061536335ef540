from __future__ import annotations

import numpy as np
import pytest

from leadline.statistics.change_points import (
    best_split,
    change_points,
    drawn_in,
    strongest_stretch,
)


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


def test_scale_and_origin_do_not_matter() -> None:
    values = np.random.default_rng(6).normal(size=15)
    assert strongest_stretch(values) == pytest.approx(strongest_stretch(3 * values + 7))


def test_fewer_than_twelve_values_show_no_change() -> None:
    level = np.repeat([0.0, 1.0], 6) + np.random.default_rng(7).normal(0, 0.001, 12)
    assert change_points(level, 0.05) == (6,)
    assert change_points(level[1:], 0.05) == ()


def test_a_level_has_three_values() -> None:
    level = np.repeat([0.0, 1.0], [12, 3]) + np.random.default_rng(8).normal(0, 0.01, 15)
    assert change_points(level, 0.05) == (12,)
    assert change_points(level[:14], 0.05) == ()


def test_long_series_are_searched_in_steps_and_placed_exactly() -> None:
    level = np.repeat([0.0, 1.0], [61, 69]) + np.random.default_rng(9).normal(0, 0.1, 130)
    assert change_points(level, 0.05) == (61,)
