from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.papers.cray_mpt.printed import J90, PES, SYSTEMS, T3D, value
from leadline.papers.estimates import (
    Quantity,
    Signed,
    bandwidth,
    estimate,
    highest,
    highest_of_all,
    intercept,
    linear_over_logarithmic,
    rates,
    ratio,
)
from leadline.papers.layout import measured, published
from leadline.statistics.estimate import Estimate


def quantity(*values: float, run: str = "one") -> Quantity:
    return Quantity(run, np.log(np.array(values)))


def test_estimate_lies_between_the_extremes_of_six_blocks() -> None:
    found = estimate(quantity(1, 2, 4, 8, 16, 32))
    assert found.value == pytest.approx(
        math.sqrt(32)
    )  # the centre of log values 0 .. 5 times log 2
    assert [found.low, found.high] == pytest.approx([2 ** (5 / 14), 2 ** (5 - 5 / 14)])


def test_estimate_of_five_blocks_has_no_bounds() -> None:
    found = estimate(quantity(1, 1, 1, 1, 1))
    assert (found.value, found.bounds, found.n) == (1, None, 5)


def test_scaling_moves_the_bounds_too() -> None:
    assert Estimate(2, 1, 3).scaled(10) == Estimate(20, 10, 30)
    assert Estimate(2).scaled(10) == Estimate(20)


def test_ratio_within_a_run_is_free_of_what_moves_both() -> None:
    moods = np.array([1, 2, 4, 8, 16, 32])
    found = ratio(quantity(*(3 * moods)), quantity(*moods))
    assert (found.value, found.low, found.high) == pytest.approx((3, 3, 3))


def test_ratio_of_two_runs_is_not_paired() -> None:
    moods = np.array([1, 2, 4, 8, 16, 32])
    found = ratio(quantity(*(3 * moods)), quantity(*moods, run="two"))
    assert found.value == pytest.approx(3)
    assert found.low is not None and found.low < 1


@pytest.mark.parametrize("blocks", [3, 8])
def test_ratio_of_two_runs_is_that_of_the_medians_printed_beside_it(blocks: int) -> None:
    """Two slow blocks of eight move the mean by a factor of 10^0.5, and no median."""
    calm = [1.0] * blocks
    stormy = [*calm[:-2], 100.0, 100.0] if blocks > 3 else [*calm[:-1], 100.0]
    over, under = quantity(*calm), quantity(*stormy, run="two")
    found = ratio(over, under)
    assert found.value == pytest.approx(estimate(over).value / estimate(under).value)
    assert found.value == pytest.approx(1)
    assert (found.bounds is None) == (blocks == 3)
    assert found.holds(found.value)


def test_bounds_of_two_runs_reach_to_their_medians() -> None:
    """Where five blocks of eleven are slow, the whole interval of the means lies off them."""
    over, under = quantity(*[1.0] * 11), quantity(*[1.0] * 6, *[100.0] * 5, run="two")
    found = ratio(over, under)
    assert found.value == pytest.approx(1)
    assert found.bounds and found.bounds[0] <= 1 <= found.bounds[1] * (1 + 1e-12)


def test_ratio_of_two_quiet_runs_is_as_sure_as_they_are() -> None:
    quiet = 1.01 ** np.array([-2, -1, 0, 0, 1, 2])
    found = ratio(quantity(*(3 * quiet)), quantity(*quiet, run="two"))
    assert found.low is not None and found.high is not None
    assert 2.8 < found.low < 3 < found.high < 3.2


def test_ratio_of_two_runs_leaves_either_its_own_variance() -> None:
    # 6 blocks of 12 % against 24 of 1 %: ranks of both together take one for the other's scatter
    rng = np.random.default_rng(1)

    def holds() -> bool:
        wide = Quantity("one", rng.normal(0, 0.12, 6))
        narrow = Quantity("two", rng.normal(0, 0.01, 24))
        return ratio(wide, narrow).holds(1.0)

    assert np.mean([holds() for _ in range(100)]) >= 0.9


