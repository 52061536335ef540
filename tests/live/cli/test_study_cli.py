from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from tests.support import json_schema
from tests.support.texts import lines_from

from leadline.cli import main
from leadline.papers.catalogue import STUDIES
from leadline.papers.findings import Outcome

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
    assert lines_from("The paper's findings: ", printed)
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
    assert {finding["answer"] for finding in report["findings"]} <= set(Outcome)
    assert main(["study", "shared-memory", "--from", str(studied), "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == len(report["figures"])


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
    # whether there are intervals, and so answers, is a matter of who else runs
    assert re.search(r"^  here +[\d.,]+(?: ±\S+ %|†) +- +0$", printed, re.MULTILINE), printed
    assert re.search(r"^  RING/8 +120 +75 +2.5$", printed, re.MULTILINE)
    for text in (r"[\d.,]+ Mbit/s", r"[\d.,]+ %", r"2\.50 hops \(2\.00 hops"):
        assert re.search(f"^    [^:]+: it is {text}", printed, re.MULTILINE), printed
