"""A backend: one message-passing library on this machine, as doctor lists it and kernels use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

UNKNOWN = "unknown"
"""The transport of a library that doesn't report it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+#-]*")


def usable_name(text: str) -> bool:
    """Whether `text` can name a backend or a variant: one word in every command line and table."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Backend:
    """One library, or a raw transport (shared memory, TCP), or null."""

    name: str
    """Name of its kind; further ones of a kind are called kind@version."""
    kind: str
    """A name in kinds.KINDS."""
    version: str | None
    """As the library reports it at run time; None where it never ran."""
    usable: bool
    launcher: str | None
    """Path of the mpiexec, or oshrun, that belongs to the library; of PVM's daemon."""
    compiler: str | None
    """Path of the library's mpicc or oshcc; for pvm, shm, tcp, trace and null of the C compiler."""
    environment: Mapping[str, str]
    """Variables that its compiler, launcher and programs need, e.g. I_MPI_ROOT."""
    reason: str | None
    """Why it can't be used; None if it can."""
    remedy: str | None
    shared_memory: str
    """What carries messages between two ranks of this host; "unknown" if the library doesn't report
    it."""
    configuration: str = ""
    """The library's report of how it was built; empty: it has none."""
