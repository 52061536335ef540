from __future__ import annotations

import numpy as np
import pytest

from leadline.models.resampling import (
    DRAWS,
    covariance,
    drawn_in,
    drawn_medians,
    freedom,
    medians,
    spread,
    without_strays,
)
from leadline.statistics.intervals import Floats


def test_medians_leave_out_what_is_missing() -> None:
    nan = np.nan
    values = np.array([[3.0, 1.0, 2.0], [nan, 1.0, 2.0], [nan, 4.0, nan], [nan, nan, nan]])
    np.testing.assert_array_equal(medians(values), [2, 1.5, 4, nan])


def test_whole_blocks_are_drawn_so_that_sizes_keep_together() -> None:
    launches = np.random.default_rng(1).lognormal(0, 0.1, 12)
    draws = drawn_medians(np.stack([launches, 2 * launches])[None], seed=3)
    assert draws.shape == (DRAWS, 1, 2)
    assert draws[:, 0, 1] == pytest.approx(2 * draws[:, 0, 0])
    assert len(np.unique(draws[:, 0, 0])) > 10


def test_whole_blocks_are_drawn_so_that_numbers_of_ranks_keep_together() -> None:
    launches = np.random.default_rng(1).lognormal(0, 0.1, 12)
    draws = drawn_medians(np.stack([launches, 2 * launches])[:, None], seed=3)[..., 0]
    assert draws[:, 1] == pytest.approx(2 * draws[:, 0])


def test_blocks_that_nothing_was_measured_in_are_not_drawn() -> None:
    blocks = np.random.default_rng(1).lognormal(0, 0.1, (2, 3, 8))
    apart = np.full((2, 3, 16), np.nan)
    apart[..., ::2] = blocks
    assert (drawn_medians(apart, 3) == drawn_medians(blocks, 3)).all()


def test_the_same_seed_draws_the_same() -> None:
    blocks = np.random.default_rng(1).lognormal(0, 0.1, (1, 3, 8))
    assert (drawn_medians(blocks, 5) == drawn_medians(blocks, 5)).all()
    assert (drawn_medians(blocks, 5) != drawn_medians(blocks, 6)).any()


def test_a_point_that_no_drawn_block_has_keeps_its_median() -> None:
    blocks = np.random.default_rng(1).lognormal(0, 0.1, (1, 2, 8))
    blocks[0, 1, 1:] = np.nan
    draws = drawn_medians(blocks, 0)[:, 0, 1]
    assert set(draws.tolist()) == {float(blocks[0, 1, 0])}


def test_a_delayed_block_is_drawn_in_and_others_stay() -> None:
    # median 3, absolute deviations 2, 1, 0, 1, 97: their median is 1, so the reach 3 x 1.4826
    found = drawn_in(np.array([1.0, 2, 3, 4, 100]))
    assert found == pytest.approx([1, 2, 3, 4, 3 + 3 * 1.4826])
    assert (drawn_in(np.full(4, 2.0)) == 2.0).all()


def test_nothing_is_drawn_in_where_more_than_half_are_alike() -> None:
    ticks = np.array([[1.0, 1, 1, 2], [1, 2, 3, 100]])
    assert drawn_in(ticks)[0].tolist() == [1, 1, 1, 2]
    assert drawn_in(ticks)[1, 3] < 10


def test_spread_counts_all_draws_by_hand() -> None:
    # nine of ten alike and one 10 off: the mean is 1, and (9 x 1 + 81) / 9 are 10
    assert spread(np.array([[0.0]] * 9 + [[10.0]])) == pytest.approx([10**0.5])


def test_covariance_has_the_squares_of_spreads_on_its_diagonal() -> None:
    generator = np.random.default_rng(4)
    draws = generator.multivariate_normal([1, 2], [[4, -3], [-3, 9]], 20_000)
    assert covariance(draws) == pytest.approx(np.array([[4, -3], [-3, 9]]), rel=0.1)
    assert np.diag(covariance(draws)) == pytest.approx(spread(draws) ** 2)
    assert covariance(draws[:, :1]).shape == (1, 1)


def launches(slow: int, blocks: int = 12) -> Floats:
    """Of six sizes on two numbers of ranks, `slow` blocks 1.3 times longer; 1 % of noise."""
    noise = np.exp(0.01 * np.random.default_rng(2).standard_normal((2, 6, blocks)))
    return noise * np.where(np.arange(blocks) < slow, 1.3, 1.0)


def test_launches_of_another_kind_stay_where_they_are_several() -> None:
    assert without_strays(launches(3))[..., :3].mean() == pytest.approx(1.3, rel=0.02)
    assert without_strays(launches(2))[..., :2].mean() < 1.1


def test_what_strays_at_single_sizes_is_drawn_in_however_many_blocks_do() -> None:
    blocks = launches(0)
    blocks[:, [0, 2, 4], [1, 5, 7]] *= 3
    assert without_strays(blocks).max() < 1.1


def test_two_sizes_do_not_tell_what_a_block_shares() -> None:
    assert without_strays(launches(3)[:, :2])[..., :3].mean() < 1.15


def test_points_that_err_alike_are_one() -> None:
    alike = np.exp(0.02 * np.random.default_rng(3).standard_normal((1, 1, 12)))
    assert freedom(np.tile(alike, (4, 10, 1))) == pytest.approx(11)
    assert freedom(np.ones((2, 3, 12))) == 11


def test_points_that_err_apart_are_many() -> None:
    found = [
        freedom(np.exp(0.02 * np.random.default_rng(seed).standard_normal((4, 10, 12))))
        for seed in range(20)
    ]
    assert 200 < np.median(found) <= 440
    assert max(found) <= 11 * 40
