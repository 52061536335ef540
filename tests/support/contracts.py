"""Programs linked with a backend and the fallbacks, which check the contract between the two."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support.kernels import NATIVE, SANITISERS

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.kernels.build import (
    LIBRARIES,
    SOURCES,
    common_objects,
    kind_sources,
)
from leadline.native.compiler import C_FLAGS, c_compiler

TAKEN_OVER = {
    "": (),
    "single_copy_always": ("single_copy_pays", "process_vm_readv"),
    "single_copy_refused": ("process_vm_readv",),
    "tcp_cut": ("sendmsg",),
    "tcp_impatient": ("poll",),
    "tcp_piecemeal": ("send", "sendmsg", "recv"),
}
"""A source of tests/native -> the functions that it takes over."""
OF_THE_KERNEL = ("datatypes", "prepared")
"""Programs that check more of a kernel than its backend."""


def link(
    sources: Sequence[Path], target: Path, *flags: str, backend: Backend | None = None
) -> subprocess.CompletedProcess[str]:
    """Compiles `sources`, links them with the fallback archive and what `backend` needs."""
    compiler = (backend and backend.compiler) or c_compiler()
    own = KINDS[backend.kind].link_flags if backend else ()
    archive = common_objects(_sanitisers(flags)) / "libfallback.a"
    command = [compiler, *C_FLAGS, f"-I{SOURCES}", *flags, *map(str, sources), str(archive)]
    return subprocess.run(
        [*command, *own, *LIBRARIES, "-o", str(target)],
        env=os.environ | dict(backend.environment if backend else {}),
        capture_output=True,
        text=True,
        check=False,
    )


def _sanitisers(flags: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for flag in flags if "sanitize" in flag)


def kernel_objects(flags: Sequence[str] = ()) -> list[Path]:
    """What every kernel is made of but its main."""
    return [path for path in common_objects(flags).glob("*.o") if path.stem != "kernels-main"]


def contract(
    checks: str, backend: Backend, into: Path, instead: str = "", sanitised: bool = False
) -> Path:
    """The program tests/native/`checks`.c over `backend`; `instead`: a source of TAKEN_OVER."""
    target = into / "-".join([checks, backend.name, instead, "sanitised" * sanitised])
    if not target.exists():
        sources = [NATIVE / f"{checks}.c", *kind_sources(backend.kind)]
        sources += [NATIVE / f"{instead}.c"] * bool(instead)
        sources += kernel_objects() if checks in OF_THE_KERNEL else []
        flags = [f"-Wl,--wrap={name}" for name in TAKEN_OVER[instead]]
        done = link(sources, target, *flags, *(SANITISERS if sanitised else ()), backend=backend)
        assert done.returncode == 0, done.stderr
    return target


# -- the linker's rules ---------------------------------------------------------------------------

NULL = (SOURCES / "backends" / "null.c").read_text()
ALGORITHM = """
#include <stdio.h>
#include "transport/transport.h"
int main(void) {{ puts(tp_{0}_algorithm); fflush(stdout); {1}; return 0; }}
"""


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
