"""`leadline exec --map`: a launcher's command line whose ranks get a better order by themselves."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from leadline.cli.saying import say
from leadline.errors import BuildError, LeadlineError, MachineError, UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.backends.launchers import Command

DEFAULT = ""
"""The metric that --map alone names: the library's own choice."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What only a mapped program takes."""
    parser.add_argument(
        "--map", nargs="?", const=DEFAULT, type=_metric, metavar="hops|load|internode|hop-bytes",
        help="let MPI_Cart_create and its like reorder ranks; default: fewest inter-node edges",
    )  # fmt: skip
    parser.add_argument(
        "--machine", metavar="KIND:WORD", help="where hosts lie, as for map: coordinates:FILE"
    )
    parser.add_argument(
        "--permutation-out", metavar="FILE", help="a new file with each rank's old rank, as CSV"
    )
    parser.add_argument(
        "--map-report", action="store_true", help="say what would be gained, and change nothing"
    )


def _metric(word: str) -> str:
    """The word after --map, unless that is a launcher, whose words would be taken for options."""
    from pathlib import Path

    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(word).name):
        raise argparse.ArgumentTypeError(f"{word!r} is no metric; write: --map -- {word} ...")
    return word


def check(arguments: argparse.Namespace) -> None:
    """UsageError for what can be refused before anything is found out."""
    from leadline.cli.new_file import check_new
    from leadline.mapping import METRICS

    if arguments.words[:1] != ["--"]:
        raise UsageError(
            "--map is for a launcher's command line, which begins after --; write: "
            "leadline exec --map -- mpiexec -n 4 ./app"
        )
    if arguments.map not in (DEFAULT, *METRICS):
        raise unknown_name("metric", arguments.map, METRICS)
    if arguments.permutation_out:
        check_new(arguments.permutation_out, "--permutation-out")


def mapped(arguments: argparse.Namespace, words: Sequence[str]) -> Command:
    """The command that `words` are, with the library before its ranks' MPI.

    Where that can't be, a line on stderr says so and the command is what it was.

    Raises:
        UsageError: A file that is named isn't there.
    """
    from leadline.backends.launchers import Command
    from leadline.mapping.preload.description import OFF, SWITCH

    as_it_is = Command(tuple(words), {})
    if os.environ.get(SWITCH) == OFF:
        return as_it_is
    variables = _variables(arguments, words)
    try:
        return _preloaded(words, variables)
    except LeadlineError as error:
        _warn(f"{_first_line(error)}; the program runs as it is")
        return as_it_is


def _preloaded(words: Sequence[str], variables: Mapping[str, str]) -> Command:
    from pathlib import Path

    from leadline.backends.discovery.launched import launched
    from leadline.backends.launchers.forwarding import PRELOAD
    from leadline.mapping.preload.build import preload_library

    with _without(PRELOAD):
        started = launched(words)
        library = preload_library(Path(str(started.library.compiler)), started.library.environment)
    if any(sign in str(library) for sign in " :;"):
        raise UsageError(f"the loader can't take {library}: blanks and colons end a name there")
    return started.forward(words, {PRELOAD: str(library), **variables}, os.environ)


@contextlib.contextmanager
def _without(name: str) -> Iterator[None]:
    """What the user has preloaded is for the program; compilers that are asked may trip over it."""
    kept = os.environ.pop(name, None)
    try:
        yield
    finally:
        if kept is not None:
            os.environ[name] = kept


def _variables(arguments: argparse.Namespace, words: Sequence[str]) -> dict[str, str]:
    """What the library is told: by the command's options, else by the user's own variables."""
    from pathlib import Path

    from leadline.mapping.preload.description import (
        ALL,
        MACHINE,
        METRIC,
        NAMES,
        OUT,
        REACHES,
        REPORT,
        SWITCH,
    )

    told = {REACHES: ALL}
    told |= {name: os.environ[name] for name in NAMES if name in os.environ}
    if arguments.map:
        told[METRIC] = arguments.map
    if arguments.permutation_out:
        told[OUT] = str(Path(arguments.permutation_out).absolute())
    if arguments.map_report:
        told.setdefault(SWITCH, REPORT)
    if arguments.machine or MACHINE not in told:
        told[MACHINE] = _machine(arguments.machine, words)
    return {name: value for name, value in told.items() if value}


def _machine(asked: str | None, words: Sequence[str]) -> str:
    """The machine's lines; empty where a file doesn't hold any, which a line on stderr says."""
    from leadline.cli.mapped_machines import described_machine, machine_value
    from leadline.topology.readers.lines import LineError

    try:
        return machine_value(described_machine(asked, words))
    except (LineError, MachineError) as error:
        _warn(f"{_first_line(error)}; nodes are found at run time")
        return ""


def _first_line(error: LeadlineError) -> str:
    """What is wrong; of a compiler's many words the first that complain."""
    lines = str(error).splitlines()
    if not isinstance(error, BuildError):
        return lines[0]
    complaint = next((line for line in lines[1:] if "error" in line), lines[-1])
    return f"{error.argv[0]} fails: {complaint.strip()}"


def _warn(line: str) -> None:
    say(f"leadline: warning: {line}")
