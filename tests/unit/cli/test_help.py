"""Help short and long, the same short options everywhere, and what wrong words lead to."""

from __future__ import annotations

import argparse

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import line_with

from leadline import __version__
from leadline.cli import COMMANDS, main, parser_for
from leadline.cli.parsing.parser import inner_parsers, nearest_option, short_help, short_overview

COMMON = {
    "-h": None,
    "-V": "--version",
    "-o": "--out",
    "-n": "--dry-run",
    "-q": "--quiet",
    "-v": "--verbose",
}
"""What a letter means, wherever it means anything."""


def printed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What a command that ends by its help says on stdout, or as an error on stderr."""
    try:
        ended = main(list(words))
    except SystemExit as left:
        ended = int(str(left.code))
    assert ended == status
    captured = capsys.readouterr()
    assert (captured.err == "") == (status == 0)
    return captured.err if status else captured.out


def parser_of(command: str) -> argparse.ArgumentParser:
    (inner,) = (
        action.choices[command]
        for action in parser_for(command)._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    assert isinstance(inner, argparse.ArgumentParser)
    return inner


def all_parsers(command: str) -> list[argparse.ArgumentParser]:
    parser = parser_of(command)
    return [parser, *inner_parsers(parser).values()]


def test_program_alone_and_help_print_the_overview(capsys: pytest.CaptureFixture[str]) -> None:
    overview = printed(capsys, "--help")
    assert printed(capsys) == printed(capsys, "help") == overview
    assert all(f"\n  {command} " in overview for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_what_its_own_option_prints(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys, "help", command) == printed(capsys, command, "--help")


def test_help_knows_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "help", "hosts", "up") == printed(capsys, "hosts", "up", "--help")


@pytest.mark.parametrize("command", COMMANDS)
def test_short_help_is_a_line_an_option_and_no_option_is_missing(command: str) -> None:
    for parser in all_parsers(command):
        lines = short_help(parser).splitlines()
        assert lines[0].startswith(f"usage: {parser.prog} ")
        assert lines[-1].endswith(f": {parser.prog} --help")
        options = [one.option_strings[-1] for one in parser._actions if one.option_strings]
        items = [line for line in lines if line.startswith("  ")]
        shown = {name for line in items for name in line[:28].split() if name[:2] == "--"}
        assert shown == {*options} - {"-h", "--help"}
        words = [one for one in parser._actions if not one.option_strings]
        assert len(items) == len(shown) + max(len(words), len(inner_parsers(parser)))


def test_short_help_keeps_within_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for command in COMMANDS:
        for line in short_help(parser_of(command)).splitlines():
            assert len(line) <= 100 or "|" in line or "=" in line, line  # values stay whole


def test_short_help_of_the_program_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "-h")
    words = text.replace(",", " ").split()
    assert all(command in words for command in COMMANDS)
    assert len(text.splitlines()) < 15
    assert short_overview({"begin": {"get": ""}}).splitlines()[2] == "  begin  get"


@pytest.mark.parametrize("command", COMMANDS)
def test_letters_mean_the_same_everywhere(command: str) -> None:
    for parser in all_parsers(command):
        for action in parser._actions:
            letters = [one for one in action.option_strings if len(one) == 2]
            longs = [one for one in action.option_strings if len(one) > 2]
            assert all(COMMON[letter] == next(iter(longs), None) for letter in letters)
            for letter, long in COMMON.items():
                assert (letter in letters) or (long not in longs)


def test_version_has_a_letter(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "-V") == printed(capsys, "--version") == f"leadline {__version__}\n"


WRONG = (
    "rnu",
    "xyzzy",
    "help rnu",
    "help hosts upp",
    "--verion",
    "--",
    "run --backend shm",
    "run --size 8",
    "hosts rise",
    "run --Out=x",
    "run --foo",
    "run -x",
    "run -n 2",
    "run out",
    "show a b",
    "hosts dwon",
    "hosts list --prefix h",
    "import x --format ocu",
)


def test_wrong_word_leads_to_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    answers = {words: printed(capsys, *words.split(), status=2) for words in WRONG}
    assert {words: line_with(text) for words, text in answers.items()} == snapshot


def test_nothing_is_suggested_at_a_large_distance() -> None:
    names = ("--root", "--ranks", "--out", "-o", "--hosts")
    assert [nearest_option(seen, names) for seen in ("--foo", "--xyz", "-o2", "--h")] == [None] * 4
    assert nearest_option("--rank", names) == "--ranks"
    assert nearest_option("-out", names) == "--out"
