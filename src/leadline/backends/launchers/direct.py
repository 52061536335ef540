"""No launcher: processes are started one by one."""

from __future__ import annotations

from dataclasses import replace

from leadline.backends.backend import Backend
from leadline.backends.launchers.step import Command, JobStep
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
        """How many play the ranks of `step`."""
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
        """The processes; whoever comes first makes a pipe."""
        pipes = {"LEADLINE_INBOX": f"{step.folder}/inbox"}
        return super().commands(replace(step, environment=dict(step.environment) | pipes))


def rank_command(step: JobStep, rank: int) -> Command:
    """The process of `rank`, which learns its place from the environment."""
    place = {RANK_VARIABLE: str(rank), "LEADLINE_RANKS": str(step.ranks)}
    argv = (step.executable, *step.arguments)
    return Command(argv, dict(step.environment) | place, f"rank {rank}", bound=False)
