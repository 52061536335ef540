"""Campaigns with an application: what is measured, shown, and said where its result is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness.kernels import HEAT, variant
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import plan_for, run_campaign, seen

from leadline.cli import main
from leadline.compare.analysis import Analysis
from leadline.measure.spec import Variant
from leadline.query.database import query
from leadline.record.run import Run


def good(name: str = "good") -> Variant:
    return variant("shm", name, additions=HEAT)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Of two blocks, beside a pattern that only moves messages."""
    variants = [good(), good("again")]
    plan = plan_for(variants, "heat,barrier", (8,), 2)
    run, watching = run_campaign(tmp_path_factory.mktemp("heat") / "run", variants, plan)
    assert watching.failures == []
    return run


def test_application_is_a_cell_like_any_other(solved: Run) -> None:
    assert [cell.pattern for cell in solved.cells] == ["heat:small", "barrier"]
    assert seen(solved) == {(b, v, c) for b in range(2) for v in range(2) for c in range(2)}
    rows = Analysis(solved).summaries
    assert {row.repetitions for row in rows if row.curve.pattern == "heat:small"} == {1}


def test_communication_share_is_in_rows_and_in_slices(solved: Run) -> None:
    for row in Analysis(solved).summaries:
        if row.curve.pattern == "barrier":
            assert row.communication_share is row.communication_most is None
        else:
            assert row.communication_share is not None
            assert row.communication_most is not None
            assert 0 < row.communication_share <= row.communication_most < 1
    times = "min(communication_ns), min(repetitions_ns), max(communication_ns - repetitions_ns)"
    statement = f"SELECT {times} FROM slices WHERE cell = 0"
    ((least, whole, excess),) = query(statement, [solved.path]).rows
    assert 0 < least < whole
    assert excess < 0


def test_what_was_verified_is_in_rows_and_in_slices(solved: Run) -> None:
    for row in Analysis(solved).summaries:
        if row.curve.pattern == "barrier":
            assert (row.verified, row.verified_expected, row.verified_seen) == (None, None, None)
        else:
            assert row.verified == "heat"
            assert row.verified_seen == pytest.approx(row.verified_expected, rel=1e-12)
    statement = "SELECT DISTINCT cell, verified FROM slices ORDER BY cell"
    assert query(statement, [solved.path]).rows == ((0, "heat"), (1, ""))


def test_communication_is_shown_in_text_and_for_programs(
    solved: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    main(["show", solved.path, "--full"])
    assert "communication" in capsys.readouterr().out
    main(["show", solved.path, "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["communication_share"] is None for row in rows] == [False, True] * 2


def test_wrong_result_fails_its_cell_once_and_no_other(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    bad = variant("shm", "bad", additions=HEAT, LEADLINE_PLANT="count")
    variants = [good(), bad]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "heat,barrier", (8,), 2))
    (failure,) = run.failures
    assert (failure.configuration, failure.cell, failure.code) == (1, 0, "wrong_result")
    assert failure.message == snapshot
    everything = {(b, v, c) for b in range(2) for v in range(2) for c in range(2)}
    assert seen(run) == everything - {(b, 1, 0) for b in range(2)}


def test_rank_without_memory_fails_its_cell_with_the_reason(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    variants = [variant("shm", "bad", additions=HEAT, LEADLINE_PLANT="memory")]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "heat,barrier", (8,), 1))
    (failure,) = run.failures
    assert failure.code == "refused"
    assert failure.message == snapshot
