"""Parsers of command lines: errors of one line that say what was meant, help short and long."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from leadline.cli.short_help import LONG, SHORT, short_help
from leadline.errors import printable, unknown_name

NEAR = 0.65
"""Of two commands, or options without their dashes, by their matching characters: they are short,
and "foo" isn't near "root"."""
DRY_RUN = "-n"


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others; -h is its help in short."""

    short: str | None = None
    """What -h prints, where it isn't a line an option."""
    too_many: str | None = None
    """What is said where there are more words than it takes."""

    def __init__(self, **settings: Any) -> None:
        """Takes "-3s" for a value, so that it is refused for what it is: a negative time."""
        super().__init__(**settings, add_help=False)
        self._negative_number_matcher = re.compile(r"-\d.*")
        self._positionals.title = "words"
        self.add_argument(SHORT, action=_PrintShort, nargs=0, help="print this in short")
        self.add_argument(LONG, action="help", help="print all of this")

    def error(self, message: str) -> NoReturn:
        """Prints `message` and ends with status 2."""
        self.exit(2, f"{self.prog}: {printable(message)}; see {self.prog} {LONG}\n")

    def refuse(self, unread: Sequence[str]) -> NoReturn:
        """Ends with status 2 for words that nobody took: an option by what it is near to."""
        option = next((word.partition("=")[0] for word in unread if word.startswith("-")), None)
        if option is None and self.too_many:
            self.exit(2, f"{self.prog} {self.too_many}\n")
        if option is None:
            self.error(f"unrecognized arguments: {' '.join(unread)}{self._of_ranks(unread[0])}")
        if meant := nearest_option(option, names_of(self)):
            said = f"unknown option {printable(option)!r}; did you mean {meant!r}?"
            self.exit(2, f"{self.prog}: {said}\n")
        self.error(f"unknown option {option!r}")

    def _of_ranks(self, word: str) -> str:
        """What leads on from `-n 2`, by which other launchers take ranks."""
        names = set(names_of(self))
        meant = word.isdecimal() and {DRY_RUN, "--ranks"} <= names
        return f"; {DRY_RUN} is --dry-run, for ranks write --ranks {word}" if meant else ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuses a word that isn't among those of `action`, with the one that it is near to."""
        if action.choices is None or value in action.choices:
            return
        what = str(action.metavar or action.dest).lower()
        if action.option_strings:
            said = unknown_name(what, value, action.choices, cutoff=NEAR)
            raise argparse.ArgumentError(None, str(said))
        otherwise = f"{self.prog} {SHORT} lists them"
        said = unknown_name(what, value, action.choices, otherwise, cutoff=NEAR)
        self.exit(2, f"{self.prog}: {said}\n")


class _PrintShort(argparse.Action):
    """Prints a parser's help in short, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        own = parser.short if isinstance(parser, OneLineParser) else None
        print(own or short_help(parser))
        parser.exit()


def say_of_more(parser: argparse.ArgumentParser, text: str) -> None:
    """Has a parser answer more words than it takes by its name and `text`."""
    if isinstance(parser, OneLineParser):
        parser.too_many = text


def inner_parsers(parser: argparse.ArgumentParser) -> dict[str, OneLineParser]:
    """Those of a command's actions, by name; none where it has no actions."""
    return {
        name: inner
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, inner in action.choices.items()
        if isinstance(inner, OneLineParser)  # as the parser that they are of
    }


def names_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Options of a parser and of its actions, under all of their names."""
    for one in (parser, *inner_parsers(parser).values()):
        for action in one._actions:
            yield from action.option_strings


def nearest_option(seen: str, names: Iterable[str]) -> str | None:
    """The long option that `seen` is likely to mean; None: none is near."""
    bare = {name.lstrip("-").casefold(): name for name in names if name.startswith("--")}
    wanted = seen.lstrip("-").casefold()
    near = difflib.get_close_matches(wanted, bare, n=1, cutoff=NEAR) if len(wanted) > 1 else []
    return bare[near[0]] if near else None
