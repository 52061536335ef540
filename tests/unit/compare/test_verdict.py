from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from leadline.compare.verdict import (
    Contrast,
    Judgement,
    Paired,
    Rows,
    Unpaired,
    Verdict,
    Why,
    judge,
    logarithms,
)
from leadline.statistics.estimate import Estimate, Lack
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Significance, paired_significances
from leadline.statistics.two_samples import Spread

FASTER, SLOWER, SAME, UNDECIDED = Verdict.FASTER, Verdict.SLOWER, Verdict.SAME, Verdict.UNDECIDED
NAN = math.nan


def noise(cells: int, blocks: int, spread: float, seed: int = 0) -> Floats:
    return spread * np.random.default_rng(seed).standard_normal((cells, blocks))


def paired(ratios: npt.ArrayLike, spread: float = 0.01, blocks: int = 8) -> Paired:
    """One row for each of `ratios`, under launches that move both sides by half."""
    truth = np.log(np.asarray(ratios, dtype=np.float64))[:, None]
    launches = noise(1, blocks, 0.5, seed=1)
    return Paired(
        launches + 0 * truth, launches + truth + noise(len(truth), blocks, spread, seed=9)
    )


def judgements(contrast: Contrast, threshold: float = 0.02) -> tuple[Judgement, ...]:
    return judge(contrast, contrast.estimates(), threshold, 0)


def verdicts(contrast: Contrast, threshold: float) -> tuple[Verdict, ...]:
    return tuple(one.verdict for one in judgements(contrast, threshold))


def effect_of(contrast: Contrast, cells: int) -> Estimate:
    """Over the first `cells`."""
    return contrast.estimate(np.arange(cells)).exp()


def test_verdicts_of_clear_differences() -> None:
    assert verdicts(paired([1.1, 0.9, 1.0]), 0.02)[:3] == (SLOWER, FASTER, SAME)


def test_the_last_verdict_is_the_whole_curves() -> None:
    assert verdicts(paired([1.1] * 12), 0.02)[-1] is SLOWER
    assert verdicts(paired([0.9] * 12), 0.02)[-1] is FASTER
    assert verdicts(paired([1.0] * 12), 0.02)[-1] is SAME


def test_a_small_effect_everywhere_shows_in_the_whole_first() -> None:
    *cells, whole = verdicts(paired([1.04] * 12, spread=0.03), 0.02)
    assert whole is SLOWER
    assert cells.count(UNDECIDED) > 6


def test_within_the_threshold_is_never_slower() -> None:
    assert verdicts(paired([1.015] * 4, spread=0.001), 0.02) == (SAME,) * 5
    assert verdicts(paired([1.015] * 4, spread=0.001), 0.01) == (SLOWER,) * 5


def test_threshold_is_a_distance_of_the_ratio_from_one() -> None:
    assert verdicts(paired([0.982, 0.978], spread=1e-5), 0.02)[:2] == (SAME, FASTER)


@pytest.mark.parametrize(("baseline", "candidate"), [(100, 98), (50, 49), (300, 306), (1000, 1020)])
def test_whole_ticks_just_at_the_threshold_are_within_it(baseline: int, candidate: int) -> None:
    # rounding puts the logarithms of some of these beyond that of the threshold
    times = np.array([[baseline], [candidate]]) * 1e-9
    one, other = np.log(np.repeat(times, 12, axis=1))[:, None]
    assert verdicts(Paired(one, other), 0.02) == (SAME, SAME)


def test_much_noise_is_undecided_not_same() -> None:
    assert verdicts(paired([1.0, 1.0], spread=0.2), 0.02) == (UNDECIDED,) * 3


@pytest.mark.parametrize("blocks", [0, 1, 5])
def test_fewer_than_six_blocks_are_undecided(blocks: int) -> None:
    assert verdicts(paired([1.5, 1.0], blocks=blocks), 0.02) == (UNDECIDED,) * 3


def test_six_blocks_decide() -> None:
    assert verdicts(paired([1.5, 1.0], spread=0.002, blocks=6), 0.02)[:2] == (SLOWER, SAME)


def test_a_cell_of_few_blocks_is_undecided_beside_decided_ones() -> None:
    whole = paired([1.2, 1.2, 1.2])
    whole.candidate[1, 3:] = NAN
    contrast = replace(whole)
    assert verdicts(contrast, 0.02) == (SLOWER, UNDECIDED, SLOWER, SLOWER)


