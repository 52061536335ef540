"""No launcher: the processes of shm and null are started one by one."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.backends.launchers.job import Command, Job, refuse_hosts
from leadline.errors import UsageError


class Direct:
    """One process a rank for shm; one process that plays all ranks for null."""

    name = "direct"
    rank_variable = "LEADLINE_RANK"

    def __init__(self, backend: Backend) -> None:
        """Needs only the backend's kind."""
        self.kind, self.one_host = backend.kind, KINDS[backend.kind].one_host

    def commands(self, job: Job) -> list[Command]:
        """The processes; UsageError if the user has words for a launcher that isn't there."""
        if job.launcher_arguments:
            raise UsageError(
                f"{self.kind} is started without a launcher, so nothing takes "
                f"{job.launcher_arguments[0]!r}; leave arg: out"
            )
        if self.one_host:
            refuse_hosts(job, self.kind)
        processes = 1 if self.kind == "null" else job.ranks
        return [rank_command(job, rank) for rank in range(processes)]


def rank_command(job: Job, rank: int) -> Command:
    """The process of `rank`, which learns its place from the environment."""
    place = {"LEADLINE_RANK": str(rank), "LEADLINE_RANKS": str(job.ranks)}
    argv = (job.executable, *job.arguments)
    return Command(argv, dict(job.environment) | place, f"rank {rank}")
