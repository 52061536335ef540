"""What pages print of simulations: to the digit what the tool prints, since nothing is measured."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.support.places import ROOT

from leadline.cli import main

SHOWN = re.compile(r"```console\n(\$ leadline simulate .*?)```\n\n```text\n(.*?)```\n", re.DOTALL)
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
