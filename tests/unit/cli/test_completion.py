from __future__ import annotations

from pathlib import Path

import pytest

from leadline.cli import COMMANDS, main
from leadline.cli.shells import SHELLS, Option, Subcommand, fish, zsh

HOSTILE = Subcommand(
    "run",
    "it's $(touch broken) `touch broken` [a:b]",
    (
        Option("--buffers", "echo's \\ [which]: memory", True, ("echo", "cold:er")),
        Option("--out", "where", True, (), "-o"),
        Option("--machine", "it", True, ("t3d", "sp2"), or_file=True),
        Option("-h", "in short", False, ()),
    ),
)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_help_is_completed_as_it_calls_itself(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed.count("print this in short") >= len(COMMANDS)
    assert printed.count("print all of this") == len(COMMANDS)
    assert "show this help message" not in printed


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in COMMANDS)
    assert "baseline" in printed


def test_words_are_quoted_as_each_shell_does(tmp_path: Path) -> None:
    assert "'run:it'\\''s $(touch broken) `touch broken` [a:b]'" in zsh([HOSTILE])
    assert "'--buffers[echo'\\''s \\ (which), memory]:value:(echo cold\\:er)'" in zsh([HOSTILE])
    assert r"-d 'it\'s $(touch broken) `touch broken` [a:b]'" in fish([HOSTILE])
    assert "'-o[where]:value:_files' '--out[where]:value:_files'" in zsh([HOSTILE])
    assert "-l out -s o -r -d 'where'" in fish([HOSTILE])
    assert "'--machine[it]:value:{compadd - t3d sp2; _files}' '-h[in short]'" in zsh([HOSTILE])
    assert "-l machine -r -a 't3d sp2' -d 'it'" in fish([HOSTILE])
    assert "-s h -d 'in short'" in fish([HOSTILE])
    assert r"-l buffers -r -f -a 'echo cold:er' -d 'echo\'s \\ [which]: memory'" in fish([HOSTILE])


def test_another_shell_is_no_slip_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    message = "leadline completion: unknown shell 'tcsh'; choose from: bash, fish, zsh\n"
    assert capsys.readouterr().err == message


def test_unknown_shell_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bsh"]) == 2
    message = "leadline completion: unknown shell 'bsh'; did you mean 'bash'?\n"
    assert capsys.readouterr().err == message
