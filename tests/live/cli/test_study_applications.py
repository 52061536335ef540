"""The study of applications over real shared memory, as short as can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import json_schema
from tests.support.texts import lines_from, numbers

from leadline.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("study") / "programs"
    words = ["--quick", "--backends", "shm", "--budget", "8s", "--out", str(out)]
    assert main(["study", "applications", *words]) == 0
    return out


def test_programs_are_verified_timed_and_predicted_from_the_same_run(
    ran: Path, capsys: Capture
) -> None:
    assert main(["study", "applications", "--from", str(ran), "--json"]) == 0
    printed = capsys.readouterr().out
    json_schema.check("study", printed)
    rows = json.loads(printed)["applications"]
    on_two = [row for row in rows if row["ranks"] == 2]
    assert {row["name"] for row in on_two} == {"mg", "mg_puts", "stap"}
    assert all(row["verified"] and row["variant"] == "shm" for row in rows)
    assert all(row["seconds"] > 0 and row["predicted_s"] > 0 for row in on_two)
    assert all(0 < row["communication_share"] < 1 for row in on_two)
    norms = [row["norm"] for row in rows if row["name"] != "stap"]
    assert norms == pytest.approx([5.307707005734e-05] * len(norms))
    assert all(row["relative_error"] < 1e-8 for row in rows if row["name"] != "stap")
    assert {row["norm"] for row in rows if row["name"] == "stap"} == {None}


def test_without_a_library_there_is_no_verdict_but_times_and_shares(
    ran: Path, capsys: Capture
) -> None:
    assert main(["study", "applications", "--from", str(ran)]) == 0
    printed = capsys.readouterr().out
    assert [printed.count(f"\nTable {number}. ") for number in range(1, 5)] == [1] * 4
    (answers,) = lines_from("Answers: ", printed)
    assert numbers(answers) == ["0", "0", "10"]
    assert "null" not in printed.partition("Table 2")[0].partition("Rate:")[0]
