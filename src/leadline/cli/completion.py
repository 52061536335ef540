"""`leadline completion`: a script that makes a shell complete commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from leadline.errors import SLIP, unknown_name

if TYPE_CHECKING:
    from leadline.cli.shells import Option, Subcommand


WITH_VALUES = ("unexpected:16", "cyclic:2x2:all", "halo:2x2x2", "iallreduce:overlapped:work=20us")
"""Patterns whose options have values, to begin from."""
OR_FILE = "NAME|FILE"
"""How options say that they take a machine that comes along, or a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline completion`."""
    parser.add_argument("shell", metavar="bash|zsh|fish", help="which one")
    parser.epilog = 'In ~/.bashrc: eval "$(leadline completion bash)"'


def execute(arguments: argparse.Namespace) -> int:
    """Prints the script, which is to be read by the shell's start-up file."""
    from leadline.cli import COMMANDS
    from leadline.cli.shells import SHELLS

    if arguments.shell not in SHELLS:
        raise unknown_name("shell", arguments.shell, SHELLS, cutoff=SLIP)
    print(SHELLS[arguments.shell]([_command(*entry) for entry in COMMANDS.items()]), end="")
    return 0


def _command(name: str, meaning: str) -> Subcommand:
    from leadline.cli import parser_of
    from leadline.cli.shells import Subcommand

    parser = parser_of(name)
    options = options_of(parser)
    words = [_values(action) for action in parser._actions if not action.option_strings]
    return Subcommand(name, meaning, tuple(map(_option, options)), sum(words, ()))


def options_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """A command's options, and those of its actions where it has some."""
    parsers = [parser, *(inner for action in parser._actions for inner in _within(action))]
    found = {a.option_strings[-1]: a for one in parsers for a in one._actions if a.option_strings}
    return list(found.values())


def _within(action: argparse.Action) -> list[argparse.ArgumentParser]:
    has_parsers = isinstance(action, argparse._SubParsersAction)
    return list(action.choices.values()) if has_parsers and isinstance(action.choices, dict) else []


def _option(action: argparse.Action) -> Option:
    from leadline.cli.shells import Option

    name = max(action.option_strings, key=len)
    short = next((one for one in action.option_strings if not one.startswith("--")), "")
    return Option(
        name,
        (action.help or "").replace("%%", "%"),
        has_value=action.nargs != 0,
        values=_values(action),
        short="" if short == name else short,
        or_file=action.metavar == OR_FILE,
    )


def _values(action: argparse.Action) -> tuple[str, ...]:
    """The words that it takes; empty: any."""
    named = _named(action)
    if named is not None:
        return tuple(named)
    words = action.choices or str(action.metavar or "").split("|")
    return tuple(word for word in words if word.islower()) if len(tuple(words)) > 1 else ()


def _named(action: argparse.Action) -> Iterable[str] | None:
    """Names that a part of the tool has, patterns as suites do and by example; None: none does."""
    from leadline.backends.kinds import INSTALLABLE, KINDS
    from leadline.cli import COMMANDS
    from leadline.cli.search import method_words
    from leadline.hosts.emulated.link import LINKS
    from leadline.simulate.shipped import shipped_names
    from leadline.studies.catalogue import STUDIES
    from leadline.studies.published.catalogue import PAPERS

    if action.metavar == OR_FILE:
        return shipped_names()
    if action.dest == "library":
        return None if action.option_strings else INSTALLABLE
    if action.dest in ("method", "patterns"):
        return method_words() if action.dest == "method" else _patterns()
    papers = [paper.key for paper in PAPERS]
    names = {"about": COMMANDS, "study": STUDIES, "paper": papers, "backends": KINDS, "link": LINKS}
    return names.get(action.dest)


def _patterns() -> Iterable[str]:
    from leadline.measure.suites import SUITES

    named = (pattern for suite in SUITES.values() for pattern in suite.patterns)
    return dict.fromkeys((*named, *WITH_VALUES))
