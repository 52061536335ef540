"""Compiles C sources into the user's cache: what is there under its key is never made again."""

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
"""All but that vectors are passed in other ways elsewhere: functions that take any are inlined."""
C_FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-g", *WARNINGS)
TIMEOUT_S = 600


def digest(parts: Sequence[str | bytes]) -> str:
    """A key that differs where any of `parts` does."""
    known = hashlib.sha256()
    for part in parts:
        known.update(part.encode() if isinstance(part, str) else part)
        known.update(b"\0")
    return known.hexdigest()[:20]


@functools.cache
def sources_digest(folder: Path) -> str:
    """The digest of all C sources and headers below `folder`."""
    files = sorted([*folder.rglob("*.c"), *folder.rglob("*.h")])
    named = [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
    return digest([item for pair in named for item in pair])


def run(argv: Sequence[str], environment: dict[str, str]) -> str:
    """What the command printed; BuildError where it fails or takes longer than TIMEOUT_S."""
    ending = processes.run(argv, TIMEOUT_S, environment)
    if ending.status != 0:
        raise BuildError(argv, ending.output)
    return ending.output


def version_of(compiler: str) -> str:
    """What the compiler at this path says of itself; BuildError.

    A process asks a compiler once, and again where its file has changed since.
    """
    return _version(compiler, file_state(Path(compiler)))


@functools.cache
def _version(compiler: str, _: FileState) -> str:
    return run([compiler, "--version"], {})


def answer(argv: Sequence[str], environment: dict[str, str]) -> str:
    """What the program answered on standard output alone; BuildError as for `run`."""
    ending = processes.ask(argv, TIMEOUT_S, environment)
    if ending.status != 0:
        raise BuildError(argv, ending.output)
    return ending.answer


def compile_all(
    compiler: str, sources: Sequence[Path], into: Path, flags: Sequence[str], env: dict[str, str]
) -> list[Path]:
    """The objects of `sources`, in their order, several compiled at a time; BuildError."""
    objects = [into / f"{path.parent.name}-{path.stem}.o" for path in sources]

    def one(source: Path, target: Path) -> None:
        command = [compiler, *C_FLAGS, *flags, "-c", str(source), "-o", str(target)]
        run(command, env)

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        list(pool.map(one, sources, objects))
    return objects


def once(target: Path, make: Callable[[Path], None]) -> Path:
    """`target`, made by `make(temporary directory)` and moved into place, if it isn't there yet."""
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
    """The C compiler's path, or a MachineError that says how to get one."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        raise MachineError(
            "no C compiler on PATH (looked for cc); install one: apt-get install gcc"
        )
    return found
