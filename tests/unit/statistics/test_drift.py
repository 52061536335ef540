from __future__ import annotations

import math

import numpy as np
import pytest

from leadline.statistics.change_points import (
    chance_of,
    change_points,
    less_biased,
    persistence_about,
    simulated,
    stretches,
    strongest_step,
    strongest_stretch,
    whitened,
)


def test_whitening_takes_away_what_follows_from_the_value_before_by_hand() -> None:
    found = whitened(np.array([[2.0, 3.0, 1.0]]), 0.6)
    assert found == pytest.approx(np.array([[2 * 0.8, 3 - 1.2, 1 - 1.8]]))


def test_stretches_leave_three_values_on_either_side() -> None:
    assert stretches(6) == ((0, 3), (1, 4), (2, 5))  # 3 to 6 is the rest of 0 to 3
    assert max(end for _, end in stretches(400)) <= 400
    assert len(stretches(400)) < 1000


def test_simulated_series_have_the_variance_and_the_persistence_asked_for() -> None:
    series = simulated(4000, 20, 0.6, 1)
    assert series.var(axis=0) == pytest.approx(np.ones(20), rel=0.1)
    assert np.mean(series[:, 1:] * series[:, :-1]) == pytest.approx(0.6, abs=0.03)


def test_persistence_is_found_about_levels_and_told_from_chance() -> None:
    drifting = simulated(1, 200, 0.6, 2)[0]
    found, real = persistence_about(drifting + np.repeat([0.0, 9.0], 100), (100,))
    assert found == pytest.approx(0.6, abs=0.15)
    assert real
    quiet, real = persistence_about(simulated(1, 200, 0.0, 3)[0], ())
    assert quiet == pytest.approx(0, abs=0.15)
    assert not real


def test_statistic_is_the_log_likelihood_ratio_by_hand() -> None:
    # persistence 0: sums of squares about the mean, and about two means
    values = np.array([0.0, 0.1, -0.1] * 4 + [5.0, 5.1, 4.9] * 4)
    found = strongest_step(values[None])
    assert stretches(24)[found.stretch[0]] == (0, 12)
    apart = 24 * math.log(np.sum((values - values.mean()) ** 2) / (24 * 0.02 / 3))
    assert found.statistic[0] <= apart  # a single level explains some by persistence
    assert chance_of(found.statistic[0], 24, found.persistence[0], 0) < 0.001


def test_a_series_is_held_against_ones_that_drift_as_much() -> None:
    (series,) = simulated(1, 12, 0.6, 3)
    found = strongest_step(series[None])
    drift = float(found.persistence[0])
    chances = [
        chance_of(found.statistic[0], 12, one, 0) for one in (0, drift, less_biased(drift, 12))
    ]
    # by 12 runs drift is found too low by a third, and a change would be seen in what is left
    assert sorted(set(chances)) == chances
    assert strongest_stretch(series)[2] == chances[-1]


def test_persistence_is_less_biased_by_hand() -> None:
    assert less_biased(0.36, 12) == pytest.approx(0.48)  # 0.36 / (3 / 4)
    assert less_biased(0.36, 30) == pytest.approx(0.4)
    assert less_biased(-0.2, 12) == -0.2
    found = strongest_step(simulated(2000, 12, 0.6, 7)).persistence
    assert np.mean(found) < 0.4
    assert np.mean([less_biased(one, 12) for one in found]) > 0.45


def test_a_real_step_is_found() -> None:
    series = simulated(100, 24, 0.3, 6)
    series[:, 12:] += 6
    assert sum(map(bool, (change_points(one, 0.05) for one in series))) > 90
