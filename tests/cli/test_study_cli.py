from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from tests.support import json_schema

from leadline.cli import main
from leadline.store import Journal
from leadline.studies.catalogue import STUDIES

pytestmark = pytest.mark.live

ALL = tuple(STUDIES)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study over raw shared memory alone, as short as can be."""
    out = tmp_path_factory.mktemp("study") / "cray"
    words = ["--quick", "--backends", "shm", "--budget", "8s", "--out", str(out)]
    assert main(["study", "shared-memory", *words]) == 0
    return out


def test_study_over_real_shared_memory_answers_what_it_can(studied: Path, capsys: Capture) -> None:
    assert main(["study", "shared-memory", "--from", str(studied)]) == 0
    printed = capsys.readouterr().out
    assert [printed.count(f"\nTable {n}. ") for n in (2, 3, 4)] == [1, 1, 1]
    assert "fetch-and-increment" in printed
    assert "The paper's findings: " in printed
    assert "CRAY T3D" in printed and "CRAY J90" in printed


def test_each_stage_is_a_run_for_the_other_commands(studied: Path, capsys: Capture) -> None:
    assert {path.name for path in studied.iterdir()} >= {"latency", "tasks", "vectors"}
    assert main(["show", str(studied / "tasks"), "--csv"]) == 0
    assert "barrier_futex,shm" in capsys.readouterr().out


def test_programs_get_figures_in_si_units_and_answers(studied: Path, capsys: Capture) -> None:
    assert main(["study", "shared-memory", "--from", str(studied), "--json"]) == 0
    printed = capsys.readouterr().out
    json_schema.check("study", printed)
    report = json.loads(printed)
    t3d = [f for f in report["figures"] if f["published"] and f["row"] == "CRAY T3D, SHMEM"]
    assert [f["value"] for f in t3d] == [2e-6, 130e6]
    assert {finding["answer"] for finding in report["findings"]} <= {
        "holds", "doesn't hold", "can't be told",
    }  # fmt: skip
    assert main(["study", "shared-memory", "--from", str(studied), "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == len(report["figures"])


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


def test_study_is_a_line_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(STUDIES, "tiny", "tests.support.tiny_study")
    assert main(["study", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["studies"]
    assert [row["study"] for row in listed] == [*ALL, "tiny"]
    out = str(tmp_path / "tiny")
    assert main(["study", "tiny", "--quick", "--backends", "shm", "--out", out]) == 0
    printed = capsys.readouterr().out
    table = re.search(r"^  here +(\S+) ±\S+ %  -  +0$", printed, re.MULTILINE)
    assert table, printed
    assert re.search(r"^  RING/8 +120 +75 +2.5$", printed, re.MULTILINE)
    for text in (r"[\d.,]+ Mbit/s \(.* Mbit/s\)", r"[\d.,]+ % \(.* %\)", r"2.50 hops \(2.00 hops"):
        assert re.search(f"^    holds: it is {text}", printed, re.MULTILINE), printed


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
