"""Intervals and verdicts on simulated campaigns whose truth is known; `bench.truth` has more."""

from __future__ import annotations

import json
import math
import runpy
from typing import Any

import numpy as np
import pytest
from bench.rates import FALSE, Row, Simulation
from bench.truth import figures_of
from harness.places import ROOT

CAMPAIGNS = 2000


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "truth_of_campaigns.py"))


def at_most(nominal: float, trials: int) -> float:
    """What a share of `nominal` stays below in all but one of 700 samples."""
    return nominal + 3 * math.sqrt(nominal * (1 - nominal) / trials)


def test_intervals_of_95_percent_cover_93_to_97(truth: dict[str, Any]) -> None:
    for held in truth["COVERAGE"].values():
        assert 0.93 <= held(CAMPAIGNS * truth["CELLS"]) <= 0.97


def test_a_library_against_itself_alarms_at_most_as_often_as_nominal(truth: dict[str, Any]) -> None:
    assert truth["itself"](CAMPAIGNS) <= 0.05
    assert truth["at_threshold"](CAMPAIGNS) <= at_most(0.05, CAMPAIGNS)


def test_two_runs_of_a_library_alarm_at_most_as_often_as_nominal(truth: dict[str, Any]) -> None:
    assert truth["unpaired_alarms"](200) <= at_most(0.05, 200)


@pytest.mark.parametrize(
    ("spread", "goals"),
    # a test by means, blind to lopsided noise, finds 0.90 of the last
    [(0.028, (0.95, 0.95)), (None, (0.90, 0.81))],
    ids=["usual", "all"],
)
def test_planted_differences_are_found(
    truth: dict[str, Any], spread: float | None, goals: tuple[float, float]
) -> None:
    for found, goal in zip(truth["POWER"].values(), goals, strict=True):
        assert found(400, spread) >= goal


def test_a_row_is_reached_where_its_goal_is_not_ruled_out() -> None:
    # Wilson 1927: of 100 trials 8 tell 4.1 to 15.0 %, of 1,000 trials 80 tell 6.5 to 9.8 %
    row = Row("", 0.08, FALSE, 100)
    assert row.bounds == pytest.approx((0.0411, 0.1500), abs=1e-4)
    assert row.reached
    assert Row("", 0.08, FALSE, 1_000).reached
    assert not Row("", 0.08, FALSE, 10_000).reached
    assert not Row("", 0.01, FALSE, 1_000).reached
    assert Row("", 0.0, FALSE, 10).bounds[0] == pytest.approx(0)
    assert Row("", 0.0, (0.0, 0.0), 30).reached  # whatever rounding leaves of the lower bound
    assert not Row("", 0.01, (0.0, 0.0), 100).reached


def test_every_row_of_the_table_can_be_simulated() -> None:
    table = runpy.run_path(str(ROOT / "bench" / "truth.py"))
    names = [one.what for one in table["simulations"]()]
    assert len(set(names)) == len(names)
    for one in table["simulations"]():
        row = one.row(0.0)
        assert 0 <= row.share <= 1
        assert row.what in table["line"](row)


def test_rows_can_be_written_whatever_kind_of_number_a_simulation_counts() -> None:
    counted = Simulation("false", FALSE, 100, lambda trials: np.float64(0.05))
    written = json.loads(json.dumps(figures_of(counted.row())))
    assert (written["share"], written["within"], written["reached"]) == (0.05, True, True)
