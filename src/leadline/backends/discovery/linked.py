"""Which library a program that is already built belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery.launched import PYTHON
from leadline.backends.kinds.openshmem import SHMEM
from leadline.errors import UsageError
from leadline.processes import run

PATIENCE_S = 20.0
SHMEM_LIBRARY = re.compile(r"=> (/\S*(?:shmem|libsma)\S*)")
SHMEM_NAME = re.compile(r"^\s*\S*(?:shmem|libsma)\S* (?:=>|\(0x)", re.MULTILINE)
"""Also of one that the loader doesn't find."""
LOADS = re.compile(r"^\s+\S+ (?:=>|\(0x)", re.MULTILINE)
"""In what ldd says of a program that is linked dynamically, of scripts and static ones never."""


def is_no_shmem(program: str) -> bool:
    """Whether `program` loads libraries, and no OpenSHMEM is among them.

    False of what doesn't tell: programs that are linked statically, scripts, and interpreters of
    Python, whose modules bring their library along.
    """
    if PYTHON.fullmatch(Path(program).resolve().name):
        return False
    said = run(["ldd", program], PATIENCE_S).output
    return LOADS.search(said) is not None and SHMEM_NAME.search(said) is None


def shmem_backend(program: str, backends: Sequence[Backend]) -> Backend:
    """The usable OpenSHMEM among `backends` that started `program` belongs to.

    Found by the library that the loader takes for it; a program that doesn't tell, as one linked
    statically, is taken to be the first one's. UsageError where there is none.
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
    return max(usable, key=lambda backend: len(_shared_prefix(backend, library)))


def _shared_prefix(backend: Backend, library: Path) -> str:
    prefix = Path(str(backend.launcher)).parent.resolve().parent
    return os.path.commonpath([prefix, library])
