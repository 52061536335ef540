"""Whose values lie beyond what is tolerated: hand-computed cases."""

from __future__ import annotations

import itertools
import math

import pytest

from leadline.health.centre import votes
from leadline.health.diagnosis import (
    ERROR,
    Deviation,
    Diagnosis,
    deviations,
    diagnosed,
    error_of,
    rounds_needed,
)
from leadline.health.observations import Observation, Symptom, Tolerances

HOSTS = ("h1", "h2", "h3", "h4")
SLOW = math.log(2)


def seen(slow: dict[str, float], rounds: int = 12) -> list[Observation]:
    """All pairs of HOSTS, of each as slow as the slower of the two, so many times."""
    pairs = list(itertools.combinations(HOSTS, 2))
    return [
        Observation(pair, Symptom.RATE, max(slow.get(host, 0) for host in pair))
        for _ in range(rounds)
        for pair in pairs
    ]


def diagnosis(slow: dict[str, float], rounds: int = 12) -> Diagnosis:
    return diagnosed(seen(slow, rounds), HOSTS, Tolerances(), 0.99)


def test_one_of_1024_tests_of_ten_rounds_is_wrong_by_chance() -> None:
    assert rounds_needed(1, 2**-10) == 10
    assert rounds_needed(24, 0.025) == 10  # 24 / 1024 = 0.0234
    assert rounds_needed(24, 0.023) == 11
    assert rounds_needed(2 * 24, 0.025) == rounds_needed(24, 0.025) + 1


def test_all_looks_together_spend_no_more_than_the_error_allowed() -> None:
    assert error_of(0) == pytest.approx(ERROR / 2)
    assert error_of(1) == pytest.approx(ERROR / 6)
    assert sum(map(error_of, range(1000))) == pytest.approx(ERROR, rel=2e-3)


def test_a_slow_host_lies_a_factor_of_two_from_the_median() -> None:
    (found,) = diagnosis({"h2": SLOW}).slow
    assert (found.host, found.symptom) == ("h2", Symptom.RATE)
    assert found.log_slowness.value == pytest.approx(SLOW)
    assert found.log_slowness.bounds == pytest.approx((SLOW, SLOW))


def test_the_slow_ones_partners_are_as_fast_as_the_others() -> None:
    others = {one.host: one.log_slowness.value for one in diagnosis({"h2": SLOW}).others}
    assert others == {"h1": 0, "h3": 0, "h4": 0}


def test_two_slow_hosts_of_four_are_named_both() -> None:
    assert {one.host for one in diagnosis({"h1": SLOW, "h3": SLOW}).slow} == {"h1", "h3"}


def test_what_is_tolerated_names_nobody() -> None:
    assert not diagnosis({"h2": math.log(1 / 0.9) - 1e-6}).slow
    assert diagnosis({"h2": math.log(1 / 0.9) + 1e-6}).slow


def test_too_few_rounds_name_nobody() -> None:
    few = diagnosis({"h2": SLOW}, rounds=1)
    assert not few.slow
    assert all(one.log_slowness.bounds is None for one in few.others)
    assert not any(one.within(Tolerances()) for one in few.others)
    assert {one.host: one.largest for one in few.others}["h2"] == pytest.approx(SLOW)


def test_all_slow_alike_are_the_median() -> None:
    assert not diagnosis(dict.fromkeys(HOSTS, SLOW)).slow


def test_nothing_seen_says_nothing() -> None:
    assert diagnosed([], HOSTS, Tolerances(), 0.99) == Diagnosis((), ())
    assert math.isnan(votes([], Symptom.RATE, HOSTS).centre())


def test_unsound_partners_are_left_out() -> None:
    values = seen({"h2": SLOW})
    found = deviations(values, {"h1", "h2"}, {"h1", "h3", "h4"}, 0.9)
    assert [(one.host, round(one.log_slowness.value, 3)) for one in found] == [
        ("h1", 0.0),
        ("h2", 0.693),
    ]
    (first, _) = found
    assert first.log_slowness.n == 2 * 12


def test_the_slow_ones_partners_count_once_though_they_meet_it_again_and_again() -> None:
    values = [*seen({"h2": SLOW}, 1), *(o for o in seen({"h2": SLOW}) if "h2" in o.pair)]
    found = {one.host: one.log_slowness.value for one in deviations(values, HOSTS, HOSTS, 0.9)}
    assert found["h2"] == pytest.approx(SLOW)


def test_who_was_doubted_is_not_cleared_by_the_few_values_beside_sound_hosts() -> None:
    times = dict.fromkeys(itertools.combinations(HOSTS, 2), 4)
    times |= {("h1", "h2"): 6, ("h1", "h3"): 1, ("h1", "h4"): 1}
    values = [one for one in seen({"h1": 2 * SLOW, "h2": SLOW}, 1) for _ in range(times[one.pair])]
    found = diagnosed(values, HOSTS, Tolerances(), 0.99)  # of eight values, h1 has two of these
    assert {one.host for one in found.slow} == {"h2"}
    assert "h1" not in {one.host for one in found.others}


def test_within_means_that_the_upper_bound_is_tolerated() -> None:
    def deviation(slow: dict[str, float]) -> Deviation:
        return next(one for one in diagnosis(slow).others if one.host == "h1")

    assert deviation({}).within(Tolerances())
    assert not deviation({}).beyond(Tolerances())
