from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from leadline.cli import main
from leadline.store import Journal
from leadline.studies.catalogue import STUDIES

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
    assert "all stages: about " in captured.err
    assert not (tmp_path / "cray").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["shared-memroy"], "did you mean 'shared-memory'?"),
        (["--quick"], f"--quick is for one study; name it: {', '.join(ALL)}"),
        (["--from", "x"], f"--from is for one study; name it: {', '.join(ALL)}"),
        (["--figures", "x"], "--figures is for one study"),
        (["shared-memory", "--figures", "x"], "--figures: the paper of the study shared-memory"),
        (["shared-memory", "--from", "x", "--quick"], "leave --quick out"),
        (["shared-memory", "--from", "x", "--dry-run"], "leave --dry-run out"),
        (
            ["shared-memory", "--from", "/nonexistent"],
            "there is no run below it; see `leadline study`",
        ),
        (["shared-memory", "--budget", "soon"], "is not a time"),
        (["shared-memory", "--backends", "nul", "--dry-run"], "did you mean 'null'?"),
        (
            ["shared-memory", "--backends", "shm", "--budget", "1s"],
            "stage latency has 0.27 s of the study's time and takes ",
        ),
    ],
)
def test_nonsense_is_refused_in_one_line(words: list[str], message: str, capsys: Capture) -> None:
    assert main(["study", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_budget_that_the_refusal_names_is_enough(capsys: Capture) -> None:
    words = ["study", "shared-memory", "--backends", "shm", "--dry-run", "--budget"]
    budget, refused = "1s", set[str]()
    while main([*words, budget]) == 2:
        said = capsys.readouterr().err
        refused.add(said.split()[3])
        budget = said.strip().rpartition(" ")[2]
    assert "latency" in refused
    assert len(refused) <= 5, "each stage is refused once at most"


def test_run_that_belongs_to_no_study_is_refused(tmp_path: Path, capsys: Capture) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.close(True)
    assert main(["study", "shared-memory", "--from", str(tmp_path)]) == 2
    assert "belongs to the study shared-memory" in capsys.readouterr().err


def test_two_studies_at_once_are_refused(tmp_path: Path, capsys: Capture) -> None:
    for name in "ab":
        metadata = {"study": {"name": "shared-memory"}}
        with Journal.create(tmp_path / name / "tasks", metadata) as journal:
            journal.close(True)
    assert main(["study", "shared-memory", "--from", str(tmp_path)]) == 2
    assert "several studies are below it" in capsys.readouterr().err
    assert main(["study", "shared-memory", "--from", str(tmp_path / "a")]) == 0


def test_directory_in_use_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: Capture
) -> None:
    """Whatever is in it: a run of a stage that is none of this study's, too."""
    (tmp_path / "elsewhere").mkdir()
    words = ["--backends", "shm", "--budget", "8s", "--out", str(tmp_path)]
    assert main(["study", "shared-memory", *words]) == 2
    said = f"--out {tmp_path} isn't empty (it holds elsewhere); give a new directory\n"
    assert capsys.readouterr().err.endswith(said)


def test_studies_are_listed_in_every_form(capsys: Capture) -> None:
    assert main(["study"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "CRAY T3D (128) and CRAY J90 (32)" in printed
    assert "22 findings of H.-H. Frese, H. Knipp" in printed
    assert "10 questions, with programs as in E. Lopez-Pineda" in printed
    assert main(["study", "--markdown"]) == 0
    assert "| shared-memory | SHMEM and PVM on shared memory |" in capsys.readouterr().out
    assert main(["study", "--csv"]) == 0
    row, *_ = csv.DictReader(capsys.readouterr().out.splitlines())
    assert (row["study"], row["machines"]) == (
        "shared-memory", '{"CRAY T3D": 128, "CRAY J90": 32}',
    )  # fmt: skip
    assert json.loads(row["pes"]) == [2, 4, 8, 16]
