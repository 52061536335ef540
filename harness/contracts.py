"""Programs linked with a backend and the fallbacks, which check the contract between the two.

Like kernels they are kept in the user's cache under what they were made of.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from harness.kernels import NATIVE, SANITISERS, STENCIL
from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.files import cache_directory
from leadline.kernels.build import LIBRARIES, SOURCES, common_objects, kind_sources
from leadline.native.compiler import (
    C_FLAGS,
    c_compiler,
    compile_all,
    digest,
    once,
    run,
    sources_digest,
)

TAKEN_OVER = {
    "": (),
    "flipped_stencil": tuple(f"stencil_{name}" for name in STENCIL),
    "deaf": ("read", "writev", "alarm"),
    "logged": ("tp_isend", "tp_irecv", "tp_waitall"),
    "single_copy_always": ("single_copy_pays", "process_vm_readv"),
    "single_copy_refused": ("process_vm_readv",),
    "tcp_cut": ("sendmsg",),
    "tcp_impatient": ("poll",),
    "sleepless": ("poll",),
    "tcp_piecemeal": ("send", "sendmsg", "recv"),
}
"""A source of tests/native -> the functions that it takes over."""
OF_THE_KERNEL = (
    "clock_model",
    "clock_pings",
    "datatypes",
    "grid",
    "multigrid",
    "placed",
    "prepared",
    "stap",
)
"""Programs that check more of a kernel than its backend."""


def contract(checks: str, backend: Backend, instead: str = "", sanitised: bool = False) -> Path:
    """The program tests/native/`checks`.c over `backend`; `instead`: a source of TAKEN_OVER."""
    extra = SANITISERS if sanitised else ()
    key = digest([*_identity(backend, extra), sources_digest(NATIVE), checks, instead])

    def make(into: Path) -> None:
        sources = [NATIVE / f"{name}.c" for name in (checks, instead) if name]
        mine = _compiled(backend, sources, into, extra)
        common = common_objects(extra)
        parts = [*mine, *sorted(_library_objects(backend, extra).glob("*.o"))]
        if checks in OF_THE_KERNEL:
            parts += [path for path in common.glob("*.o") if path.stem != "kernels-main"]
        wrapped = [f"-Wl,--wrap={name}" for name in TAKEN_OVER[instead]]
        words = [*map(str, parts), str(common / "libfallback.a"), *extra, *wrapped]
        libraries = [*KINDS[backend.kind].link_flags, *LIBRARIES]
        command = [_compiler(backend), *words, *libraries, "-o", str(into / "program")]
        run(command, dict(backend.environment))

    return once(cache_directory() / "contracts" / key, make) / "program"


def _compiler(backend: Backend) -> str:
    return backend.compiler or c_compiler()


def _identity(backend: Backend, flags: Sequence[str]) -> list[str]:
    """What the objects of `backend` depend on."""
    return [common_objects(flags).name, backend.kind, backend.version or "", _compiler(backend)]


def _library_objects(backend: Backend, flags: Sequence[str]) -> Path:
    """A directory with the objects that know the library."""

    def make(into: Path) -> None:
        _compiled(backend, kind_sources(backend.kind), into, flags)

    return once(cache_directory() / "objects" / digest(_identity(backend, flags)), make)


def _compiled(
    backend: Backend, sources: Sequence[Path], into: Path, flags: Sequence[str]
) -> list[Path]:
    include = f"-I{SOURCES}"
    environment = dict(backend.environment)
    return compile_all(_compiler(backend), sources, into, [include, *flags], environment)


# -- the linker's rules ----------------------------------------------------------------------------

NULL = (SOURCES / "backends" / "null.c").read_text()
ALGORITHM = """
#include <stdio.h>
#include "transport/transport.h"
int main(void) {{ puts(tp_{0}_algorithm); fflush(stdout); {1}; return 0; }}
"""


def link(
    sources: Sequence[Path], target: Path, sanitised: bool = False
) -> subprocess.CompletedProcess[str]:
    """Compiles `sources` with the C compiler and links them with the fallback archive."""
    extra = SANITISERS if sanitised else ()
    words = [*C_FLAGS, f"-I{SOURCES}", *extra, *sources, common_objects(extra) / "libfallback.a"]
    return subprocess.run(
        [c_compiler(), *words, *LIBRARIES, "-o", target],
        capture_output=True,
        text=True,
        check=False,
    )


def linked_with(backend_text: str, operation: str, call: str, into: Path) -> tuple[Path, str]:
    """(program, the linker's errors) that prints the algorithm of `operation`, then does `call`."""
    backend, main = into / "backend.c", into / "main.c"
    backend.write_text(backend_text)
    main.write_text(ALGORITHM.format(operation, call))
    return into / "program", link([main, backend], into / "program").stderr


def said_where_absent(operation: str, call: str, into: Path) -> str:
    """What a rank over null says that does `call`, which its backend hasn't, and ends by it."""
    program, errors = linked_with(NULL, operation, call, into)
    assert errors == ""
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGABRT, "absent\n")
    return done.stderr
