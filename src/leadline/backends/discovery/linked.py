"""Which library a program that is already built belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.kinds.openshmem import SHMEM
from leadline.errors import UsageError
from leadline.processes import run

PATIENCE_S = 20.0
SHMEM_LIBRARY = re.compile(r"=> (/\S*(?:shmem|libsma)\S*)")


def shmem_backend(program: str, backends: Sequence[Backend]) -> Backend:
    """The usable OpenSHMEM among `backends` that started `program` belongs to.

    Found by the library that the loader takes for it; a program linked statically is taken to be
    the first one's. UsageError where there is none.
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
