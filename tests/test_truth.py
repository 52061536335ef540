"""Intervals and verdicts on simulated campaigns whose truth is known; `bench/truth.py` has more."""

from __future__ import annotations

import math
import runpy
from typing import Any

import pytest
from tests.support.places import ROOT

CAMPAIGNS = 2000


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "truth.py"))


def at_most(nominal: float, trials: int) -> float:
    """What a share of `nominal` stays below in all but one of 700 samples."""
    return nominal + 3 * math.sqrt(nominal * (1 - nominal) / trials)


def test_intervals_of_95_percent_cover_93_to_97(truth: dict[str, Any]) -> None:
    covered = truth["coverage"](CAMPAIGNS)
    assert 0.93 <= covered["ratio"] <= 0.97
    assert 0.93 <= covered["absolute"] <= 0.97


def test_a_library_against_itself_alarms_at_most_as_often_as_nominal(truth: dict[str, Any]) -> None:
    alarms = truth["false_alarms"](CAMPAIGNS)
    assert alarms["itself"] <= 0.05
    assert alarms["at threshold"] <= at_most(0.05, CAMPAIGNS)


def test_two_runs_of_a_library_alarm_at_most_as_often_as_nominal(truth: dict[str, Any]) -> None:
    assert truth["unpaired_alarms"](200) <= at_most(0.05, 200)


def test_planted_differences_are_found_at_the_usual_spread(truth: dict[str, Any]) -> None:
    found = truth["power"](400, truth["USUAL_SPREAD"])
    assert found["5 % over a curve"] >= 0.95
    assert found["10 % at one size"] >= 0.95
    assert found["5 % at one size, in its interval"] >= 0.93


def test_planted_differences_are_found_where_cells_spread_over_all_that_was_seen(
    truth: dict[str, Any],
) -> None:
    found = truth["power"](400, None)
    assert found["5 % over a curve"] >= 0.90
    assert found["10 % at one size"] >= 0.81  # a test by means, blind to lopsided noise: 0.90
