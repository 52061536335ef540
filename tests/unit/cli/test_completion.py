from __future__ import annotations

import argparse

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.cli import COMMANDS, main, parser_for
from leadline.cli.commands.completion import SHELLS, Option, Subcommand, fish, zsh
from leadline.cli.parsing.parser import inner_parsers

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
    inner = inner_parsers(parser_for("doctor"))["doctor"]
    help_of = {one.option_strings[0]: str(one.help) for one in inner._actions}
    assert printed.count(help_of["-h"]) >= len(COMMANDS)
    assert printed.count(help_of["--help"]) == len(COMMANDS)
    assert str(argparse.ArgumentParser()._actions[0].help) not in printed


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in COMMANDS)
    assert "baseline" in printed


def test_words_are_quoted_as_each_shell_does(snapshot: SnapshotAssertion) -> None:
    assert {"zsh": zsh([HOSTILE]), "fish": fish([HOSTILE])} == snapshot


@pytest.mark.parametrize("slip", ["tcsh", "bsh"])
def test_unknown_shell_is_named_with_the_nearest_if_it_may_be_a_slip(
    slip: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["completion", slip]) == 2
    assert capsys.readouterr().err == snapshot