def stated(spread: float) -> Callable[[Rows], Spread]:
    return lambda rows: Spread.stated(spread, rows.size)


def test_two_runs_are_judged_without_pairing() -> None:
    base = noise(3, 7, 0.01, seed=2)
    candidate = noise(3, 9, 0.01, seed=3) + np.log([[1.2], [0.8], [1.0]])
    assert verdicts(Unpaired(base, candidate, stated(0.0)), 0.05)[:3] == (SLOWER, FASTER, SAME)


def test_one_pair_of_runs_decides_nothing_where_their_spread_is_not_known() -> None:
    base = noise(3, 7, 0.01, seed=2)
    candidate = noise(3, 9, 0.01, seed=3) + np.log([[1.2], [1.0], [1.05]])
    contrast = Unpaired(base, candidate)
    judged = judge(contrast, contrast.estimates(), 0.05, seed=0)
    assert [one.why for one in judged[:3]] == [
        Why.ONE_PAIR_OF_RUNS, Why.ONE_PAIR_OF_RUNS, Why.CROSSES
    ]  # fmt: skip


def test_what_runs_differ_by_anyway_is_in_the_interval() -> None:
    base, candidate = noise(1, 8, 0.005, seed=2), noise(1, 8, 0.005, seed=3) + 0.1
    quiet, noisy = (Unpaired(base, candidate, stated(s)) for s in (0.01, 0.06))
    assert verdicts(quiet, 0.02) == (SLOWER,) * 2
    assert verdicts(noisy, 0.02) == (UNDECIDED,) * 2


def test_pairing_sees_what_launch_effects_hide_from_two_runs() -> None:
    launches = noise(1, 8, 0.3, seed=4)
    base, candidate = launches + noise(4, 8, 0.005), launches + 0.1 + noise(4, 8, 0.005, seed=5)
    assert verdicts(Paired(base, candidate), 0.02) == (SLOWER,) * 5
    assert verdicts(Unpaired(base, candidate), 0.02) == (UNDECIDED,) * 5


def test_effect_is_the_ratio_with_its_interval() -> None:
    ratios = np.array([[3.0, 8, 1, 6, 2, 7, 4, 5]]) / 4
    contrast = Paired(np.zeros((1, 8)), np.log(ratios))
    effect = effect_of(contrast, 1)
    assert effect.n == 8
    assert effect.value == pytest.approx(math.sqrt(4 * 5) / 4)
    # 0.936 of the way from the lowest to the next, and from the highest
    assert effect.bounds == pytest.approx((2**0.93564 / 4, 8 * (7 / 8) ** 0.93564 / 4), rel=1e-4)


def test_effect_over_several_cells_is_their_geometric_mean() -> None:
    contrast = Paired(np.zeros((2, 8)), np.log([[2.0] * 8, [8.0] * 8]))
    assert effect_of(contrast, 2).value == pytest.approx(4)


def test_effect_without_a_common_block_is_unknown() -> None:
    left, right = np.array([[0.0, NAN]]), np.array([[NAN, 0.0]])
    assert effect_of(Paired(left, right), 1).lack is Lack.NOTHING
    assert effect_of(Unpaired(left, right * NAN), 1).lack is Lack.NOTHING


def test_effect_of_two_runs_counts_the_blocks_of_the_shorter() -> None:
    contrast = Unpaired(np.zeros((1, 5)), np.full((1, 9), math.log(2)))
    effect = effect_of(contrast, 1)
    assert effect.n == 5
    assert [effect.low, effect.value, effect.high] == pytest.approx([2, 2, 2])


def test_two_runs_are_averaged_over_the_same_cells() -> None:
    # the second cell is missing in one block of one run: averaging what is there would give 10
    base = np.log([[1.0] * 6, [100.0] * 6])
    candidate = np.log([[1.0] * 6, [100.0] * 6])
    candidate[1, 0] = NAN
    assert effect_of(Unpaired(base, candidate), 2).value == pytest.approx(1)


def test_logarithm_of_what_a_clock_cannot_resolve_is_missing() -> None:
    logs = logarithms(np.array([1.0, 0.0, -1e-9, NAN]))
    assert logs[0] == 0
    assert np.isnan(logs[1:]).all()


