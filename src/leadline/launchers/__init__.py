"""How each library's ranks are started: one small class a launcher."""

from __future__ import annotations

from collections.abc import Callable

from leadline.backend import Backend
from leadline.launchers.diagnostics import UNKNOWN, Diagnostic, transport_diagnostic
from leadline.launchers.direct import Direct
from leadline.launchers.generic import Mpiexec
from leadline.launchers.hydra import Hydra, IntelHydra
from leadline.launchers.job import Command, Job, Launcher
from leadline.launchers.mesh import Mesh
from leadline.launchers.openmpi import OpenMpi
from leadline.launchers.openshmem import openshmem
from leadline.launchers.pvm import Pvm

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
