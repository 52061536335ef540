"""Compiles C sources into the user's cache; an entry is never compiled a second time."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from leadline import processes
from leadline.errors import BuildError, MachineError
from leadline.files import FileState, file_state

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-psabi")
"""Without psABI notes on how vectors are passed: functions that take vectors are inlined."""
C_FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-g", *WARNINGS)
TIMEOUT_S = 600


def digest(parts: Sequence[str | bytes]) -> str:
    """Cache key of `parts`, 20 hexadecimal digits: it differs where any of them does."""
    known = hashlib.sha256()
    for part in parts:
        known.update(part.encode() if isinstance(part, str) else part)
        known.update(b"\0")
    return known.hexdigest()[:20]


@functools.cache
def sources_digest(folder: Path) -> str:
    """Digest of all C sources and headers below `folder`, their names included."""
    files = sorted([*folder.rglob("*.c"), *folder.rglob("*.h")])
    named = [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
    return digest([item for pair in named for item in pair])


def run(argv: Sequence[str], environment: dict[str, str]) -> str:
    """Runs a command and returns what it printed.

    Raises:
        BuildError: It fails, or takes longer than TIMEOUT_S.
    """
    ending = processes.run(argv, TIMEOUT_S, environment)
    if ending.status != 0:
        raise BuildError(argv, ending.output)
    return ending.output


def version_of(compiler: str) -> str:
    """The version that the compiler at this path reports.

    A process asks a compiler once, and again where its file has changed since.

    Raises:
        BuildError: As for `run`.
    """
    return _version(compiler, file_state(Path(compiler)))


@functools.cache
def _version(compiler: str, _: FileState) -> str:
    return run([compiler, "--version"], {})


def answer(argv: Sequence[str], environment: dict[str, str]) -> str:
    """Runs a program and returns its standard output alone; BuildError as for `run`."""
    ending = processes.ask(argv, TIMEOUT_S, environment)
    if ending.status != 0:
        raise BuildError(argv, ending.output)
    return ending.answer


def compile_all(
    compiler: str, sources: Sequence[Path], into: Path, flags: Sequence[str], env: dict[str, str]
) -> list[Path]:
    """Compiles `sources` in parallel; returns their objects in the same order.

    An object is named after its source and the source's folder.

    Raises:
        BuildError: A source doesn't compile.
    """
    objects = [into / f"{path.parent.name}-{path.stem}.o" for path in sources]

    def one(source: Path, target: Path) -> None:
        command = [compiler, *C_FLAGS, *flags, "-c", str(source), "-o", str(target)]
        run(command, env)

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        list(pool.map(one, sources, objects))
    return objects


def once(target: Path, make: Callable[[Path], None]) -> Path:
    """Returns the cache entry `target`, made by `make(temporary directory)` if it is missing.

    Raises:
        MachineError: The cache can't be written.
    """
    if target.exists():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    except OSError as error:
        raise MachineError(
            f"the cache {target.parent} can't be written: {error.strerror}; set XDG_CACHE_HOME"
        ) from error
    try:
        make(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not target.exists():  # else another process was first, with the same contents
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return target


def c_compiler() -> str:
    """Path of the C compiler; a MachineError says how to get one."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        raise MachineError(
            "no C compiler on PATH (looked for cc); install one: apt-get install gcc"
        )
    return found
