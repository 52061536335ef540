"""The mpiexec that the MPI standard suggests, for libraries that this tool doesn't know."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.launchers.agents import beside_ranks
from leadline.backends.launchers.step import Command, JobStep
from leadline.errors import UsageError


class Mpiexec:
    """`mpiexec -n RANKS PROGRAM` and nothing else; ranks may be bound, which preflight notices."""

    name = "mpiexec"
    rank_variable = "PMI_RANK"
    options: tuple[str, ...] = ()
    """The library's own words, before the user's."""
    lingers = False
    """Whether it ends behind its ranks when whoever started it has been killed."""

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher."""
        self.mpiexec, self.environment = str(backend.launcher), dict(backend.environment)

    def places(self, step: JobStep) -> tuple[str, ...]:
        """Words that spread ranks over hosts; UsageError, for the standard knows none."""
        if step.hosts.names:
            raise UsageError(
                f"how {self.mpiexec} names hosts isn't known; give its own words by "
                "--variant NAME=BACKEND,arg:WORD instead of --hosts"
            )
        return ()

    def commands(self, step: JobStep) -> list[Command]:
        """One mpiexec."""
        argv = (
            self.mpiexec,
            *self.options,
            *self.places(step),
            *step.launcher_arguments,
            "-n",
            str(step.ranks),
            step.executable,
            *step.arguments,
        )
        command = Command(argv, self.environment | dict(step.environment), lingers=self.lingers)
        return [beside_ranks(step, command)]
