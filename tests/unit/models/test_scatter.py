from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.support.curves import SIZES, noisy, observations

from leadline.models.closed_form import fit
from leadline.models.fitting import Points, fit_of
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Model, Scatter
from leadline.models.prediction import predict
from leadline.models.resampling import drawn_medians, medians
from leadline.models.scatter import (
    Explained,
    explained,
    groups_left_out,
    noise_of,
    scatter_of,
    shares_of,
    student_quantile,
)
from leadline.models.selection import Contender
from leadline.statistics.intervals import Floats

BYTES = np.array(SIZES, dtype=np.float64)
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)
BLOCKS = 10


def scatter(truth: Floats, seed: int = 1, launch: float = 0.02, cell: float = 0.02) -> Scatter:
    model = fit(observations(noisy(truth[None], 12, seed, launch, cell)))
    assert isinstance(model, Model)
    assert model.scatter is not None
    return model.scatter


def with_errors(ranks: int, error: float) -> Scatter:
    """Of a line on so many numbers of ranks, each of whose points left out is missed by `error`."""
    seconds = noisy(np.tile(1e-6 + 1e-9 * BYTES, (ranks, 1)), BLOCKS, seed=3)
    points = Points(np.arange(2.0, ranks + 2), BYTES, medians(seconds))
    errors = np.full((2, ranks, BYTES.size), error)
    errors[0, :, [0, -1]] = np.nan
    if ranks == 1:
        errors[1] = np.nan
    taken, line = Contender(LINE, errors, errors, np.zeros_like(errors)), fit_of(LINE, points)
    explains = explained(line, drawn_medians(seconds, 0), BLOCKS - 1)
    return scatter_of(taken, shares_of(taken, explains), explains, BLOCKS)


@pytest.mark.parametrize("freedom", [1.0, 7.5, 40.0])
def test_the_quantile_is_students(freedom: float) -> None:
    assert student_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom))


def test_what_launches_share_is_told_from_what_they_do_not() -> None:
    flat = np.full((1, 24), 1e-6)
    both = (0.04, 0.001), (0.001, 0.04)
    found = [
        [noise_of(drawn_medians(noisy(flat, 16, seed, *scatter), 0)) for seed in range(20)]
        for scatter in both
    ]
    shared, own = (
        (np.mean([one.shared for one in each]), np.mean([one.own for one in each]))
        for each in found
    )
    # 1.25 standard deviations over the root of 16 blocks are 1.25 %
    assert shared[0] == pytest.approx(0.0125, rel=0.25)
    assert own[1] == pytest.approx(0.0125, rel=0.25)
    assert shared[1] < shared[0] / 2  # blocks in the middle differ from cell to cell
    assert own[0] < own[1] / 3


def test_groups_left_out_are_sizes_and_numbers_of_ranks() -> None:
    errors = np.zeros((2, 3, 8))
    errors[0, :, [0, -1]] = np.nan
    assert groups_left_out(errors) == (6, 3)
    errors[1] = np.nan
    assert groups_left_out(errors) == (6, 0)


@pytest.mark.parametrize(("ranks", "fewest"), [(1, BYTES.size - 2), (3, 3), (5, 5)])
def test_misfit_is_known_by_as_many_groups_as_were_left_out(ranks: int, fewest: int) -> None:
    """Tenfold errors, beside which what blocks tell is nothing; outside by the fewer groups."""
    found = with_errors(ranks, float(np.log(10)))
    misfits = found.between_sizes, found.between_ranks, found.outside
    groups = BYTES.size - 2, fewest, fewest
    expected = [student_quantile(count - 1) for count in groups]
    assert [one.quantile for one in misfits] == pytest.approx(expected, rel=1e-2)


@pytest.mark.parametrize("ranks", [1, 5])
def test_curve_and_noise_are_as_sure_as_the_blocks_that_both_come_from(ranks: int) -> None:
    found = with_errors(ranks, 0.0)
    for misfit in (found.between_sizes, found.between_ranks, found.outside):
        assert misfit.deviation == 0
        assert misfit.quantile == pytest.approx(student_quantile(BLOCKS - 1))


def test_noise_alone_is_hardly_taken_for_misfit() -> None:
    found = [scatter(1e-6 + 1e-9 * BYTES, seed) for seed in range(10)]
    assert np.median([one.outside.deviation / one.noise for one in found]) < 0.5
    assert np.mean([one.noise for one in found]) == pytest.approx(1.25 * 0.028 / 12**0.5, rel=0.25)


def test_what_no_form_follows_is_misfit() -> None:
    wavy = (1e-6 + 1e-9 * BYTES) * (1 + 0.2 * np.sin(7 * np.log(BYTES + 1)))
    found = scatter(wavy, launch=0.002, cell=0.002)
    assert 0.05 < found.outside.deviation < 0.5
    assert found.noise < 0.005


