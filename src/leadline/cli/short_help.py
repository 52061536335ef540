"""Help in short: how a command is called, and a line an option."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Iterator, Mapping

MARGIN = 28
"""Columns of an option and its value."""
MEANING = 24
"""Columns that what it means has at least, however narrow the terminal."""
SHORT, LONG = "-h", "--help"


def short_help(parser: argparse.ArgumentParser) -> str:
    """How the parser's command is called, what it does, and a line for each word and option."""
    width = max(shutil.get_terminal_size().columns, MARGIN + MEANING)
    lines = [f"usage: {synopsis(parser)}", *textwrap.wrap(str(parser.description), width)]
    for group in parser._action_groups:
        shown = [
            action
            for action in group._group_actions
            if not {SHORT, LONG} & {*action.option_strings}
        ]
        found = [line for action in shown for line in _lines(action, width)]
        lines += ["", f"{group.title}:", *found] if found else []
    return "\n".join([*lines, "", f"in full: {parser.prog} --help"])


def synopsis(parser: argparse.ArgumentParser) -> str:
    """How its command is called, with what can't be left out: "leadline plot ... RUN"."""
    required = [one for one in parser._actions if one.required and one.option_strings]
    words = [one for one in parser._actions if not one.option_strings]
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
    """What it is for, as its help has it."""
    return (action.help or "").replace("%%", "%")


def actions_of(action: argparse.Action) -> list[tuple[str, str]]:
    """Of a command that has actions their names, each with what it does."""
    if not isinstance(action, argparse._SubParsersAction):
        return []
    return [(str(one.dest), str(one.help)) for one in action._choices_actions]


def _lines(action: argparse.Action, width: int) -> Iterator[str]:
    for name, text in actions_of(action) or [(invocation(action), meaning(action))]:
        first = f"  {name}".ljust(MARGIN - 2) + "  "
        yield first + textwrap.shorten(text, max(width - len(first), MEANING), placeholder=" ...")


def short_overview(chain: Mapping[str, Mapping[str, str]]) -> str:
    """The names of all commands, a line a link of the `chain`."""
    margin = max(map(len, chain)) + 2
    links = [f"  {link.ljust(margin)}{', '.join(commands)}" for link, commands in chain.items()]
    ends = ["", "what they do: leadline help", "one of them:  leadline help COMMAND"]
    return "\n".join(["usage: leadline COMMAND ...", "", *links, *ends])
