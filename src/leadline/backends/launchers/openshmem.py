"""How OpenSHMEM programs are started: by the oshrun of their library, or by Slurm's srun."""

from __future__ import annotations

from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers import Command, JobStep, Launcher
from leadline.backends.launchers.mpiexec import Mpiexec, OpenMpi
from leadline.backends.launchers.srun import Srun, SrunPmix
from leadline.hosts.schedulers import BatchJob

HEAP_VARIABLES = ("SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE")
"""Variables for the size of the symmetric heap in bytes: the standard's, and Open MPI's own, which
wants both to have the same value."""
USUAL_HEAP_BYTES = 256 * 2**20
SPARE_BYTES = 64 * 2**20
"""For mailboxes, work arrays and the library itself."""
BUFFERS = 5
"""Longest buffers that the heap has room for: of two-sided and of one-sided messages one to send
and one to receive, and one that a buffer which was made larger leaves behind."""


class Oshrun(Mpiexec):
    """`oshrun -n PES PROGRAM`, which most implementations build upon a Hydra of their own."""

    name = "oshrun"


def openshmem(backend: Backend) -> Launcher:
    """The launcher for `backend`; Open MPI's oshrun is its mpiexec under another name."""
    if _is_open_mpi(backend):
        return WithHeap(OpenMpi(backend))
    srun = str(backend.launcher).endswith("/srun")
    return WithHeap(Srun(backend) if srun else Oshrun(backend))


def openshmem_by_srun(backend: Backend, job: BatchJob) -> Launcher:
    """The launcher for `backend` in a job of Slurm."""
    return WithHeap((SrunPmix if _is_open_mpi(backend) else Srun)(backend, job))


def _is_open_mpi(backend: Backend) -> bool:
    return any(name.startswith("OMPI_") for name in backend.environment)


class WithHeap:
    """Another launcher, whose PEs get a symmetric heap with room for their buffers."""

    def __init__(self, launcher: Launcher) -> None:
        """`launcher` starts the PEs."""
        self._launcher = launcher
        self.name, self.rank_variable = launcher.name, launcher.rank_variable

    def commands(self, step: JobStep) -> list[Command]:
        """The other launcher's commands, the heap's size among their variables.

        It is set where the buffers want more than usual, unless the user names a size.
        """
        needed = BUFFERS * step.buffer_bytes + SPARE_BYTES
        named = any(name in step.environment or name in step.inherited for name in HEAP_VARIABLES)
        if not named and needed > USUAL_HEAP_BYTES:
            heap = dict.fromkeys(HEAP_VARIABLES, str(needed))
            step = replace(step, environment=heap | dict(step.environment))
        return self._launcher.commands(step)
