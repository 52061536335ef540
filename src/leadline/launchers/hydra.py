"""Hydra, the mpiexec of MPICH and of its descendants. It passes on its whole environment."""

from __future__ import annotations

from leadline.backend import Backend
from leadline.launchers.job import Command, Job


class Hydra:
    """MPICH's mpiexec."""

    name = "hydra"
    rank_variable = "PMI_RANK"
    options: tuple[str, ...] = ("-genvall", "-bind-to", "none")

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher."""
        self.mpiexec, self.environment = str(backend.launcher), dict(backend.environment)

    def commands(self, job: Job) -> list[Command]:
        """One mpiexec."""
        argv = (
            self.mpiexec,
            *self.options,
            *job.launcher_arguments,
            "-n",
            str(job.ranks),
            job.executable,
            *job.arguments,
        )
        return [Command(argv, self.environment | dict(job.environment))]


class IntelHydra(Hydra):
    """Intel MPI's mpiexec, which pins unless a variable tells it not to."""

    name = "intel-hydra"
    options = ("-genvall",)

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher, and I_MPI_ROOT in its environment."""
        super().__init__(backend)
        self.environment["I_MPI_PIN"] = "0"
