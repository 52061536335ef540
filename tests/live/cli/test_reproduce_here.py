"""`leadline reproduce --runs` and `--live`: what a study of a paper measured on this machine."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support import json_schema
from tests.support.texts import lines_from, numbers
from tests.support.tiny_study import FIGURE, PAPER, STAGE, STUDY, put_alone

from leadline.cli import main
from leadline.cli.commands import reproduce
from leadline.errors import MachineError
from leadline.papers.study import Study

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_tiny_study(monkeypatch: pytest.MonkeyPatch) -> None:
    put_alone(monkeypatch)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test measures, and the others find it."""
    return tmp_path_factory.mktemp("live") / "today"


def reproduced(*words: str) -> int:
    return main(["reproduce", "--paper", PAPER, *words])


def test_live_measures_says_before_how_long_and_keeps_every_run(
    out: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert reproduced("--live", "--out", str(out)) == 0
    captured = capsys.readouterr()
    first = captured.err.splitlines()[0]
    assert first.replace(str(out), "DIR") == snapshot
    assert f"run directories: {out}/*/*" in captured.err
    assert (out / "tiny" / STAGE / "run.json").exists()
    assert lines_from(f"{PAPER} · measured here: ", captured.out)
    (row,) = (line for line in captured.out.splitlines() if " shm " in line)
    assert row.split()[:3] == ["peak", "ethernet", "mpich"] and numbers(row)[0] == "8"
    (answers,) = lines_from(f"{PAPER} · put to ", captured.out)
    assert sum(map(int, numbers(answers))) == 3


def test_runs_are_cells_with_library_and_interval(out: Path, capsys: Capture) -> None:
    assert reproduced("--runs", str(out), "--json") == 0
    printed = capsys.readouterr().out
    json_schema.check("reproduce", printed)
    content = json.loads(printed)
    (cell,) = [one for one in content["cells"] if one["library"]]
    assert (cell["id"], cell["library"], cell["label"]) == (FIGURE, "shm", "measured here")
    assert cell["unit"] == "Mbps"
    if cell["low"] is not None:  # a busy machine leaves three seconds too few blocks for one
        assert cell["low"] <= cell["ours"] <= cell["high"]
    assert cell["deviation"] == pytest.approx(cell["ours"] / 8 - 1)
    ids = [one["id"] for one in content["cells"] if one["label"] == "measured here"]
    assert ids[1:] == [f"{PAPER}.finding.{number}" for number in (1, 2, 3)]
    (paper,) = content["papers"]
    assert paper["runs"] == [str(out / "tiny" / STAGE)]
    assert main(["reproduce", "--paper", PAPER, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)["cells"]
    assert [one for one in content["cells"] if one["label"] != "measured here"] == alone


def test_page_has_what_was_measured(out: Path, tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "papers.html"
    assert reproduced("--runs", str(out), "--report", str(page)) == 0
    (answers,) = re.findall(r">Put to what was measured here: ([^<]+)<", page.read_text())
    assert sum(map(int, numbers(answers))) == 3


def test_study_that_is_there_twice_is_refused(
    out: Path, tmp_path: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    shutil.copytree(out / "tiny", tmp_path / "again")
    assert reproduced("--runs", str(out), str(tmp_path)) == 2
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot


def test_runs_of_another_paper_are_none(
    out: Path, capsys: Capture, snapshot: SnapshotAssertion
) -> None:
    assert main(["reproduce", "--paper", "collectives", "--runs", str(out)]) == 2
    assert capsys.readouterr().err.replace(str(out), "DIR") == snapshot


def test_directory_of_an_older_study_is_refused_before_anything_is_measured(
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setattr("leadline.cli.stages.measured", lambda *_: pytest.fail("measures"))
    shutil.copytree(out / "tiny", tmp_path / "older")
    assert reproduced("--live", "--out", str(tmp_path)) == 2
    assert capsys.readouterr().err.replace(str(tmp_path), "DIR") == snapshot


# -- what can't be measured ------------------------------------------------------------------------


def test_study_that_the_machine_refuses_is_left_out_and_told(
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    snapshot: SnapshotAssertion,
) -> None:
    def measured(study: Study, directory: Path) -> bool:
        if study.name == "refused":
            raise MachineError("emulating hosts takes root")
        shutil.copytree(out / "tiny", directory)
        return True

    both = [replace(STUDY, name="refused"), STUDY]
    monkeypatch.setattr("leadline.papers.catalogue.all_studies", lambda: both)
    monkeypatch.setattr(reproduce, "_measured", measured)
    assert reproduced("--live", "--out", str(tmp_path / "now")) == 1
    captured = capsys.readouterr()
    assert captured.err.replace(str(tmp_path), "DIR") == snapshot
    assert lines_from(f"{PAPER} · measured here: ", captured.out)
