"""What pages print of simulations and mappings, to the digit: nothing is measured for these."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from harness.places import ROOT

from leadline.cli import main

SHOWN = re.compile(r"```console\n(\$ leadline simulate .*?)```\n\n```text\n(.*?)```\n", re.DOTALL)
MAPPED = re.compile(r"```console\n\$ leadline (map [^`]*?)\n```\n\n```text\n(.*?)```\n", re.DOTALL)
TOOK = re.compile(r"in [0-9.]+ [mu]?s\.")
AGAIN = re.compile(
    r"```console\n\$ leadline (reproduce .*?)\n```\n\n```text\n(.*?)```\n", re.DOTALL
)
DATE = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d")


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md"])
def test_page_has_what_its_last_command_prints(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (example,) = SHOWN.findall((ROOT / page).read_text())
    commands, text = (part.replace("\\\n", " ") for part in example)
    for command in commands.split("$ leadline ")[1:]:
        capsys.readouterr()
        assert main(shlex.split(command)) == 0
    assert DATE.sub("", capsys.readouterr().out).strip() == DATE.sub("", text).strip()


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/mapping.md"])
def test_page_has_what_a_mapping_prints(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ((command, text),) = [
        example
        for example in MAPPED.findall((ROOT / page).read_text())
        if "nodes:32x48" in example[0]
    ]
    assert main(shlex.split(command)) == 0
    assert TOOK.sub("", capsys.readouterr().out) == TOOK.sub("", text)


@pytest.mark.parametrize("page", ["README.md", "docs/howto.md"])
def test_page_has_parts_of_what_a_reproduction_prints(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    ((command, text),) = AGAIN.findall((ROOT / page).read_text())
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert [part for part in text.strip().split("\n\n") if part not in printed] == []
