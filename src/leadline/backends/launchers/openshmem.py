"""How OpenSHMEM programs are started: by the oshrun of their library, or by Slurm's srun."""

from __future__ import annotations

from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers.generic import Mpiexec
from leadline.backends.launchers.openmpi import OpenMpi
from leadline.backends.launchers.srun import Srun, SrunPmix
from leadline.backends.launchers.step import Command, JobStep, Launcher
from leadline.hosts.schedulers import BatchJob

HEAP_VARIABLES = ("SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE")
"""The standard's, in bytes, and Open MPI's own, which wants both to say the same."""
USUAL_HEAP_BYTES = 256 * 2**20
SPARE_BYTES = 64 * 2**20
"""For mailboxes, work arrays and the library itself."""
BUFFERS = 5
"""Messages leave and arrive in two-sided and in one-sided buffers; and what growing leaves."""


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
        """Those of the other launcher."""
        return self._launcher.commands(_with_heap(step))


def _with_heap(step: JobStep) -> JobStep:
    """`step` with a larger heap than usual where its buffers want one and the user names none."""
    needed = BUFFERS * step.buffer_bytes + SPARE_BYTES
    named = any(name in step.environment or name in step.inherited for name in HEAP_VARIABLES)
    if named or needed <= USUAL_HEAP_BYTES:
        return step
    heap = dict.fromkeys(HEAP_VARIABLES, str(needed))
    return replace(step, environment=heap | dict(step.environment))
