from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from leadline.statistics.moderation import digamma, moderated, prior, trigamma

NAN = math.nan
POINTS = np.array([1e-3, 0.2, 0.5, 1.0, 2.5, 8.0, 300.0, 1e4])


def test_derivatives_of_log_gamma_are_scipys() -> None:
    assert digamma(POINTS) == pytest.approx(special.digamma(POINTS), rel=1e-9)
    assert trigamma(POINTS) == pytest.approx(special.polygamma(1, POINTS), rel=1e-9)


def test_prior_of_equal_variances_is_that_variance_with_all_certainty() -> None:
    variance, freedom = prior(np.full((1, 5), 0.04), np.full(5, 7.0))
    # log variances of 7 degrees of freedom lie low: by digamma(3.5) - log 3.5 on average
    assert variance[0, 0] == pytest.approx(0.04 * 3.5 / math.exp(special.digamma(3.5)), rel=1e-3)
    assert freedom[0, 0] == pytest.approx(2e4)


def test_prior_by_hand() -> None:
    # log variances 0 and 2: their variance is 2; trigamma(3.5) explains 0.3304 of it, and
    # trigamma(0.8867) = 1.6696 is left: 1.773 degrees of freedom
    variance, freedom = prior(np.exp([[0.0, 2.0]]), np.array([7.0, 7.0]))
    half = freedom[0, 0] / 2
    assert special.polygamma(1, half) == pytest.approx(2 - special.polygamma(1, 3.5), rel=1e-4)
    centre = 1 - special.digamma(3.5) + math.log(3.5) + special.digamma(half) - math.log(half)
    assert math.log(variance[0, 0]) == pytest.approx(centre, rel=1e-4)


def test_prior_finds_what_variances_were_drawn_with() -> None:
    rng = np.random.default_rng(3)
    truths = 0.01 * 6.0 / rng.chisquare(6, (1, 4000))
    variances = truths * rng.chisquare(7, truths.shape) / 7
    variance, freedom = prior(variances, np.full(4000, 7.0))
    assert variance[0, 0] == pytest.approx(0.01, rel=0.1)
    assert freedom[0, 0] == pytest.approx(6, rel=0.2)


def test_a_calm_cell_beside_disturbed_ones_keeps_nearly_its_own_variance() -> None:
    squares = np.array([[7e-4, 7e-4, 7e-4, 0.63, 0.63, 0.63, 0.63, 0.1]])
    found = moderated(squares, np.full(8, 7.0))
    assert found[0, 0] < 2e-4  # its own is 1e-4; the middle one 0.09
    assert found[0, 3] == pytest.approx(0.09, rel=0.3)


def test_alike_cells_share_one_variance_and_their_average_keeps_its_own() -> None:
    squares = np.array([[0.060, 0.070, 0.075, 0.065, 0.01]])
    found = moderated(squares, np.full(5, 7.0))
    assert np.ptp(found[0, :4]) < 1e-5
    assert found[0, 4] == pytest.approx(0.01 / 7)


def test_several_averages_keep_their_own() -> None:
    squares = np.array([[0.060, 0.070, 0.02, 0.01]])
    assert moderated(squares, np.full(4, 7.0), 2)[0, 2:] == pytest.approx([0.02 / 7, 0.01 / 7])


def test_a_lone_cell_and_one_of_too_few_blocks_lend_nothing() -> None:
    squares, freedom = np.array([[0.07, 0.9, 0.01]]), np.array([7.0, NAN, 7.0])
    found = moderated(squares, freedom)
    assert found[0, [0, 2]] == pytest.approx([0.01, 0.01 / 7])
    assert np.isnan(found[0, 1])


def test_no_scatter_at_all_is_survived() -> None:
    assert np.isfinite(moderated(np.zeros((3, 4)), np.full(4, 7.0))).all()
