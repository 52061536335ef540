"""What the benchmark of repeatability makes of its rows, and how it goes on where it was."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from bench.kept import Kept, Row
from validation.repeat import by_state, figures_of, near_or_flagged, spread, worst


def row(tool: float, imb: float, us: float, *flagged: str) -> Row:
    return {"tool": tool, "imb": imb, "median_us": {"a": us}, "flagged": list(flagged)}


def test_spread_and_worst_are_of_logarithms() -> None:
    assert worst([1, math.e, 1, 1]) == pytest.approx(1)
    assert worst([2, 4, 1]) == pytest.approx(math.log(2))
    assert spread([1, math.e]) == pytest.approx(math.sqrt(0.5))


def test_goal_is_a_fifth_of_what_the_other_tool_spreads_also_at_the_worst() -> None:
    others = [1.0, 2.0, 0.5, 1.0]
    steady = [row(1.2 * other**0.1, other, 1) for other in others]
    assert figures_of("quiet", steady)["reached"]
    outlying = [row(1.2 * other**0.3, other, 1) for other in others]
    assert not figures_of("quiet", outlying)["reached"]


def test_spread_within_a_state_is_of_the_worse_one_beside_the_other_tool_over_all() -> None:
    near = [row(6.5 * factor, other, 1) for factor, other in ((1, 1), (1.01, 2), (0.99, 0.5))]
    far = [row(3.6 * factor, other, 1) for factor, other in ((1, 1), (1.02, 2), (1.02, 0.5))]
    both = [one | {"core_latency_ns": 95.0} for one in near] + [
        one | {"core_latency_ns": 400.0} for one in far
    ]
    found = figures_of("quiet", both)
    assert found["states"] == [3, 3]
    assert found["tool_worst_within"] == pytest.approx(math.log(1.02))
    assert found["tool_spread_within"] == pytest.approx(spread([1, 1.02, 1.02]))
    assert found["spread_share_within"] == pytest.approx(
        spread([1, 1.02, 1.02]) / spread([1, 2, 0.5] * 2)
    )
    assert (found["reached"], found["reached_within"]) == (False, True)


def test_two_campaigns_in_a_state_have_no_spread_worth_a_figure() -> None:
    rows = [row(1, 1, 1) | {"core_latency_ns": ns} for ns in (95.0, 130.0, 100.0, 400.0, 410.0)]
    assert by_state(rows) == [rows[:3]]
    few = figures_of("quiet", [row(1, other, 1) for other in (1, 2)])
    assert (few["tool_worst_within"], few["states"], few["reached_within"]) == (None, [], False)


def test_rows_that_do_not_say_are_in_one_state() -> None:
    rows = [row(1, 1, 1)] * 3 + [row(1, 1, 1) | {"core_latency_ns": None}]
    assert by_state(rows) == [rows]


def test_median_far_from_the_quiet_one_has_to_be_flagged() -> None:
    quiet = [row(1, 1, 1.0), row(1, 1, 1.1), row(1, 1, 0.9)]
    busy = [row(1, 1, 1.05), row(1, 1, 1.5, "a"), row(1, 1, 0.7), row(1, 1, 1.0, "a")]
    found = near_or_flagged(quiet, busy)
    assert {name: count for name, count in found.items() if count} == {
        "medians": 4,
        "near_and_flagged": 1,
        "near_and_unflagged": 1,
        "far_and_flagged": 1,
        "far_and_unflagged": 1,
    }


def test_campaign_in_another_state_than_the_quiet_ones_is_told_by_comparing_them() -> None:
    near, far = {"core_latency_ns": 95.0}, {"core_latency_ns": 400.0}
    quiet = [row(1, 1, us) | near for us in (1.0, 1.1, 0.9)] + [row(1, 1, 2.0) | far]
    busy = [row(1, 1, 2.0) | far, row(1, 1, 1.0) | far, row(1, 1, 2.0) | near]
    found = near_or_flagged(quiet, busy)
    assert {name: count for name, count in found.items() if count} == {
        "medians": 3,
        "near_and_other_state": 1,
        "far_and_other_state": 1,
        "far_and_unflagged": 1,
    }


def test_rows_kept_are_not_measured_again_and_half_a_line_is_none(tmp_path: Path) -> None:
    path, measured = tmp_path / "below" / "rows.jsonl", []

    def measure() -> Row:
        measured.append(1)
        return {"value": len(measured)}

    first = Kept(path)
    assert [first.row(("quiet", n), measure)["value"] for n in (2, 2, 4)] == [1, 1, 2]
    with path.open("a") as file:
        file.write('{"of": ["quiet", 9], "val')
    again = Kept(path)
    assert [again.row(("quiet", n), measure)["value"] for n in (4, 9)] == [2, 3]
    assert Kept(path).row(("quiet", 9), measure)["value"] == 3
