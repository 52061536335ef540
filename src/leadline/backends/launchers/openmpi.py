"""Open MPI's mpiexec, 4.x and 5.x."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.launchers.agents import beside_ranks
from leadline.backends.launchers.step import Command, JobStep

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
"""Both are wanted, or mpiexec refuses to start anything for root."""
YIELDING = {"OMPI_MCA_mpi_yield_when_idle": "1"}
"""Waiting ranks leave their core to others. Open MPI does so by itself where a host has more ranks
than cores; that hosts share cores it can't see."""


class OpenMpi:
    """Open MPI's mpiexec."""

    name = "openmpi"
    rank_variable = "OMPI_COMM_WORLD_RANK"

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher; its version decides how oversubscription is asked for."""
        self.mpiexec, self.environment = str(backend.launcher), dict(backend.environment)
        self.major = int((backend.version or "5").split(".")[0])

    def commands(self, step: JobStep) -> list[Command]:
        """One mpiexec. A slot is a hardware thread, as everywhere in this tool."""
        arguments, variables = self._oversubscription(step)
        root = AS_ROOT if step.superuser else {}
        argv = (
            self.mpiexec,
            "--bind-to",
            "none",
            "--use-hwthread-cpus",
            *arguments,
            *self._places(step),
            *(word for name in step.environment for word in ("-x", name)),
            *step.launcher_arguments,
            "-n",
            str(step.ranks),
            step.executable,
            *step.arguments,
        )
        yielding = YIELDING if step.oversubscribed and step.hosts.emulated else {}
        environment = self.environment | yielding | root | variables | dict(step.environment)
        return [beside_ranks(step, Command(argv, environment))]

    def _places(self, step: JobStep) -> tuple[str, ...]:
        """Hosts, slots on each, and what starts processes there."""
        hosts = step.hosts
        if not hosts.names:
            return ()
        slots = ",".join(f"{name}:{hosts.share(step.ranks)}" for name in hosts.names)
        agent = ("--mca", "plm_rsh_agent") if self.major < 5 else ("--prtemca", "plm_ssh_agent")
        return ("--host", slots, *agent, hosts.agent)

    def _oversubscription(self, step: JobStep) -> tuple[tuple[str, ...], dict[str, str]]:
        """Arguments and variables; 5.x takes a variable, which leaves --map-by to the user."""
        if not step.oversubscribed:
            return (), {}
        if self.major < 5:
            return ("--oversubscribe",), {}
        return (), {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
