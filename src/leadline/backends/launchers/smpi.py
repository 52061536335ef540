"""SimGrid's smpirun: one process that plays all ranks, on the machine that its words describe."""

from __future__ import annotations

from leadline.backends.launchers.generic import Mpiexec
from leadline.backends.launchers.step import Command, JobStep


class Smpirun(Mpiexec):
    """`smpirun WORDS -np RANKS PROGRAM`; the words name the platform."""

    name = "smpirun"
    rank_variable = ""

    def commands(self, step: JobStep) -> list[Command]:
        """One smpirun."""
        ranks = ("-np", str(step.ranks))
        argv = (self.mpiexec, *step.launcher_arguments, *ranks, step.executable, *step.arguments)
        return [Command(argv, self.environment | dict(step.environment))]
