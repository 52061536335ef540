"""`leadline hosts`: words that are refused before anything is made."""

from __future__ import annotations

import os

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline.cli import main


def refused(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """The one line on stderr with which `leadline hosts WORDS` ends with 2."""
    try:
        status = main(["hosts", *words.split()])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return line_with(captured.err)


def test_action_that_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    asked = ("", "rise", "up --cou 2", "list --prefix h", "stop")
    assert {words: refused(capsys, words) for words in asked} == snapshot


def test_value_that_cannot_be_is_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    asked = (
        "up --count 0",
        "up --link 0Mbit",
        "up --link gigabyte",
        "up --clock h1",
        "up --clock h1=1.5s",
        "up --clock h1=1 --clock h1=2",
        "exec h1",
        "down --prefix h1",
    )
    assert {words: refused(capsys, words) for words in asked} == snapshot
