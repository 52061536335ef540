"""`leadline help`: what the commands are, or all that one of them takes."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of `leadline help`."""
    parser.add_argument(
        "about",
        nargs="*",
        metavar="COMMAND",
        help="a command and, if it has any, its action (default: all commands)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Prints the page that --help prints; 0."""
    from leadline.cli import COMMANDS, parser_for
    from leadline.cli.parsing.parser import LONG, NEAR
    from leadline.errors import unknown_name

    command = next(iter(arguments.about), None)
    if command is not None and command not in COMMANDS:
        raise unknown_name("command", command, COMMANDS, "leadline -h lists them", cutoff=NEAR)
    parser_for(command).parse_args([*arguments.about, LONG])
    return 0
