"""Manual pages: the same words as --help, in troff that renders without a warning."""

from __future__ import annotations

import argparse
import subprocess
from argparse import SUPPRESS

import pytest

from leadline.cli import parser_for
from leadline.cli.man_page import escaped, manual_pages
from leadline.cli.parsing.parser import inner_parsers

PAGES = manual_pages()


def rendered(page: str) -> str:
    """The page as a terminal shows it, without bold letters; AssertionError where troff warns."""
    argv = ["groff", "-man", "-ww", "-Tutf8", "-P-cbou"]
    done = subprocess.run(argv, input=page, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.replace("\N{HYPHEN}", "-").replace("\N{MINUS SIGN}", "-")


def parser_of(command: str) -> argparse.ArgumentParser:
    """That of a command, or of the whole program."""
    parser = parser_for(command)
    for action in parser._actions if command else ():
        if isinstance(action, argparse._SubParsersAction):
            inner = action.choices[command]
            assert isinstance(inner, argparse.ArgumentParser)
            return inner
    return parser


@pytest.mark.parametrize("name", PAGES)
def test_page_renders_without_a_warning_and_has_all_that_help_says(name: str) -> None:
    text = " ".join(rendered(PAGES[name]).split())
    assert "\\" not in text
    parser = parser_of(name.removesuffix(".1").partition("-")[2])
    assert " ".join(str(parser.description).split()) in text
    for one in (parser, *inner_parsers(parser).values()):
        for action in one._actions:
            message = [*action.option_strings, str(action.help or "").replace("%%", "%")]
            assert all(" ".join(words.split()) in text for words in message if words != SUPPRESS)


def test_warning_of_troff_is_seen() -> None:
    with pytest.raises(AssertionError):
        rendered(PAGES["leadline.1"] + "\n.NOSUCHMACRO x\n")


def test_no_letter_of_a_text_steers_troff() -> None:
    hostile = ".so /etc/passwd\n'br\n\\fBbold\\n -o `x` ~^"
    page = f'.TH X 1 "" "" ""\n.SH NAME\n.nf\n{escaped(hostile)}\n.fi\n'
    lines = [line.strip() for line in rendered(page).splitlines()]
    assert [line for line in lines if line][2:5] == hostile.splitlines()