def test_ratio_of_a_block_is_the_median_of_its_visits_ratios() -> None:
    baseline = np.array([[[0.0, 5.0, 9.0]]])  # a machine that slows down from visit to visit
    candidate = np.array([[[0.1, 5.3, 9.2]]])
    assert Paired(baseline, candidate).log_ratios == pytest.approx(np.array([[0.2]]))


def test_visit_that_one_side_lacks_is_left_out_and_a_block_without_any_is_missing() -> None:
    baseline = np.array([[[0.0, np.nan], [np.nan, np.nan]]])
    candidate = np.array([[[0.1, 7.0], [1.0, 2.0]]])
    ratios = Paired(baseline, candidate).log_ratios
    assert ratios[0, 0] == pytest.approx(0.1)
    assert np.isnan(ratios[0, 1])


def test_without_visits_the_ratio_is_that_of_the_blocks() -> None:
    assert Paired(np.zeros((1, 2)), np.array([[0.5, np.nan]])).log_ratios[0, 0] == 0.5


def test_interval_with_a_bound_of_the_threshold_in_it_crosses() -> None:
    assert {one.why for one in judgements(paired([1.0, 1.02], spread=0.1))} == {Why.CROSSES}


@pytest.mark.parametrize("blocks", [1, 5])
def test_too_few_blocks_say_how_many_would_do(blocks: int) -> None:
    few = Judgement(UNDECIDED, Why.FEW_BLOCKS, 6)
    assert set(judgements(paired([100.0], blocks=blocks))) == {few}
    # 13 tests: by a random flip of 9 blocks one of them lies on one side 1 - (1 - 2^-8)^13 = 5 %
    many = Judgement(UNDECIDED, Why.FEW_BLOCKS, 9)
    assert set(judgements(paired([100.0] * 12, blocks=blocks))) == {many}


def test_too_few_blocks_of_two_runs_say_how_many_would_do_on_each_side() -> None:
    three = Unpaired(noise(1, 3, 0.01), noise(1, 3, 0.01, seed=1) + 5)
    assert judgements(three)[0] == Judgement(UNDECIDED, Why.FEW_BLOCKS, 4)


def test_what_no_block_has_on_both_sides_was_not_measured() -> None:
    contrast = paired([1.2, 1.2])
    contrast.candidate[1] = NAN
    missing = judgements(replace(contrast))[1]
    assert missing == Judgement(UNDECIDED, Why.NOT_MEASURED)
    assert judgements(paired([1.5], blocks=0))[0].why is Why.NOT_MEASURED


class Unmoved(Paired):
    """One whose test never rejects."""

    def significance(self, lower: float, upper: float, seed: int) -> Significance:
        return Significance(np.ones(self.cells + 1), np.ones(self.cells + 1))


def test_interval_beyond_the_threshold_that_the_test_over_all_sizes_leaves_open() -> None:
    found = paired([1.5, 1.0])
    stays_open, same, _ = judgements(Unmoved(found.baseline, found.candidate))
    assert stays_open == Judgement(UNDECIDED, Why.FAMILY)
    assert same == Judgement(SAME)


def test_decided_has_no_reason() -> None:
    assert {one.why for one in judgements(paired([1.1, 0.9, 1.0]))[:3]} == {None}


def test_blocks_that_lean_on_each_other_decide_less() -> None:
    rng = np.random.default_rng(5)
    noise = 0.03 * np.sort(rng.standard_normal((6, 12)), axis=1)
    mixed = noise[:, rng.permutation(12)]
    autocorrelation, calm = (Paired(np.zeros((6, 12)), 0.04 + one) for one in (noise, mixed))
    assert autocorrelation.autocorrelation.significant and not calm.autocorrelation.significant
    wider, narrow = (one.estimates()[-1] for one in (autocorrelation, calm))
    assert wider.half_width == pytest.approx(
        autocorrelation.autocorrelation.widening * narrow.half_width
    )
    assert autocorrelation.estimate(np.arange(6)) == wider
    sure, unsure = (one.significance(-0.02, 0.02, 0).above for one in (calm, autocorrelation))
    assert (sure <= unsure).all() and sure.min() < 0.05 * unsure.max()
    together = paired_significances([autocorrelation.log_ratios] * 2, -0.02, 0.02, 0, [1.0, 2.0])
    assert (together[0].above <= together[1].above).all()
