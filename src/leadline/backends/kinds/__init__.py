"""The kinds of libraries that this tool knows: a file an interface, with all facts of each library.

Nothing here looks at a machine: what a kind has to know of one it asks a Prefix.
"""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.kinds.kind import Daemon, Diagnostic, Kind, Prefix, Standard
from leadline.backends.kinds.mpi import IMPI, MPI, MPICH, OPENMPI, SMPI
from leadline.backends.kinds.openshmem import SHMEM
from leadline.backends.kinds.pvm import PVM
from leadline.backends.kinds.raw import NULL, SCRIPTED, SHM, TCP, TRACE
from leadline.backends.launchers import Launcher
from leadline.hosts.schedulers import BatchJob

__all__ = [
    "INSTALLABLE",
    "KINDS",
    "Daemon",
    "Diagnostic",
    "Kind",
    "Prefix",
    "Standard",
    "is_raw",
    "launcher_for",
    "limits",
    "title_of",
]

_TABLE = (
    MPICH,
    OPENMPI,
    IMPI,
    MPI,
    SHMEM,
    PVM,
    SMPI,
    SHM,
    TCP,
    TRACE,
    NULL,
    SCRIPTED,
)
"""A library that was derived from another stands after it, for it keeps the other's marks."""

KINDS = {kind.name: kind for kind in _TABLE}
"""Kinds by name, in the order in which they are listed."""

INSTALLABLE = tuple(name for name, kind in KINDS.items() if kind.wheels)
"""Names of the kinds that `leadline get` installs."""


def is_raw(backend: str) -> bool:
    """Whether the backend of this name in a record is a physical limit, not a library."""
    return backend in KINDS and KINDS[backend].raw


def limits(raw: str, library: str, transport: str) -> bool:
    """Whether the raw transport `raw` bounds what `library`, which sends by `transport`, can reach.

    Shared memory is for every library; TCP only for one that sends through TCP itself.
    """
    if is_raw(library):
        return False
    return raw == SHM.name or (raw == TCP.name and TCP.name in transport.lower().split())


def title_of(kind: str) -> str:
    """The title of `kind` for a sentence; an unknown kind's is its name."""
    return KINDS[kind].title if kind in KINDS else kind


def launcher_for(backend: Backend, job: BatchJob | None = None) -> Launcher:
    """The launcher that starts the ranks of `backend`, which is usable.

    In a `job` it is the scheduler's, if that can start ranks of this kind, else the library's own.
    """
    kind = KINDS[backend.kind]
    if job is None or job.scheduler.launcher not in kind.scheduled:
        return kind.launcher(backend)
    return kind.scheduled[job.scheduler.launcher](backend, job)
