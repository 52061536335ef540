"""`leadline run` over simulated ranks: on which machine, beside measured ones, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline.cli import main

T3E = ("--machine", "cray-t3e-900")
SMPI = ("--backends", "smpi")


def refused(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    assert main(["run", "--out", str(folder), "--patterns", "pingpong", *words]) == 2
    return capsys.readouterr().err


def test_folder_that_smpirun_would_split_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "a b"))
    problem = refused(capsys, tmp_path / "run", *SMPI, *T3E)
    assert f"'{tmp_path}/a b" in problem and "TMPDIR" in problem
