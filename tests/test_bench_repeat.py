"""What the benchmark of repeatability makes of its rows, and how it goes on where it was."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from bench.kept import Kept, Row
from bench.repeat import figures_of, near_or_flagged, spread, worst


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


def test_median_far_from_the_quiet_one_has_to_be_flagged() -> None:
    quiet = [row(1, 1, 1.0), row(1, 1, 1.1), row(1, 1, 0.9)]
    busy = [row(1, 1, 1.05), row(1, 1, 1.5, "a"), row(1, 1, 0.7), row(1, 1, 1.0, "a")]
    assert near_or_flagged(quiet, busy) == {
        "medians": 4,
        "near": 2,
        "far_and_flagged": 1,
        "far_and_unflagged": 1,
        "near_and_flagged": 1,
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
