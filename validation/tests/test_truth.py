"""What the benchmark of truth makes of its shares; it simulates them itself."""

from __future__ import annotations

import json

import numpy as np
import pytest
from validation.rates import ANY, FALSE, Row, Simulation
from validation.truth import figures_of, line, simulations


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


def test_rows_have_names_of_their_own_and_goals_that_are_shares() -> None:
    found = list(simulations())
    assert len({one.what for one in found}) == len(found)
    for one in found:
        assert 0 <= one.goal[0] <= one.goal[1] <= 1


def test_line_tells_the_share_with_its_bounds_beside_its_goal() -> None:
    assert line(Row("x", 0.08, FALSE, 10_000)).split() == (
        ["x", "8.0%", "(7.5%", "to", "8.5%)", "of", "10,000;", "goal", "3%", "to", "7%:", "MISSED"]
    )
    assert line(Row("x", 0.08, FALSE, 100)).endswith("goal 3% to 7%: outside, and not ruled out")
    assert line(Row("x", 0.05, FALSE, 100)).endswith("goal 3% to 7%")
    assert line(Row("x", 0.5, ANY, 100)).endswith("no goal")


def test_share_is_of_as_many_trials_as_asked_for_and_at_least_one() -> None:
    counted = Simulation("", FALSE, 100, lambda trials: 1 / trials)
    assert [counted.row(thoroughness).share for thoroughness in (1.0, 0.1, 0.001)] == [0.01, 0.1, 1]


def test_rows_can_be_written_whatever_kind_of_number_a_simulation_counts() -> None:
    counted = Simulation("false", FALSE, 100, lambda trials: np.float64(0.05))
    written = json.loads(json.dumps(figures_of(counted.row())))
    assert (written["share"], written["within"], written["reached"]) == (0.05, True, True)
