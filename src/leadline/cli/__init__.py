"""The command line: a table of contents. Each command's module is imported when it is called.

A command parses its words, calls one function of a room below, and prints. `commands` has a file a
command, `parsing` what several of them parse: runs, machines, jobs, campaign options, formats.
Beside them is what belongs to a process at a terminal: `process` (signals, streams, limits),
`last_resort` (an unexpected error becomes one line and a report in a file), `outcome` (progress of
a campaign, its result and exit status), and the drivers of commands that run several campaigns.

Public:
    last_resort: guarded

For: __main__.
Never: arithmetic; what a format looks like.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from leadline import __version__
from leadline.cli.parsing.parser import LONG, OneLineParser, inner_parsers, overview, short_overview
from leadline.cli.process import (
    LOST,
    OutputError,
    check_address_space,
    drop_output,
    end_as_by_ctrl_c,
    flushed_output,
)
from leadline.errors import LeadlineError, refusal

CHAIN: Mapping[str, Mapping[str, str]] = {
    "begin": {
        "doctor": "what is on this machine, what is missing, and how to get it",
        "get": "install an MPI from PyPI's wheels into a prefix of its own",
        "patterns": "list what can be measured, and what MPI, OSU and IMB call it",
        "help": "say what there is, or all that a command takes",
    },
    "measure": {
        "run": "measure patterns over backends, side by side",
        "show": "print what a run measured",
        "health": "find the slow or dead link or host among many, by rounds of disjoint pairs",
        "hosts": "emulate a cluster on this machine: hosts as namespaces, links as fast as asked "
        "for",
        "import": "read the output of OSU, IMB, NetPIPE or nccl-tests, or Extra-P's files, "
        "as a run",
    },
    "compare": {
        "compare": "say which configuration or run is faster, by how much, how sure",
        "history": "show the trend of curves over many runs, and where it changed",
        "study": "measure what a paper did, and say which of its findings hold here",
    },
    "model": {
        "fit": "say in closed forms what operations take, by size and ranks, and how sure that is",
        "predict": "say what an operation, or a whole program, will take by the models of a run",
    },
    "map": {
        "map": "say which rank belongs on which processor, and what that saves",
        "dims": "say into which grid a number of ranks should be cut",
        "exec": "start an OpenSHMEM program, any launcher's words, also with ranks reordered, or "
        "an MPI program on a simulated machine",
    },
    "simulate": {
        "simulate": "say what patterns would take on a machine you don't have, as a run",
        "calibrate": "write a machine file from a measured run, and say how far it is from the "
        "rest",
        "reproduce": "set every figure of five papers beside what simulated machines come to",
        "trace": "say who sends what to whom in a pattern, phase by phase",
    },
    "show others": {
        "report": "write runs as one HTML file that opens anywhere, offline",
        "plot": "draw a figure for a paper: curves, a ratio, or against ranks",
        "export": "write the medians of all blocks as rows for other programs",
        "sql": "select from the stored batches and cells of any number of runs",
        "completion": "print a script that makes a shell complete commands and options",
    },
}
"""What each command does, by the link of the chain that it belongs to."""
COMMANDS = {name: does for link in CHAIN.values() for name, does in link.items()}


def parser_for(command: str | None) -> OneLineParser:
    """The parser of the whole program; only `command` gets its options (the rest stay unread)."""
    parser = OneLineParser(
        prog="leadline",
        usage="leadline COMMAND ...",
        description="Measures, compares, models, maps and simulates message passing.",
        epilog=overview(CHAIN, shutil.get_terminal_size().columns),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.short = short_overview(CHAIN)
    parser.add_argument(
        "-V", "--version", action="version", version=f"leadline {__version__}",
        help="print the version",
    )  # fmt: skip
    subparsers = parser.add_subparsers(
        prog="leadline", metavar="COMMAND", dest="command", help=argparse.SUPPRESS
    )
    for name, summary in COMMANDS.items():
        sub = subparsers.add_parser(name, description=summary, allow_abbrev=False)
        if name == command:
            importlib.import_module(f"leadline.cli.commands.{name}").add_arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; errors become one message on stderr.

    An error that a user can't remedy is raised: `last_resort` answers it.
    """
    words = list(sys.argv[1:] if argv is None else argv) or [LONG]
    end_as_by_ctrl_c()
    command = next((word for word in words if not word.startswith("-")), None)
    who = f"leadline {command}" if command in COMMANDS else "leadline"
    try:
        with flushed_output():
            arguments, unread = parser_for(command).parse_known_args(words)
            if unread or arguments.command is None:
                _refuse(arguments, unread)
            check_address_space()
            module = importlib.import_module(f"leadline.cli.commands.{arguments.command}")
            return int(module.execute(arguments))
    except LeadlineError as error:
        return _ended(f"{who}: {error}", error.exit_status)
    except KeyboardInterrupt:
        return _ended(f"{who}: interrupted", 130)
    except OutputError as error:
        drop_output()
        if error.errno == errno.EPIPE:  # the reader has seen enough, which is no error
            return 141
        return _ended(f"{who}: output: {LOST.get(error.errno or 0, error.strerror)}", 1)
    except OSError as error:
        if (refused := refusal(error)) is None:
            raise
        return _ended(f"{who}: {refused}", 1)


def _refuse(arguments: argparse.Namespace, unread: Sequence[str]) -> NoReturn:
    """Ends with status 2 for words that no command or action took, or where no command is given."""
    if arguments.command is not None:
        parser = parser_of(arguments.command)
        inner_parsers(parser).get(vars(arguments).get("action", ""), parser).refuse(unread)
    if not any(word.strip("-") for word in unread):
        parser_for(None).error("no command is given")
    parser_for(None).refuse(unread)


def parser_of(command: str) -> OneLineParser:
    """The parser of one command alone."""
    parser = OneLineParser(prog=f"leadline {command}", description=COMMANDS[command])
    importlib.import_module(f"leadline.cli.commands.{command}").add_arguments(parser)
    return parser


def _ended(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status
