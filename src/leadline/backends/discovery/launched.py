"""Which MPI a launcher's command line starts ranks of, told without starting it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery.probe import identify
from leadline.backends.discovery.wrappers import wrappers
from leadline.backends.kinds import KINDS
from leadline.backends.kinds.mpi import STANDARD as MPI
from leadline.backends.launchers.forwarding import PRELOAD, Forward, by_inheritance
from leadline.backends.recognition import (
    is_launcher,
    kind_by_launcher,
    kind_by_report,
    standard_of,
)
from leadline.errors import UsageError
from leadline.hosts.schedulers import SCHEDULERS
from leadline.processes import run

PATIENCE_S = 20.0
LIBRARY = re.compile(r"\blib(?:mpi|mpich|mpi_abi)\.so\S*(?: => (?P<path>/\S+))?")
"""An MPI's own, not those of its languages, in what ldd says."""
SAYS_WHAT_IT_IS = (
    "import ctypes, sys; text = ctypes.create_string_buffer(65536); "
    "ctypes.CDLL(sys.argv[1]).MPI_Get_library_version(text, ctypes.byref(ctypes.c_int())); "
    "print(text.value.decode(errors='replace'))"
)
"""The standard lets this be asked before MPI is initialised."""
PYTHON = re.compile(r"python[0-9.]*")
"""Names of interpreters, whose modules bring their MPI along."""
LOADED = re.compile(r"^\S*/lib(?:mpi|mpich)\.so\S*$", re.MULTILINE)
SAYS_WHAT_IT_LOADS = (
    "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; "
    "print(*(line.split()[-1] for line in open('/proc/self/maps')), sep='\\n')"
)
"""Nothing of MPI is initialised."""
ELF = b"\x7fELF"
INSIDE = b"PMPI_Init"
"""In a program that has an MPI's functions in itself."""
SANITISER = "libasan.so"
"""Ends programs that are linked with it where anything is loaded before it."""


@dataclass(frozen=True, slots=True)
class Launched:
    """What a command line starts."""

    library: Backend
    """Of its ranks."""
    forward: Forward
    """Makes its launcher give ranks variables."""


def launched(words: Sequence[str]) -> Launched:
    """What a launcher and the words after it start.

    The program tells by the library that it is linked with; of one that isn't, as Python, the
    launcher does, or where that is a scheduler's, mpi4py.

    Raises:
        UsageError: It can't be told, or no library can be put before the program's MPI.
    """
    launcher = Path(shutil.which(words[0]) or words[0])
    scheduled = launcher.name in [scheduler.launcher for scheduler in SCHEDULERS]
    own = None if scheduled else _of_launcher(launcher)
    forward = by_inheritance if own is None else KINDS[own.kind].forward
    assert forward is not None
    library = next(_libraries(words[1:]), None)
    if library is None and own is None:
        library = _of_python(words[1:])
    if library is not None:
        return Launched(_of_library(library), forward)
    if own is None:
        raise UsageError(f"{words[0]} doesn't tell which MPI its program uses")
    return Launched(own, forward)


def _of_launcher(launcher: Path) -> Backend:
    """The MPI of the compiler wrapper beside it, of the kind that it says it is."""
    kind = _kind_of(launcher)
    if kind is None or KINDS[kind].forward is None:
        raise UsageError(f"{launcher} is not known as a launcher of MPICH, Open MPI or Intel MPI")
    folders = {launcher.parent.resolve(), launcher.resolve().parent}
    for wrapper in _wrappers():
        if folders & {wrapper.parent.resolve(), wrapper.resolve().parent}:
            backend = identify(wrapper)
            if backend.usable and backend.kind == kind:
                return backend
    raise UsageError(f"no mpicc that works stands beside {launcher}")


def _kind_of(launcher: Path) -> str | None:
    """What it says of itself, asked only if it is called as launchers are: others do anything."""
    if not is_launcher(launcher.name):
        return None
    return kind_by_launcher(run([str(launcher), "--version"], PATIENCE_S).output)


def _libraries(words: Sequence[str]) -> Iterator[Path]:
    """The MPI that each program among `words` loads; UsageError for one that none is put before."""
    for word in words:
        found = None if word.startswith("-") else shutil.which(word)
        if found is None or not _is_elf(found):
            continue
        loads = run(["ldd", found], PATIENCE_S).output
        if SANITISER in loads and not _preloads_sanitiser(words):
            raise UsageError(
                f"{word} is built with AddressSanitizer, which insists on being loaded first: "
                f"name its {SANITISER} in {PRELOAD}, which stays before what is put there"
            )
        linked = LIBRARY.search(loads)
        if linked is None and INSIDE in Path(found).read_bytes():
            raise UsageError(
                f"{word} has its MPI in itself (linked statically), where nothing can be put before"
            )
        if linked is not None and "mpi_abi" in linked[0]:
            raise UsageError(f"{word} is built for MPI's standard ABI, not for one library")
        if linked is not None and linked["path"]:
            yield Path(linked["path"])


def _preloads_sanitiser(words: Sequence[str]) -> bool:
    return any(SANITISER in text for text in (*words, os.environ.get(PRELOAD, "")))


def _of_python(words: Sequence[str]) -> Path | None:
    """The MPI that mpi4py brings into the interpreter among `words`."""
    for word in words:
        if PYTHON.fullmatch(Path(word).name) and shutil.which(word):
            said = run([word, "-c", SAYS_WHAT_IT_LOADS], PATIENCE_S).output
            loaded = LOADED.search(said)
            return Path(loaded[0]) if loaded else None
    return None


def _is_elf(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(ELF)) == ELF
    except OSError:
        return False


def _of_library(library: Path) -> Backend:
    """The MPI whose wrapper makes programs that load this library."""
    said = run([sys.executable, "-c", SAYS_WHAT_IT_IS, str(library)], PATIENCE_S).output
    kind, version = kind_by_report(MPI, said)
    prefixes = set(library.parents) | set(library.resolve().parents)
    for wrapper in sorted(_wrappers(), key=lambda path: -len(path.resolve().parts)):
        if wrapper.resolve().parent.parent in prefixes or wrapper.parent.parent in prefixes:
            backend = identify(wrapper)
            if backend.usable and (backend.kind, backend.version) == (kind, version):
                return backend
    raise UsageError(f"no mpicc that works was found for {library}, which the program loads")


def _wrappers() -> list[Path]:
    found = (wrapper.path for wrapper in wrappers(()))
    return [path for path in found if standard_of(path.name) == MPI and os.access(path, os.X_OK)]
