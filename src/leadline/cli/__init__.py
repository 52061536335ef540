"""The command line: a table of contents. Each command's module is imported when it is called.

A command parses its words, knocks at one door below, and prints.

Public:
    here: main

For: __main__.
Never: arithmetic; what a format looks like.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from leadline import __version__
from leadline.errors import LeadlineError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a disk has to say of output that was redirected to it."""
COMMANDS = {
    "doctor": "what is on this machine, what is missing, and how to get it",
    "get": "install an MPI from PyPI's wheels into a prefix of its own",
    "hosts": "emulate a cluster on this machine: hosts as namespaces, links as fast as asked for",
    "run": "measure patterns over backends, side by side",
    "trace": "say who sends what to whom in a pattern, phase by phase",
    "exec": "start an OpenSHMEM program, any launcher's words, also with ranks reordered, or an "
    "MPI program on a simulated machine",
    "show": "print what a run measured",
    "compare": "say which configuration or run is faster, by how much, how sure",
    "study": "measure what a paper did, and say which of its findings hold here",
    "health": "find the slow or dead link or host among many, by rounds of disjoint pairs",
    "report": "write runs as one HTML file that opens anywhere, offline",
    "plot": "draw a figure for a paper: curves, a ratio, or against ranks",
    "import": "read the output of OSU, IMB, NetPIPE or nccl-tests as a run",
    "history": "show the trend of curves over many runs, and where it changed",
    "sql": "select from the stored batches and cells of any number of runs",
    "export": "write the medians of all blocks as rows for other programs",
    "fit": "say in closed forms what operations take, by size and ranks, and how sure that is",
    "predict": "say what an operation, or a whole program, will take by the models of a run",
    "completion": "print a script that makes a shell complete commands and options",
    "map": "say which rank belongs on which processor, and what that saves",
    "simulate": "say what patterns would take on a machine you don't have, as a run",
    "calibrate": "write a machine file from a measured run, and say how far it is from the rest",
    "dims": "say into which grid a number of ranks should be cut",
}


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others."""

    def __init__(self, **settings: Any) -> None:
        """Takes "-3s" for a value, so that it is refused for what it is: a negative time."""
        super().__init__(**settings)
        self._negative_number_matcher = re.compile(r"-\d.*")

    def error(self, message: str) -> NoReturn:
        """Prints `message` and ends with status 2."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def parser_for(command: str | None) -> argparse.ArgumentParser:
    """The parser of the whole program; only `command` gets its options (the rest stay unread)."""
    parser = OneLineParser(
        prog="leadline", description="Measures and compares message passing.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"leadline {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    for name, summary in COMMANDS.items():
        sub = subparsers.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        if name == command:
            importlib.import_module(f"leadline.cli.{name}").add_arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; errors become one message on stderr."""
    words = list(sys.argv[1:] if argv is None else argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as a batch system's limit sends it
    command = next((word for word in words if not word.startswith("-")), None)
    arguments, unread = parser_for(command).parse_known_args(words)
    if unread:
        mine = OneLineParser(prog=f"leadline {arguments.command}")
        mine.error(f"unrecognized arguments: {' '.join(unread)}")
    try:
        module = importlib.import_module(f"leadline.cli.{arguments.command}")
        status = int(module.execute(arguments))
        sys.stdout.flush()  # while what goes wrong can still be said
        return status
    except LeadlineError as error:
        print(f"leadline {arguments.command}: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        if error.errno not in NO_ROOM or error.filename is not None:
            raise
        _drop_output()
        print(f"leadline {arguments.command}: output: {error.strerror}", file=sys.stderr)
        return 1


def _drop_output() -> None:
    """Writes nowhere what is left, so that the interpreter's end doesn't complain anew."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