def test_misfit_is_what_noise_and_the_curve_do_not_explain_by_hand() -> None:
    # one number of ranks: each point left out is missed by 5 %, of which resampling explains the
    # standard deviation of what it shares with no other, over 1 - its leverage
    seconds = noisy((1e-6 + 1e-9 * BYTES)[None], BLOCKS, seed=3)
    line = fit_of(LINE, Points(np.array([2.0]), BYTES, medians(seconds)))
    draws = drawn_medians(seconds, 0)
    curves = np.log(line.surface(draws))
    explained = np.std(np.log(draws) - curves, axis=0, ddof=1) / (1 - line.leverage)
    expected = np.sqrt(np.mean(0.05**2 - explained[:, 1:-1] ** 2))
    found = with_errors(1, 0.05)
    assert found.outside.deviation == pytest.approx(expected)
    assert 0.03 < found.outside.deviation < 0.05


def test_freedom_counts_the_curve_and_the_noise_of_its_blocks_as_one_part_by_hand() -> None:
    # Welch and Satterthwaite: (a + b)^2 / (a^2 / 9 + b^2 / 19), a of 10 blocks, b of 20 sizes
    seconds = noisy((1e-6 + 1e-9 * BYTES)[None], BLOCKS, seed=3)
    line = fit_of(LINE, Points(np.array([2.0]), BYTES, medians(seconds)))
    curves = np.log(line.surface(drawn_medians(seconds, 0)))
    found = with_errors(1, 0.05)
    a = np.median(np.std(curves, axis=0, ddof=1)) ** 2 + found.noise**2
    b = found.outside.deviation**2
    freedom = (a + b) ** 2 / (a**2 / (BLOCKS - 1) + b**2 / (BYTES.size - 2 - 1))
    assert found.outside.quantile == pytest.approx(student_quantile(float(freedom)))


def test_noise_that_many_points_tell_apart_is_surer_by_hand() -> None:
    # curve and noise weigh alike, nothing misfits: (a + a)^2 / (a / 3 + a / 10)^2 of 9 and 100
    seconds = noisy((1e-6 + 1e-9 * BYTES)[None], BLOCKS, seed=3)
    line = fit_of(LINE, Points(np.array([2.0]), BYTES, medians(seconds)))
    exact = Contender(LINE, *[np.zeros((2, 1, BYTES.size))] * 3)
    explains = replace(explained(line, drawn_medians(seconds, 0), 100.0), curve=0.02, noise=0.02)
    found = scatter_of(exact, shares_of(exact, explains), explains, BLOCKS)
    assert found.outside.quantile == pytest.approx(student_quantile(4 / (1 / 3 + 1 / 10) ** 2))


def test_share_of_misfit_is_by_each_points_own_noise_by_hand() -> None:
    # missed by 5 % where left out, of which nothing is explained; residuals scatter by 5 and 0 %
    errors = np.full((2, 1, 2), 0.05)
    errors[1] = np.nan
    explains = Explained(0.0, 0.0, np.array([[0.05, 0.0]]), 9.0, np.zeros((2, 1, 2)))
    found = shares_of(Contender(LINE, errors, errors, np.zeros_like(errors)), explains)
    assert found.each[0].tolist() == pytest.approx([0.5, 1.0])
    assert found.between_sizes == pytest.approx(1 / (1 + 0.5))  # the mean square is half of 5 %'s
    assert found.between_ranks == 0.0
    exact = np.zeros_like(errors)
    assert not shares_of(Contender(LINE, exact, exact, exact), explains).each.any()


def test_points_between_ranks_and_sizes_lie_in_their_intervals_where_sizes_ripple() -> None:
    """Ranks left out tell nothing of ripples over sizes, which all numbers of ranks share."""
    ranks, kept = np.array([2, 3, 4, 6, 8, 12]), np.arange(0, BYTES.size, 2)
    ripple = 1 + 0.05 * np.sin(2.1 * np.arange(BYTES.size))
    times = (1e-6 + 1e-6 * np.log2(np.array([*ranks, 5]))[:, None] + 1e-10 * BYTES) * ripple
    held = []
    for seed in range(8):
        seconds = noisy(times, 10, seed, 0.005, 0.005)
        model = fit(
            observations(seconds[:-1, kept], tuple(ranks.tolist()), [SIZES[k] for k in kept])
        )
        assert isinstance(model, Model)
        found = predict(model, 5, BYTES[1::2])
        later = np.median(noisy(times, 10, seed + 100, 0.005, 0.005), axis=2)[-1, 1::2]
        held.append(np.mean((found.low <= later) & (later <= found.high)))
    assert np.mean(held) > 0.85
