"""`leadline reproduce --runs` and `--live`: what a study of a paper measured on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from tests.support.tiny_study import FIGURE, STUDY

from leadline.cli import main
from leadline.errors import MachineError
from leadline.studies.study import Study

PAPER = FIGURE.split(".")[0]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_tiny_study(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a paper, in the place of all others: three seconds over raw shared memory."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("leadline.studies.catalogue.all_studies", lambda: [STUDY])
    monkeypatch.setattr("leadline.cli.stages._names", lambda *_: ["shm"])


def reproduced(*words: str) -> int:
    return main(["reproduce", "--paper", PAPER, *words])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "x"], "--out is for what --live measures"),
        (["--live", "--runs", "x"], "--live measures what --runs has; give one of them"),
        (["--runs", "/nonexistent"], "there is no run below it; see `leadline study`"),
    ],
)
def test_nonsense_is_refused_in_one_line(words: list[str], message: str, capsys: Capture) -> None:
    assert reproduced(*words) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert message in captured.err


# -- what can't be measured ------------------------------------------------------------------------


def _refuses(study: Study, _: argparse.Namespace, __: Path) -> bool:
    raise MachineError(f"{study.name}: emulating hosts takes root")


def test_nothing_that_can_be_measured_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("leadline.cli.stages.measured", _refuses)
    assert reproduced("--live", "--out", str(tmp_path / "now")) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "leadline reproduce: tiny: emulating hosts takes root" in captured.err


def test_interrupted_study_says_how_to_see_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("leadline.cli.stages.measured", lambda *_: False)
    assert reproduced("--live", "--out", str(tmp_path / "now")) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"what there is: leadline reproduce --runs {tmp_path / 'now'}" in captured.err
