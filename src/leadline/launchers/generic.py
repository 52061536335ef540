"""The mpiexec that the MPI standard suggests, for libraries that this tool doesn't know."""

from __future__ import annotations

from leadline.backend import Backend
from leadline.launchers.job import Command, Job


class Mpiexec:
    """`mpiexec -n RANKS PROGRAM` and nothing else; ranks may be bound, which preflight notices."""

    name = "mpiexec"
    rank_variable = "PMI_RANK"
    options: tuple[str, ...] = ()
    """The library's own words, before the user's."""

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
