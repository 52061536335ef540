"""Parsers of command lines, and the help that they print of themselves, short and long.

Errors are one line that suggests what may have been meant.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from leadline.errors import printable, unknown_name

BEGINNING = """\
in a minute:
  leadline doctor
  leadline run --patterns pingpong,allreduce --budget 30s --out first
  leadline report first
With --buffers separate, times compare with those of OSU and IMB.
`leadline COMMAND --help` says more of a command."""


def overview(chain: Mapping[str, Mapping[str, str]], width: int) -> str:
    """The commands by the link of the `chain` that they belong to, in lines up to `width`."""
    margin = max(len(name) for commands in chain.values() for name in commands) + 4
    indent = " " * margin
    lines = []
    for link, commands in chain.items():
        lines.append(f"{link}:")
        for command, does in commands.items():
            first = f"  {command}".ljust(margin)
            lines += textwrap.wrap(does, width, initial_indent=first, subsequent_indent=indent)
        lines.append("")
    return "\n".join([*lines, BEGINNING])


MARGIN = 28
"""Columns of an option and its value."""
MEANING = 24
"""Columns of an option's meaning at least, however narrow the terminal."""
SHORT, LONG = "-h", "--help"


def short_help(parser: argparse.ArgumentParser) -> str:
    """How the parser's command is called, what it does, and a line for each word and option."""
    width = max(shutil.get_terminal_size().columns, MARGIN + MEANING)
    lines = [f"usage: {synopsis(parser)}", *textwrap.wrap(str(parser.description), width)]
    for group in parser._action_groups:
        shown = [
            named
            for action in group._group_actions
            if not {SHORT, LONG} & {*action.option_strings}
            for named in actions_of(action) or [(invocation(action), meaning(action))]
        ]
        lines += ["", f"{group.title}:"] if shown else []
        for name, text in shown:
            first = f"  {name}".ljust(MARGIN - 2) + "  "
            room = max(width - len(first), MEANING)
            lines.append(first + textwrap.shorten(text, room, placeholder=" ..."))
    return "\n".join([*lines, "", f"in full: {parser.prog} --help"])


def synopsis(parser: argparse.ArgumentParser) -> str:
    """How the parser's command is called, with what is required: "leadline plot ... RUN"."""
    required = [action for action in parser._actions if action.required and action.option_strings]
    words = [action for action in parser._actions if not action.option_strings]
    named = [f"{max(one.option_strings, key=len)} {value_of(one)}" for one in required]
    return " ".join([parser.prog, "[OPTION ...]", *named, *map(value_of, words)])


def value_of(action: argparse.Action) -> str:
    """The value, or the words, that an option or an argument takes: "FILE", "RUN [RUN ...]"."""
    name = str(action.metavar or action.dest.upper())
    formatter = argparse.HelpFormatter("")
    return (
        formatter._format_args(action, name) if action.nargs != argparse.PARSER else f"{name} ..."
    )


def invocation(action: argparse.Action) -> str:
    """An option with its names and its value: "-o, --out FILE"."""
    value = value_of(action) if action.nargs != 0 else ""
    return f"{', '.join(action.option_strings)} {value}".strip()


def meaning(action: argparse.Action) -> str:
    """The help text of an option or an argument."""
    return (action.help or "").replace("%%", "%")


def actions_of(action: argparse.Action) -> list[tuple[str, str]]:
    """The actions of a command, each as its name and what it does; none where it has no actions."""
    if not isinstance(action, argparse._SubParsersAction):
        return []
    return [(str(one.dest), str(one.help)) for one in action._choices_actions]


def short_overview(chain: Mapping[str, Mapping[str, str]]) -> str:
    """The names of all commands, a line a link of the `chain`."""
    margin = max(map(len, chain)) + 2
    links = [f"  {link.ljust(margin)}{', '.join(commands)}" for link, commands in chain.items()]
    ends = ["", "what they do: leadline help", "one of them:  leadline help COMMAND"]
    return "\n".join(["usage: leadline COMMAND ...", "", *links, *ends])


