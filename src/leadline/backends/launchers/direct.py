"""No launcher: processes are started one by one, and find each other by themselves."""

from __future__ import annotations

from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers import Command, JobStep, sent
from leadline.errors import UsageError

RANK_VARIABLE = "LEADLINE_RANK"
"""Tells a process that no launcher started which rank it is."""


class Direct:
    """One process a rank."""

    name = "direct"
    rank_variable = RANK_VARIABLE

    def __init__(self, backend: Backend) -> None:
        """Needs only the backend's kind."""
        self.kind = backend.kind

    def processes(self, step: JobStep) -> int:
        """Number of processes that play the ranks of `step`."""
        return step.ranks

    def commands(self, step: JobStep) -> list[Command]:
        """The processes; UsageError if the user has words for a launcher that isn't there."""
        if step.launcher_arguments:
            raise UsageError(
                f"{self.kind} is started without a launcher, so nothing takes "
                f"{step.launcher_arguments[0]!r}; leave arg: out"
            )
        return [rank_command(step, rank) for rank in range(self.processes(step))]


class Alone(Direct):
    """One process that plays all ranks."""

    def processes(self, step: JobStep) -> int:
        """One, whatever the number of ranks."""
        return 1


class Piped(Direct):
    """One process a rank, each with a named pipe in the step's folder that the others write to."""

    name = "piped"

    def commands(self, step: JobStep) -> list[Command]:
        """The processes; whichever needs a pipe first makes it."""
        pipes = {"LEADLINE_INBOX": f"{step.folder}/inbox"}
        return super().commands(replace(step, environment=dict(step.environment) | pipes))


class Mesh(Direct):
    """One process a rank; all find each other at rank 0, whose address is in the environment."""

    name = "mesh"

    def commands(self, step: JobStep) -> list[Command]:
        """The processes, on this host or sent to theirs."""
        meeting = dict(step.environment) | {"LEADLINE_RENDEZVOUS": step.rendezvous}
        local = super().commands(replace(step, environment=meeting))
        if not step.hosts.names:
            return local
        names = step.hosts.names
        places = (step.hosts.place(rank, step.ranks) for rank in range(step.ranks))
        return [sent(step, names[p], command) for p, command in zip(places, local, strict=True)]


def rank_command(step: JobStep, rank: int) -> Command:
    """The process of `rank`, which gets its number from the environment."""
    place = {RANK_VARIABLE: str(rank), "LEADLINE_RANKS": str(step.ranks)}
    argv = (step.executable, *step.arguments)
    return Command(argv, dict(step.environment) | place, f"rank {rank}", bound=False)
