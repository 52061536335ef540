"""Launchers that come with an MPI: mpiexec as the standard suggests it, Hydra, Open MPI's, smpirun.

An mpiexec starts all ranks by one command. What differs is how it is told of hosts, that it is not
to bind ranks, and that more ranks than cores are meant.
"""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.launchers import Command, JobStep, beside_ranks
from leadline.errors import UsageError


class Mpiexec:
    """`mpiexec -n RANKS PROGRAM` and nothing else, for libraries that this tool doesn't know.

    Ranks may be bound by it, which the checks before a campaign notice.
    """

    name = "mpiexec"
    rank_variable = "PMI_RANK"
    options: tuple[str, ...] = ()
    """The library's own words, before the user's."""
    lingers = False
    """Whether it ends after its ranks when the process that started it has been killed."""

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


class Hydra(Mpiexec):
    """Hydra, MPICH's mpiexec and that of its descendants; passes on its whole environment."""

    name = "hydra"
    options: tuple[str, ...] = ("-genvall", "-bind-to", "none")
    lingers = True
    """Its proxies keep a description of the machine in /tmp until all their ranks have ended."""

    def places(self, step: JobStep) -> tuple[str, ...]:
        """Words for the hosts, the ranks on each, and the agent that starts processes there."""
        hosts = step.hosts
        if not hosts.names:
            return ()
        agent = ("-launcher", "ssh", "-launcher-exec", hosts.agent)
        return ("-hosts", ",".join(hosts.names), "-ppn", str(hosts.share(step.ranks)), *agent)


class IntelHydra(Hydra):
    """Intel MPI's mpiexec, which pins unless a variable tells it not to."""

    name = "intel-hydra"
    options: tuple[str, ...] = ("-genvall",)

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher, and I_MPI_ROOT in its environment."""
        super().__init__(backend)
        self.environment["I_MPI_PIN"] = "0"


class Smpirun(Mpiexec):
    """SimGrid's `smpirun WORDS -np RANKS PROGRAM`: one process that plays all ranks.

    The user's words name the platform, that is the simulated machine.
    """

    name = "smpirun"
    rank_variable = ""

    def commands(self, step: JobStep) -> list[Command]:
        """One smpirun."""
        ranks = ("-np", str(step.ranks))
        argv = (self.mpiexec, *step.launcher_arguments, *ranks, step.executable, *step.arguments)
        return [Command(argv, self.environment | dict(step.environment))]


AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
"""Without both of them Open MPI's mpiexec refuses to start anything for root."""
YIELDING = {"OMPI_MCA_mpi_yield_when_idle": "1"}
"""Makes waiting ranks leave their core to others. Open MPI does so by itself where a host has more
ranks than cores, but it can't see that emulated hosts share cores."""


class OpenMpi:
    """Open MPI's mpiexec, 4.x and 5.x."""

    name = "openmpi"
    rank_variable = "OMPI_COMM_WORLD_RANK"

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher; its version decides how oversubscription is asked for."""
        self.mpiexec, self.environment = str(backend.launcher), dict(backend.environment)
        self.major = int((backend.version or "5").split(".")[0])

    def commands(self, step: JobStep) -> list[Command]:
        """One mpiexec. A slot is a hardware thread, as everywhere in this tool."""
        hosts = step.hosts
        crowding: tuple[str, ...] = ()
        variables: dict[str, str] = {}
        if step.oversubscribed and self.major < 5:
            crowding = ("--oversubscribe",)
        elif step.oversubscribed:  # a variable, which leaves --map-by to the user
            variables = {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        places: tuple[str, ...] = ()
        if hosts.names:
            slots = ",".join(f"{name}:{hosts.share(step.ranks)}" for name in hosts.names)
            agent = ("--mca", "plm_rsh_agent") if self.major < 5 else ("--prtemca", "plm_ssh_agent")
            places = ("--host", slots, *agent, hosts.agent)
        argv = (
            self.mpiexec,
            "--bind-to",
            "none",
            "--use-hwthread-cpus",
            *crowding,
            *places,
            *(word for name in step.environment for word in ("-x", name)),
            *step.launcher_arguments,
            "-n",
            str(step.ranks),
            step.executable,
            *step.arguments,
        )
        yielding = YIELDING if step.oversubscribed and hosts.emulated else {}
        root = AS_ROOT if step.superuser else {}
        environment = self.environment | yielding | root | variables | dict(step.environment)
        return [beside_ranks(step, Command(argv, environment))]
