"""`leadline exec`: becomes what starts a parallel program, found or given, or simulates it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from leadline.cli import exec_mapped, exec_simulated
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.backends.launchers import Command

SEPARATOR = "--"
"""Before a launcher's command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline exec`; all words after the program, or --, are theirs."""
    parser.usage = (
        "leadline exec [-h] [--npes N] PROGRAM [ARGUMENT ...]\n"
        "       leadline exec [-h] -- LAUNCHER [WORD ...]\n"
        "       leadline exec [-h] --map [METRIC] [--machine KIND:WORD] [--permutation-out FILE]\n"
        "                     [--map-report] -- LAUNCHER [WORD ...]\n"
        "       leadline exec [-h] --simulate MACHINE [--library NAME] [--allocation SLOTS]\n"
        "                     [--npes N] [--] PROGRAM [ARGUMENT ...]"
    )
    exec_mapped.add_arguments(parser)
    exec_simulated.add_arguments(parser)
    parser.add_argument("--npes", metavar="N", help="processing elements; default: $NPES")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="WORD",
        help="an OpenSHMEM program and its arguments, or after -- any launcher's command line, "
        "which is run as it is",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    """Simulates a program, or becomes the launcher and returns only by an error."""
    _check_belongs(arguments)
    if arguments.simulate is not None:
        return _simulated(arguments)
    if arguments.map is not None:
        exec_mapped.check(arguments)
        command = _command(arguments.words, arguments.npes)
        return _become(exec_mapped.mapped(arguments, command.argv))
    return _become(_command(arguments.words, arguments.npes))


def _check_belongs(arguments: argparse.Namespace) -> None:
    """UsageError for an option whose form of the command isn't asked for, or for two forms."""
    if arguments.simulate is not None and arguments.map is not None:
        raise UsageError("--map reorders ranks on the machine there is; leave it or --simulate out")
    for option in ("library", "allocation"):
        if arguments.simulate is None and getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for a simulated machine; add --simulate NAME|FILE")
    for option in ("machine", "permutation-out", "map-report"):
        if arguments.map is None and getattr(arguments, option.replace("-", "_")):
            raise UsageError(f"--{option} is for ranks that are to be reordered; add --map")


def _become(command: Command) -> NoReturn:
    """Its exit status is then this command's."""
    import os

    os.execvpe(command.argv[0], command.argv, os.environ | dict(command.environment))


def _simulated(arguments: argparse.Namespace) -> int:
    """The program that stands alone or after --."""
    import os

    words = arguments.words[arguments.words[:1] == [SEPARATOR] :]
    if not words:
        raise UsageError("what is to be simulated? give a PROGRAM that smpicc built")
    ranks = _npes(arguments.npes, os.environ.get("NPES"))
    return exec_simulated.execute(arguments, _executable(words[0]), words[1:], ranks)


def _command(words: Sequence[str], npes: str | None) -> Command:
    """What `words` start: of a program the launcher, of a launcher's command line itself."""
    if words and words[0] != SEPARATOR:
        return _of_program(words, npes)
    if not words[1:]:
        raise UsageError("what is to be started? give a PROGRAM, or -- and a launcher's words")
    if npes is not None:
        raise UsageError(
            f"--npes is for an OpenSHMEM program, and after {SEPARATOR} stands the command line of "
            f"a launcher, which has such a number of its own; leave --npes or {SEPARATOR} out"
        )
    return _as_it_is(words[1:])


def _as_it_is(words: Sequence[str]) -> Command:
    """A launcher's command line; by the name given, for some find their files by it."""
    from leadline.backends.launchers import Command

    _executable(words[0])
    return Command(tuple(words), {})


def _of_program(words: Sequence[str], npes: str | None) -> Command:
    """What starts an OpenSHMEM program, which comes before its own words."""
    import os

    from leadline.backends.discovery import find_backends
    from leadline.backends.discovery.linked import shmem_backend
    from leadline.backends.kinds import launcher_for
    from leadline.backends.launchers import JobStep
    from leadline.backends.preparation import prepare

    _check_is_no_launcher(words)
    program = _executable(words[0])
    pes = _npes(npes, os.environ.get("NPES"))
    _check_is_shmem(program, words, pes)
    backend = shmem_backend(program, find_backends())
    crowded = pes > len(os.sched_getaffinity(0))
    step = JobStep(program, tuple(words[1:]), pes, {}, oversubscribed=crowded)
    (command,) = launcher_for(backend).commands(prepare(backend, step))
    return command


def _check_is_no_launcher(words: Sequence[str]) -> None:
    """UsageError where the first of `words` is called as launchers are."""
    import shlex
    from pathlib import Path

    from leadline.backends.recognition import is_launcher

    if is_launcher(Path(words[0]).name):
        raise UsageError(
            f"{words[0]!r} is a launcher and no OpenSHMEM program; write: leadline exec "
            f"{SEPARATOR} {shlex.join(words)}"
        )


def _check_is_shmem(program: str, words: Sequence[str], pes: int) -> None:
    """UsageError where `program`, the first of `words`, is seen to be another library's, or none's.

    An OpenSHMEM's launcher would start it, as programs of one rank each.
    """
    import shlex

    from leadline.backends.discovery.linked import is_no_shmem

    if is_no_shmem(program):
        raise UsageError(
            f"{words[0]!r} isn't linked with OpenSHMEM; write: leadline exec {SEPARATOR} mpiexec "
            f"-n {pes} {shlex.join(words)}"
        )


def _npes(asked: str | None, variable: str | None) -> int:
    from leadline.cli.options import whole_number

    if asked is None and not variable:
        raise UsageError("how many PEs? give --npes N, or set NPES")
    return whole_number(asked or str(variable), "--npes" if asked else "NPES", 1)


def _executable(program: str) -> str:
    import shutil
    from pathlib import Path

    found = shutil.which(program)
    if found is not None:
        return str(Path(found).absolute())
    if not Path(program).is_file():
        raise UsageError(f"program {program!r}: no such file, here or on PATH")
    remedy = f"chmod +x {program}" if "/" in program else f"give ./{program}"
    raise UsageError(f"program {program!r} can't be executed; remedy: {remedy}")
