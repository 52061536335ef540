"""`leadline reproduce --runs` and `--live`: what a study of a paper measured on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with
from tests.support.tiny_study import PAPER, STUDY, put_alone

from leadline.cli import main
from leadline.errors import MachineError
from leadline.papers.study import Study

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def one_tiny_study(monkeypatch: pytest.MonkeyPatch) -> None:
    put_alone(monkeypatch)


def reproduced(*words: str) -> int:
    return main(["reproduce", "--paper", PAPER, *words])


def test_nonsense_is_refused_in_one_line(capsys: Capture, snapshot: SnapshotAssertion) -> None:
    output = {}
    for words in ("--out x", "--live --runs x", "--runs /nonexistent"):
        assert reproduced(*words.split()) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        output[words] = line_with(captured.err)
    assert output == snapshot


# -- what can't be measured ------------------------------------------------------------------------


NEEDS = "emulating hosts takes root"


def _refuses(study: Study, _: argparse.Namespace, __: Path) -> bool:
    raise MachineError(f"{study.name}: {NEEDS}")


def test_nothing_that_can_be_measured_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("leadline.cli.stages.measured", _refuses)
    assert reproduced("--live", "--out", str(tmp_path / "now")) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"leadline reproduce: {STUDY.name}: {NEEDS}" in captured.err


def test_interrupted_study_says_how_to_see_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("leadline.cli.stages.measured", lambda *_: False)
    assert reproduced("--live", "--out", str(tmp_path / "now")) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"leadline reproduce --runs {tmp_path / 'now'}" in captured.err