def test_product_is_that_of_each_block() -> None:
    two, three = quantity(2, 4), quantity(3, 6)
    assert np.exp(two.times(three).logs) == pytest.approx([6, 24])
    assert two.times(Quantity("one", three.logs, crowded=True)).crowded


def test_difference_is_that_of_each_block() -> None:
    signed = Signed("one", np.array([5.0, 7.0]))
    assert signed.above(quantity(2, 3)).values == pytest.approx([3, 4])
    assert signed.above(Signed("one", np.array([6.0, 6.0]))).values == pytest.approx([-1, 1])
    assert signed.above(Quantity("one", np.log([2.0, 3.0]), crowded=True)).crowded


def test_one_size_on_shared_cores_crowds_what_is_made_of_it() -> None:
    curve = {size: quantity(1e-6 + size / 1e9) for size in (2**20, 3 * 2**19, 2**21)}
    curve[2**21] = Quantity("one", curve[2**21].logs, crowded=True)
    found, rate = intercept(curve), bandwidth(curve)
    assert found and rate and found.crowded and rate.crowded
    assert [one.crowded for one in rates(curve).values()] == [False, False, True]
    assert np.exp(rates(curve)[2**20].logs) == pytest.approx([2**20 / (1e-6 + 2**20 / 1e9)])


def test_highest_is_of_what_has_an_interval_where_anything_has() -> None:
    sure, unsure = quantity(*[1.0] * 6), quantity(2.0)
    assert highest({1: sure, 2: unsure})[0] == 1
    assert highest_of_all({1: sure, 2: unsure})[0] == 2
    assert highest({1: quantity(1.0), 2: unsure})[0] == 2


def test_entry_says_whether_it_was_printed_or_crowded() -> None:
    assert published(1.0)[0].published
    shared = measured(lambda: Quantity("one", np.zeros(6), crowded=True))
    assert shared.crowded and not shared.published


def test_bandwidth_is_the_slope_of_each_block() -> None:
    # half round trips of 1 us + size / r, r being 10^9 in the first block and 2 10^9 in the second
    sizes = (0, 2**18, 2**19, 2**20)
    curve = {size: quantity(1e-6 + size / 1e9, 1e-6 + size / 2e9) for size in sizes}
    found = bandwidth(curve)
    assert found is not None
    assert np.exp(found.logs) == pytest.approx([1e9, 2e9])


def test_block_that_lacks_a_size_has_no_bandwidth() -> None:
    curve = {size: quantity(size / 1e9, size / 1e9) for size in (2**18, 2**19)}
    curve[2**20] = quantity(2**20 / 1e9, math.nan)
    found = bandwidth(curve)
    assert found is not None
    assert np.isnan(found.logs).tolist() == [False, True]


def test_small_messages_alone_show_no_bandwidth() -> None:
    assert bandwidth({8: quantity(1e-6), 1024: quantity(2e-6)}) is None
    assert bandwidth({}) is None


def growth(system: str) -> Estimate:
    times = {pes: quantity(*[value(system, "table2", pes, "time")] * 6) for pes in PES}
    found = linear_over_logarithmic(times)
    assert found is not None
    return found


def test_growth_of_the_papers_barriers_is_what_the_paper_says() -> None:
    # residuals in us^2, by hand. T3D: linear 6.7e-4, logarithmic 1.8e-4. J90: 12.8, 73.5.
    assert {system: growth(system).value > 1 for system in SYSTEMS} == {T3D: True, J90: False}
    assert growth(T3D).value == pytest.approx(6.68e-4 / 1.80e-4, rel=0.01)
    assert growth(J90).value == pytest.approx(12.82 / 73.5, rel=0.01)


def test_growth_needs_three_numbers_of_ranks() -> None:
    assert linear_over_logarithmic({2: quantity(1.0), 4: quantity(2.0)}) is None
    assert linear_over_logarithmic({2: quantity(1.0), 3: quantity(1.5), 4: quantity(2.1)})
