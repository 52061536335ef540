"""How each library's ranks are started: one small class a launcher."""

from __future__ import annotations

from collections.abc import Callable

from leadline.backends.backend import Backend
from leadline.backends.launchers.diagnostics import UNKNOWN, Diagnostic, transport_diagnostic
from leadline.backends.launchers.direct import Direct
from leadline.backends.launchers.generic import Mpiexec
from leadline.backends.launchers.hydra import Hydra, IntelHydra
from leadline.backends.launchers.job import Command, Job, Launcher
from leadline.backends.launchers.mesh import Mesh
from leadline.backends.launchers.openmpi import OpenMpi
from leadline.backends.launchers.openshmem import openshmem
from leadline.backends.launchers.pvm import Pvm

__all__ = [
    "UNKNOWN",
    "Command",
    "Diagnostic",
    "Job",
    "Launcher",
    "launcher_for",
    "transport_diagnostic",
]

LAUNCHERS: dict[str, Callable[[Backend], Launcher]] = {
    "mpich": Hydra,
    "impi": IntelHydra,
    "openmpi": OpenMpi,
    "mpi": Mpiexec,
    "shmem": openshmem,
    "pvm": Pvm,
    "shm": Direct,
    "tcp": Mesh,
    "null": Direct,
}


def launcher_for(backend: Backend) -> Launcher:
    """The launcher that starts the ranks of `backend`, which is usable."""
    return LAUNCHERS[backend.kind](backend)
