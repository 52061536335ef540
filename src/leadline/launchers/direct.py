"""No launcher: the processes of shm and null are started one by one."""

from __future__ import annotations

from leadline.backend import ONE_HOST, Backend
from leadline.errors import UsageError
from leadline.launchers.job import Command, Job


class Direct:
    """One process a rank for shm; one process that plays all ranks for null."""

    name = "direct"
    rank_variable = "LEADLINE_RANK"

    def __init__(self, backend: Backend) -> None:
        """Needs only the backend's kind."""
        self.kind = backend.kind

    def commands(self, job: Job) -> list[Command]:
        """The processes; UsageError if the user has words for a launcher that isn't there."""
        if job.launcher_arguments:
            raise UsageError(
                f"{self.kind} is started without a launcher, so nothing takes "
                f"{job.launcher_arguments[0]!r}; leave arg: out"
            )
        if job.hosts.names and self.kind in ONE_HOST:
            raise UsageError(f"{self.kind} reaches one host only; leave it out, or --hosts")
        processes = 1 if self.kind == "null" else job.ranks
        return [self._command(job, rank) for rank in range(processes)]

    def _command(self, job: Job, rank: int) -> Command:
        place = {"LEADLINE_RANK": str(rank), "LEADLINE_RANKS": str(job.ranks)}
        return Command((job.executable, *job.arguments), dict(job.environment) | place)
