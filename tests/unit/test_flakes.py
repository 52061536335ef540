"""The summary of several runs of the suite, over small reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.flakes import SHOWN_LINES, Outcome, is_clean, summary

PASSED = '<testcase classname="tests.unit.test_a" name="test_one"/>'
SEEDED = "test_two[seed-4711]"
LONG = "\n".join(f"line {n}" for n in range(100))


def report(path: Path, *cases: str) -> Path:
    path.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return path


def failed(name: str, output: str, kind: str = "failure") -> str:
    case = f'<testcase classname="tests.live.test_b" name="{name}">'
    return f"{case}<{kind}>{output}</{kind}></testcase>"


def test_each_test_that_failed_is_named_once_with_its_runs_and_the_end_of_its_output(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    quiet = report(tmp_path / "1.xml", PASSED, failed(SEEDED, LONG))
    loaded = report(
        tmp_path / "2.xml", PASSED, failed(SEEDED, "E assert"), failed("test_c", "gone", "error")
    )
    outcomes = [Outcome("1 quiet", 1, quiet), Outcome("2 loaded", 1, loaded)]
    lines = summary(outcomes)
    assert [line for line in lines if not line.startswith(" ")] == snapshot
    shown = [line.strip() for line in lines if line.startswith("    line")]
    assert shown == LONG.splitlines()[-SHOWN_LINES:]
    assert "    E assert" in lines
    assert not is_clean(outcomes)


def test_runs_in_which_all_passed_are_clean(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    outcomes = [Outcome("1 quiet", 0, report(tmp_path / "1.xml", PASSED))]
    assert summary(outcomes) == snapshot
    assert is_clean(outcomes)


@pytest.mark.parametrize("status", [2, 3, -9])
def test_run_that_broke_off_is_not_clean_though_no_test_failed(
    status: int, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    outcomes = [Outcome("1 quiet", status, tmp_path / "never-written.xml")]
    assert summary(outcomes)[0] == snapshot
    assert not is_clean(outcomes)
