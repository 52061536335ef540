from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats
from syrupy.assertion import SnapshotAssertion

from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Significance
from leadline.statistics.two_samples import (
    Spread,
    unpaired_estimates,
    unpaired_significance,
)

NAN = math.nan


def significance(first: Floats, second: Floats, margin: float, spread: float = 0) -> Significance:
    stated = Spread.stated(spread, len(first))
    return unpaired_significance(first, second, -margin, margin, 0, stated)


def test_two_samples_are_as_significant_as_the_flips_of_welchs_statistic() -> None:
    first, second = np.array([1.0, 2, 3, 5]), np.array([4.0, 6, 8, 9, 31])
    seen = stats.ttest_ind(second, first, equal_var=False).statistic
    apart = [one - one.mean() for one in (second, first)]
    by_chance = [
        stats.ttest_ind(apart[0] * signs[:5], apart[1] * signs[5:], equal_var=False).statistic
        for signs in np.array(list(product((1, -1), repeat=9)))
    ]
    exact = np.mean(np.array(by_chance[1:]) >= seen) * 511 / 512 * 2 + 1 / 512
    found = significance(first[None], second[None], 0.0)
    # two-sided at no margin; the first flip stands for what was observed
    assert found.above == pytest.approx([exact, exact])


@pytest.mark.parametrize("blocks", [0, 1, 8])
def test_nothing_measured_is_not_significant(blocks: int) -> None:
    nothing = np.full((2, blocks), NAN)
    found = significance(nothing, nothing, 0.02)
    assert (found.above == 1).all()
    assert (found.below == 1).all()


def test_two_runs_with_missing_blocks_are_still_compared() -> None:
    rng = np.random.default_rng(8)
    first, second = rng.normal(0, 0.01, (3, 6)), rng.normal(0.2, 0.01, (3, 7))
    first[1, 2], second[2, :2] = NAN, NAN
    found = significance(first, second, 0.02)
    assert (found.above <= 0.01).all()
    assert (found.below > 0.9).all()


def test_a_cell_too_thin_on_one_side_leaves_the_others_alone() -> None:
    rng = np.random.default_rng(9)
    first, second = rng.normal(0, 0.01, (2, 6)), rng.normal(0.2, 0.01, (2, 6))
    first[1, 1:], second[1, 4:] = NAN, NAN  # 1 against 4
    found = significance(first, second, 0.02)
    assert found.above[0] <= 0.01
    assert found.above[1] == 1


def test_a_cell_with_half_of_its_blocks_is_still_compared() -> None:
    rng = np.random.default_rng(10)
    first, second = rng.normal(0, 0.01, (2, 8)), rng.normal(0.2, 0.01, (2, 8))
    first[1, 4:], second[1, 4:] = NAN, NAN  # 4 against 4 of 16 blocks
    found = significance(first, second, 0.02)
    assert (found.above <= 0.05).all()


def test_interval_is_what_the_test_does_not_reject() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(0, 0.06, (1, 6)), rng.normal(0, 0.02, (1, 14))
    found = unpaired_estimates(first, second, 0, Spread.stated(0, 1))[0]
    assert found.bounds is not None
    assert found.value == pytest.approx(second.mean() - first.mean())
    for bound, sign in zip(found.bounds, (1, -1), strict=True):
        for step, rejected in ((-0.004, True), (0.004, False)):
            shifted = second - (bound + sign * step)
            both = significance(first, shifted, 0.0)
            assert bool(min(both.above[0], both.below[0]) <= 0.05) is rejected


def test_interval_covers_where_one_sample_scatters_more() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(0, 0.06, (120, 6)), rng.normal(0, 0.02, (120, 24))
    found = [
        unpaired_estimates(a[None], b[None], 0, Spread.stated(0, 1))[0].holds(0)
        for a, b in zip(first, second, strict=True)
    ]
    assert 0.88 <= np.mean(found) <= 0.99


def test_an_interval_is_the_same_whatever_was_measured_beside_it() -> None:
    rng = np.random.default_rng(12)
    first, second = rng.normal(0, 0.06, (12, 6)), rng.normal(0, 0.02, (12, 6))
    found = unpaired_estimates(first, second, 0, Spread.stated(0, 12))
    for a, b, beside in zip(first, second, found, strict=False):
        assert unpaired_estimates(a[None], b[None], 0, Spread.stated(0, 1))[0] == beside


def test_a_stated_spread_adds_its_variance() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(0, 0.001, (1, 12)), rng.normal(0.1, 0.001, (1, 12))
    found = unpaired_estimates(first, second, 0, Spread.stated(0.03, 1))[0]
    # 1.96 sqrt(2) 0.03, nothing else being large
    assert found.half_width == pytest.approx(1.96 * math.sqrt(2) * 0.03, rel=0.05)
    assert significance(first, second, 0.0, spread=0.03).above[0] <= 0.05
    assert significance(first, second, 0.0, spread=0.08).above[0] > 0.05


def test_a_recorded_spread_is_as_uncertain_as_its_few_runs_make_it() -> None:
    rng = np.random.default_rng(6)
    first, second = rng.normal(0, 0.001, (1, 12)), rng.normal(0.1, 0.001, (1, 12))
    spread = Spread.recorded([[np.array([[level]]) for level in (0.97, 1.0, 1.03)]])
    assert spread.freedom == 2
    assert spread.sizes == pytest.approx([0.03, 0.03])
    found = unpaired_estimates(first, second, 0, spread)[0]
    # Student's t with two degrees of freedom has 4.30 where the normal distribution has 1.96
    assert found.half_width == pytest.approx(4.30 * math.sqrt(2) * 0.03, rel=0.15)


def test_a_spread_is_that_within_groups_by_hand() -> None:
    # levels 1 and 3, then 10 and 10: squared deviations 1 + 1 + 0 + 0 over 4 - 2
    groups = [[np.array([[1.0, 1.0]]), np.array([[2.0, 4.0]])], [np.full((1, 2), 10.0)] * 2]
    spread = Spread.recorded(groups)
    assert spread.sizes == pytest.approx([1, 1])
    # the level of 2 and 4 has variance 2 / 2, the others none
    assert spread.of_blocks == pytest.approx([1 / 4, 1 / 4])


def test_a_spread_of_the_average_is_that_of_runs_averages() -> None:
    runs = [np.array([[0.1], [-0.1]]), np.array([[-0.1], [0.1]])]
    assert Spread.recorded([runs]).sizes == pytest.approx([math.sqrt(0.02), math.sqrt(0.02), 0])
    assert Spread.stated(0.02, 2).sizes == pytest.approx([0.02, 0.02, 0.02])


def test_single_runs_tell_no_spread(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(ValueError) as caught:
        Spread.recorded([[np.zeros((1, 3))], []])
    assert str(caught.value) == snapshot


def test_what_recorded_levels_have_of_their_blocks_scatter_is_not_added_again() -> None:
    rng = np.random.default_rng(7)
    runs = [rng.normal(0, 0.03, (1, 8)) for _ in range(30)]
    spread = Spread.recorded([runs])
    found = unpaired_estimates(runs[0], runs[1], 0, spread)[0]
    # of two levels that differ by their blocks alone: 2.045 standard errors, 29 degrees of freedom
    excess = np.sqrt(max(sum(r.var(ddof=1) / 8 for r in runs[:2]) - 2 * spread.of_blocks[0], 0))
    once = 2.045 * math.sqrt(2) * spread.sizes[0]
    assert once * 0.95 <= found.half_width <= (once + 2.5 * excess) * 1.05
    assert spread.sizes[0] == pytest.approx(0.03 / math.sqrt(8), rel=0.3)