NEAR = 0.65
"""Least share of matching characters between similar commands, or options without their dashes:
they are short, and "foo" isn't similar to "root"."""
DRY_RUN = "-n"
"""Other launchers take the number of ranks by this option: `-n 2`."""


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others; -h is its help in short."""

    short: str | None = None
    """What -h prints; None: a line for each option."""
    too_many: str | None = None
    """The message for more words than the parser takes; None: argparse's."""

    def __init__(self, **settings: Any) -> None:
        """Takes "-3s" for a value, so that the error calls it what it is: a negative time."""
        super().__init__(**settings, add_help=False)
        self._negative_number_matcher = re.compile(r"-\d.*")
        self._positionals.title = "words"
        self.add_argument(SHORT, action=_PrintShort, nargs=0, help="print this in short")
        self.add_argument(LONG, action="help", help="print all of this")

    def error(self, message: str) -> NoReturn:
        """Prints `message` and ends with status 2."""
        self.exit(2, f"{self.prog}: {printable(message)}; see {self.prog} {LONG}\n")

    def refuse(self, unread: Sequence[str]) -> NoReturn:
        """Ends with status 2 for words that were not taken; suggests the nearest option."""
        option = next((word.partition("=")[0] for word in unread if word.startswith("-")), None)
        if option is None and self.too_many:
            self.exit(2, f"{self.prog} {self.too_many}\n")
        if option is None:
            word, hint = unread[0], ""
            if word.isdecimal() and {DRY_RUN, "--ranks"} <= set(names_of(self)):
                hint = f"; {DRY_RUN} is --dry-run, for ranks write --ranks {word}"
            self.error(f"unrecognized arguments: {' '.join(unread)}{hint}")
        if meant := nearest_option(option, names_of(self)):
            message = f"unknown option {printable(option)!r}; did you mean {meant!r}?"
            self.exit(2, f"{self.prog}: {message}\n")
        self.error(f"unknown option {option!r}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuses a word that isn't a choice of `action`, and suggests the nearest choice."""
        if action.choices is None or value in action.choices:
            return
        what = str(action.metavar or action.dest).lower()
        if action.option_strings:
            message = unknown_name(what, value, action.choices, cutoff=NEAR)
            raise argparse.ArgumentError(None, str(message))
        otherwise = f"{self.prog} {SHORT} lists them"
        message = unknown_name(what, value, action.choices, otherwise, cutoff=NEAR)
        self.exit(2, f"{self.prog}: {message}\n")


class _PrintShort(argparse.Action):
    """Prints a parser's help in short, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        own = parser.short if isinstance(parser, OneLineParser) else None
        print(own or short_help(parser))
        parser.exit()


def say_of_more(parser: argparse.ArgumentParser, text: str) -> None:
    """Sets the message for more words than a parser takes: its name and `text`."""
    if isinstance(parser, OneLineParser):
        parser.too_many = text


def inner_parsers(parser: argparse.ArgumentParser) -> dict[str, OneLineParser]:
    """The parsers of a command's actions, by name; none where it has no actions."""
    return {
        name: inner
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, inner in action.choices.items()
        if isinstance(inner, OneLineParser)  # as the parser that they are of
    }


def names_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """All names of the options of a parser and of its actions."""
    for one in (parser, *inner_parsers(parser).values()):
        for action in one._actions:
            yield from action.option_strings


def nearest_option(seen: str, names: Iterable[str]) -> str | None:
    """The long option that `seen` is likely to mean; None: none is similar."""
    bare = {name.lstrip("-").casefold(): name for name in names if name.startswith("--")}
    wanted = seen.lstrip("-").casefold()
    near = difflib.get_close_matches(wanted, bare, n=1, cutoff=NEAR) if len(wanted) > 1 else []
    return bare[near[0]] if near else None
