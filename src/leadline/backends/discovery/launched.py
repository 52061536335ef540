"""Which library a program belongs to: that of a launcher's command line, or a program's own.

The programs aren't started for it.
"""

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
from leadline.backends.kinds.openshmem import SHMEM
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
"""An MPI's own library in the output of ldd, not those of its languages."""
SAYS_WHAT_IT_IS = (
    "import ctypes, sys; text = ctypes.create_string_buffer(65536); "
    "ctypes.CDLL(sys.argv[1]).MPI_Get_library_version(text, ctypes.byref(ctypes.c_int())); "
    "print(text.value.decode(errors='replace'))"
)
"""Program of Python: prints the version string of the library in its argument. The standard allows
this call before MPI is initialised."""
PYTHON = re.compile(r"python[0-9.]*")
"""Names of interpreters, whose modules load their own MPI."""
LOADED = re.compile(r"^\S*/lib(?:mpi|mpich)\.so\S*$", re.MULTILINE)
SAYS_WHAT_IT_LOADS = (
    "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; "
    "print(*(line.split()[-1] for line in open('/proc/self/maps')), sep='\\n')"
)
"""Program of Python: prints the files that mpi4py loads. MPI isn't initialised."""
ELF = b"\x7fELF"
INSIDE = b"PMPI_Init"
"""Symbol in a program that is linked statically with an MPI."""
SANITISER = "libasan.so"
"""Ends programs that are linked with it where anything is loaded before it."""
SHMEM_LIBRARY = re.compile(r"=> (/\S*(?:shmem|libsma)\S*)")
SHMEM_NAME = re.compile(r"^\s*\S*(?:shmem|libsma)\S* (?:=>|\(0x)", re.MULTILINE)
"""Matches also a library that the loader doesn't find."""
LOADS = re.compile(r"^\s+\S+ (?:=>|\(0x)", re.MULTILINE)
"""A line of ldd's output for a program that is linked dynamically; scripts and programs that are
linked statically have none."""


@dataclass(frozen=True, slots=True)
class Launched:
    """The library whose ranks a command line starts, and how to add variables to the line."""

    library: Backend
    """The library of its ranks."""
    forward: Forward
    """Makes its launcher pass variables on to ranks."""


def launched(words: Sequence[str]) -> Launched:
    """The library of the ranks that a launcher and the words after it start.

    It is the one that the program is linked with. For a program that isn't, such as Python, it is
    the launcher's, or where the launcher is a scheduler's, the one that mpi4py loads.

    Raises:
        UsageError: It isn't known, or no library can be loaded before the program's MPI.
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
    """The MPI of the compiler wrapper beside it, of the kind that the launcher reports."""
    kind = None
    if is_launcher(launcher.name):  # else it isn't run, for it might do anything
        kind = kind_by_launcher(run([str(launcher), "--version"], PATIENCE_S).output)
    if kind is None or KINDS[kind].forward is None:
        raise UsageError(f"{launcher} is not known as a launcher of MPICH, Open MPI or Intel MPI")
    folders = {launcher.parent.resolve(), launcher.resolve().parent}
    for wrapper in _wrappers():
        if folders & {wrapper.parent.resolve(), wrapper.resolve().parent}:
            backend = identify(wrapper)
            if backend.usable and backend.kind == kind:
                return backend
    raise UsageError(f"no mpicc that works stands beside {launcher}")


def _libraries(words: Sequence[str]) -> Iterator[Path]:
    """The MPI that each program among `words` loads.

    UsageError for a program before whose MPI no library can be loaded.
    """
    for word in words:
        found = None if word.startswith("-") else shutil.which(word)
        if found is None or not _is_elf(found):
            continue
        loads = run(["ldd", found], PATIENCE_S).output
        preloaded = (*words, os.environ.get(PRELOAD, ""))
        if SANITISER in loads and not any(SANITISER in text for text in preloaded):
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


def _of_python(words: Sequence[str]) -> Path | None:
    """The MPI that mpi4py loads into the interpreter among `words`; None: there is neither."""
    for word in words:
        if PYTHON.fullmatch(Path(word).name) and shutil.which(word):
            output = run([word, "-c", SAYS_WHAT_IT_LOADS], PATIENCE_S).output
            loaded = LOADED.search(output)
            return Path(loaded[0]) if loaded else None
    return None


def _is_elf(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(ELF)) == ELF
    except OSError:
        return False


def _of_library(library: Path) -> Backend:
    """The MPI whose compiler wrapper links programs with this `library`."""
    output = run([sys.executable, "-c", SAYS_WHAT_IT_IS, str(library)], PATIENCE_S).output
    kind, version = kind_by_report(MPI, output)
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


def is_no_shmem(program: str) -> bool:
    """Whether `program` loads libraries, and no OpenSHMEM is among them.

    False for programs of which it isn't known: those linked statically, scripts, and interpreters
    of Python, whose modules load their own library.
    """
    if PYTHON.fullmatch(Path(program).resolve().name):
        return False
    output = run(["ldd", program], PATIENCE_S).output
    return LOADS.search(output) is not None and SHMEM_NAME.search(output) is None


def shmem_backend(program: str, backends: Sequence[Backend]) -> Backend:
    """The usable OpenSHMEM among `backends` that started `program` belongs to.

    Determined by the library that the loader finds for it; where that isn't known, as of a program
    linked statically, it is the first one. UsageError where there is none.
    """
    candidates = [backend for backend in backends if backend.kind == SHMEM.name]
    usable = [backend for backend in candidates if backend.usable]
    if not usable:
        broken = candidates[0] if candidates else None
        reason = broken.reason if broken else "not installed"
        remedy = broken.remedy if broken else SHMEM.remedy
        raise UsageError(f"no OpenSHMEM can start {program!r}: {reason}; remedy: {remedy}")
    linked = SHMEM_LIBRARY.search(run(["ldd", program], PATIENCE_S).output)
    if linked is None:
        return usable[0]
    library = Path(linked[1]).resolve()

    def shared_length(backend: Backend) -> int:
        prefix = Path(str(backend.launcher)).parent.resolve().parent
        return len(os.path.commonpath([prefix, library]))

    return max(usable, key=shared_length)
