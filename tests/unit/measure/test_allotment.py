"""How a campaign's time is divided, by hand and in simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.measure.budget import (
    FEWEST_VISITS,
    MOST_VISITS,
    USUAL_VISITS,
    Allotment,
    BlockCosts,
    BlockLimits,
    allotted,
    block_share,
    optimal_visits,
)
from leadline.statistics.intervals import Floats

COSTS = BlockCosts(startup_s=1.0, launch_s=0.1, visit_s=0.2)
USUAL = Allotment(blocks=0, visits=8, launches=4)


@pytest.mark.parametrize(
    ("startup_s", "visit_s", "share", "visits"),
    [
        (4.0, 1.0, 0.04, 10),  # sqrt(4 / 0.04)
        (1.0, 1.0, 1 / 64, 8),
        (1.0, 1.0, 1.0, FEWEST_VISITS),  # 1
        (9.0, 1.0, 0.0, MOST_VISITS),  # blocks have nothing of their own: visits alone count
    ],
)
def test_optimal_visits_by_hand(
    startup_s: float, visit_s: float, share: float, visits: int
) -> None:
    assert optimal_visits(startup_s, visit_s, share) == visits


def test_block_costs_by_hand() -> None:
    assert COSTS.block_s(visits=8, launches=4) == pytest.approx(1.0 + 0.3 + 1.6)


def test_time_becomes_blocks_and_what_is_left_over_visits() -> None:
    found = allotted(
        30.0, BlockLimits(6, 9, 9, 64), COSTS, USUAL
    )  # 10 blocks of 2.9 s; 0.1 s over each
    assert found == Allotment(10, 8, 4)
    found = allotted(
        31.5, BlockLimits(6, 9, 9, 64), COSTS, USUAL
    )  # 10 of 3.15 s have room for a ninth
    assert found == Allotment(10, 9, 4)


def test_more_blocks_than_are_of_use_become_visits() -> None:
    assert allotted(1000.0, BlockLimits(6, 9, 9, 64), COSTS, USUAL) == Allotment(64, MOST_VISITS, 4)


def test_launches_then_visits_are_dropped_for_the_blocks_needed() -> None:
    limits = BlockLimits(6, 9, 9, 64)
    assert allotted(9 * 2.8, limits, COSTS, USUAL) == Allotment(9, 8, 3)
    assert allotted(9 * 2.5, limits, COSTS, USUAL) == Allotment(9, 7, 2)
    assert allotted(9 * 1.91, limits, COSTS, USUAL) == Allotment(9, FEWEST_VISITS, 2)


def test_visits_beyond_the_usual_give_way_to_ample_blocks() -> None:
    many = Allotment(9, 24, 2)  # of 5.9 s, 10 in a minute
    assert allotted(60.0, BlockLimits(6, 9, 9, 64), COSTS, many) == Allotment(10, 24, 2)
    assert allotted(60.0, BlockLimits(6, 9, 16, 64), COSTS, many) == Allotment(16, 13, 2)
    assert allotted(60.0, BlockLimits(6, 9, 40, 64), COSTS, many) == Allotment(22, 8, 2)


def test_below_that_fewer_blocks_come_before_fewer_visits() -> None:
    limits = BlockLimits(6, 9, 9, 64)
    assert allotted(7 * 1.91, limits, COSTS, USUAL) == Allotment(7, FEWEST_VISITS, 2)
    assert allotted(6 * 1.51, limits, COSTS, USUAL) == Allotment(6, 2, 2)
    assert allotted(0.0, limits, COSTS, USUAL) == Allotment(6, 1, 1)


def test_no_time_and_no_block_that_must_be_ends_a_campaign() -> None:
    assert allotted(1.8, BlockLimits(0, 0, 0, 60), COSTS, USUAL).blocks == 0
    assert allotted(-1.0, BlockLimits(0, 3, 3, 60), COSTS, USUAL).blocks == 0
    assert allotted(100.0, BlockLimits(0, 0, 0, 0), COSTS, USUAL).blocks == 0


def test_blocks_that_are_counted_take_all_the_time_in_visits() -> None:
    assert allotted(40.0, BlockLimits(10, 10, 10, 10), COSTS, USUAL) == Allotment(10, 13, 4)
    assert allotted(0.0, BlockLimits(10, 10, 10, 10), COSTS, USUAL) == Allotment(10, 1, 1)


def share_of(log_ratios: Floats) -> float | None:
    """Where all visits count alike."""
    return block_share(log_ratios, np.ones(log_ratios.shape))


def test_what_blocks_and_visits_have_of_the_variance_by_hand() -> None:
    # medians of the halves 1, 3 and -1, -3: covariance ((1)(3) + (-1)(-3)) / 1 = 6; the halves
    # differ by 2 in either block, 4 / 2 = 2, of two visits: 4
    one = np.array([[[1.0, 1.0, 3.0, 3.0], [-1.0, -1.0, -3.0, -3.0]]])
    assert share_of(one) == pytest.approx(6 / 4)
    # a row in other units counts alike
    assert share_of(np.vstack([one, 10 * one])) == pytest.approx(6 / 4)


def test_nothing_is_said_of_too_few_visits_or_blocks_or_of_no_spread() -> None:
    rng = np.random.default_rng(1)
    assert share_of(rng.normal(size=(5, 1, 8))) is None
    assert share_of(rng.normal(size=(5, 6, 3))) is None
    assert share_of(np.zeros((5, 3, 8))) is None
    assert share_of(np.empty((0, 3, 8))) is None
    assert share_of(np.full((2, 3, 8), np.nan)) is None


def test_visits_that_do_not_count_are_no_scatter_of_visits() -> None:
    # weights 3 and 1 tell as much as 16 / 10 equal visits: (3.0 - 1.0)^2 over 2 / 1.6 is 3.2
    one = np.array([[[1.0, 1.0, 3.0, 3.0], [-1.0, -1.0, -3.0, -3.0]]])
    uneven = np.array([[[3.0, 1.0, 3.0, 1.0]] * 2])
    assert block_share(one, uneven) == pytest.approx(6 / 3.2)
    rng = np.random.default_rng(3)
    calm = rng.normal(size=(4, 6, 1)) + rng.normal(size=(4, 6, 8))
    struck, weights = calm.copy(), np.ones(calm.shape)
    late = [0, 1, 4, 5]
    struck[:, :, late] += rng.exponential(20, (4, 6, 4))
    weights[:, :, late] = 0
    kept = share_of(np.delete(calm, late, axis=2))
    assert block_share(struck, weights) == pytest.approx(kept)
    assert share_of(struck) != pytest.approx(kept, rel=0.3)


def test_what_is_missing_is_left_out() -> None:
    rng = np.random.default_rng(2)
    whole = rng.normal(size=(4, 5, 8))
    holes = np.full((5, 6, 12), np.nan)
    holes[:4, :5, :8] = whole
    holes[:4, 5, :2] = 1.0  # a block that was cut short
    holes[4, 0] = 1.0  # a cell that failed later on
    assert share_of(holes) == pytest.approx(share_of(whole))


@pytest.mark.parametrize("heavy_tails", [False, True])
@pytest.mark.parametrize("best", [5, 8, 12, 20])
def test_three_blocks_lead_near_the_optimum(best: int, heavy_tails: bool) -> None:
    """Planned by simulated blocks, means vary little more than with the best number of visits."""
    rng = np.random.default_rng(best)
    visit_variance = _variance_of_medians(rng, heavy_tails)
    startup_s, visit_s = 1.5, 0.3
    share = startup_s / visit_s / best**2
    block_sd = math.sqrt(share * visit_variance)

    def variance(visits: int) -> float:
        return (startup_s + visits * visit_s) * (share + 1 / visits)

    losses = []
    for _ in range(200):
        found = share_of(_log_ratios(rng, 3, block_sd, heavy_tails))
        assert found is not None
        losses.append(variance(optimal_visits(startup_s, visit_s, found)) / variance(best) - 1)
    assert np.mean(losses) < 0.12, losses


def _log_ratios(rng: np.random.Generator, blocks: int, block_sd: float, heavy: bool) -> Floats:
    """Of 12 cells in USUAL_VISITS visits that spread by 1; cells share a third of the blocks'."""
    shape = 12, blocks, USUAL_VISITS
    own = math.sqrt(2 / 3) * rng.standard_normal((12, blocks, 1))
    shared = math.sqrt(1 / 3) * rng.standard_normal((1, blocks, 1))
    visits = rng.standard_t(3, shape) if heavy else rng.standard_normal(shape)
    return np.asarray(block_sd * (own + shared) + visits)


def _variance_of_medians(rng: np.random.Generator, heavy: bool) -> float:
    """That of the median of half a block's visits, times their number."""
    half = USUAL_VISITS // 2
    visits = _log_ratios(rng, 2000, 0.0, heavy)[..., :half]
    return float(half * np.median(visits, axis=2).var())
