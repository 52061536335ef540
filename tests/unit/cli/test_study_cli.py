from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with, numbers

from leadline.cli import main
from leadline.papers.catalogue import STUDIES, study_named
from leadline.store import Journal

ALL = tuple(STUDIES)
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("study", ["shared-memory", "t3e-mpi", "collectives"])
def test_plan_of_every_stage_and_their_sum_come_before_anything_starts(
    study: str, tmp_path: Path, capsys: Capture
) -> None:
    words = ["--backends", "shm", "--dry-run", "--out", str(tmp_path / "cray")]
    assert main(["study", study, *words]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\nstage ") >= 1
    assert line_with(captured.err, "all stages").startswith("all stages: ")
    assert not (tmp_path / "cray").exists()


def test_nonsense_is_refused_in_one_line(capsys: Capture, snapshot: SnapshotAssertion) -> None:
    output = {}
    for words in (
        "shared-memroy",
        "--quick",
        "--from x",
        "--figures x",
        "shared-memory --figures x",
        "shared-memory --from x --quick",
        "shared-memory --from x --dry-run",
        "shared-memory --from /nonexistent",
        "shared-memory --budget soon",
        "shared-memory --backends nul --dry-run",
    ):
        assert main(["study", *words.split()]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        output[words] = line_with(captured.err)
    assert output == snapshot


def test_budget_that_the_refusal_names_is_enough_for_all_stages(capsys: Capture) -> None:
    words = ["study", "shared-memory", "--backends", "shm", "--dry-run", "--budget"]
    assert main([*words, "1s"]) == 2
    output = line_with(capsys.readouterr().err)
    stages = study_named("shared-memory").stages(1.0, False, len(os.sched_getaffinity(0)))
    (named,) = (stage for stage in stages if f" {stage.name} " in output)
    given = re.search(r"--budget (\w+)$", output)
    assert given is not None, output
    part_s, least_s = numbers(output)
    assert part_s == f"{named.request.budget_s:.2g}"
    assert float(part_s) < float(least_s)
    assert main([*words, given[1]]) == 0


def test_run_that_belongs_to_no_study_is_refused(
    tmp_path: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.close(True)
    assert main(["study", "shared-memory", "--from", str(tmp_path)]) == 2
    assert line_with(capsys.readouterr().err).replace(str(tmp_path), "DIR") == snapshot


def test_two_studies_at_once_are_refused(
    tmp_path: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    for name in "ab":
        metadata = {"study": {"name": "shared-memory"}}
        with Journal.create(tmp_path / name / "tasks", metadata) as journal:
            journal.close(True)
    assert main(["study", "shared-memory", "--from", str(tmp_path)]) == 2
    assert line_with(capsys.readouterr().err).replace(str(tmp_path), "DIR") == snapshot
    assert main(["study", "shared-memory", "--from", str(tmp_path / "a")]) == 0


def test_directory_in_use_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: Capture
) -> None:
    """Whatever is in it: a run of a stage that is none of this study's, too."""
    (tmp_path / "elsewhere").mkdir()
    words = ["--backends", "shm", "--budget", "8s", "--out", str(tmp_path)]
    assert main(["study", "shared-memory", *words]) == 2
    output = capsys.readouterr().err.splitlines()[-1]
    assert f"--out {tmp_path} " in output and "elsewhere" in output


def test_studies_are_listed_in_every_form(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["study"]) == 0
    assert capsys.readouterr().out == snapshot
    assert main(["study", "--markdown"]) == 0
    assert "| shared-memory |" in capsys.readouterr().out
    assert main(["study", "--csv"]) == 0
    row, *_ = csv.DictReader(capsys.readouterr().out.splitlines())
    assert (row["study"], row["machines"]) == (
        "shared-memory", '{"CRAY T3D": 128, "CRAY J90": 32}',
    )  # fmt: skip
    assert json.loads(row["pes"]) == [2, 4, 8, 16]
