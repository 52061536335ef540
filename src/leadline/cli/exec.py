"""`leadline exec`: starts an OpenSHMEM program on a number of PEs, as on machines of old."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline exec`; all words after the program are the program's."""
    parser.add_argument("--npes", metavar="N", help="processing elements; default: $NPES")
    parser.add_argument("program", metavar="PROGRAM", help="built by oshcc")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")


def execute(arguments: argparse.Namespace) -> int:
    """Becomes the launcher, whose exit status is then this command's; returns only by an error."""
    import os

    from leadline.backends.discovery import find_backends
    from leadline.backends.discovery.linked import shmem_backend
    from leadline.backends.kinds import launcher_for
    from leadline.backends.launchers import JobStep
    from leadline.backends.preparation import prepare

    pes = _npes(arguments.npes, os.environ.get("NPES"))
    program = _executable(arguments.program)
    backend = shmem_backend(program, find_backends())
    crowded = pes > len(os.sched_getaffinity(0))
    words = tuple(arguments.arguments)
    step = prepare(backend, JobStep(program, words, pes, {}, oversubscribed=crowded))
    (command,) = launcher_for(backend).commands(step)
    os.execve(command.argv[0], command.argv, os.environ | dict(command.environment))


def _npes(asked: str | None, variable: str | None) -> int:
    from leadline.cli.options import whole_number
    from leadline.errors import UsageError

    if asked is None and not variable:
        raise UsageError("how many PEs? give --npes N, or set NPES")
    return whole_number(asked or str(variable), "--npes" if asked else "NPES", 1)


def _executable(program: str) -> str:
    import shutil
    from pathlib import Path

    from leadline.errors import UsageError

    found = shutil.which(program)
    if found is not None:
        return str(Path(found).absolute())
    if not Path(program).is_file():
        raise UsageError(f"program {program!r}: no such file, here or on PATH")
    remedy = f"chmod +x {program}" if "/" in program else f"give ./{program}"
    raise UsageError(f"program {program!r} can't be executed; remedy: {remedy}")
