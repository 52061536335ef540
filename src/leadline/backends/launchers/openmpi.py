"""Open MPI's mpiexec, 4.x and 5.x."""

from __future__ import annotations

import os

from leadline.backends.backend import Backend
from leadline.backends.launchers.job import Command, Job

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
"""Both are wanted, or mpiexec refuses to start anything for root."""


class OpenMpi:
    """Open MPI's mpiexec."""

    name = "openmpi"
    rank_variable = "OMPI_COMM_WORLD_RANK"

    def __init__(self, backend: Backend) -> None:
        """`backend` has a launcher; its version decides how oversubscription is asked for."""
        self.mpiexec, self.environment = str(backend.launcher), dict(backend.environment)
        self.major = int((backend.version or "5").split(".")[0])
        if os.geteuid() == 0:
            self.environment |= AS_ROOT

    def commands(self, job: Job) -> list[Command]:
        """One mpiexec. A slot is a hardware thread, as everywhere in this tool."""
        arguments, variables = self._oversubscription(job)
        argv = (
            self.mpiexec,
            "--bind-to",
            "none",
            "--use-hwthread-cpus",
            *arguments,
            *self._places(job),
            *(word for name in job.environment for word in ("-x", name)),
            *job.launcher_arguments,
            "-n",
            str(job.ranks),
            job.executable,
            *job.arguments,
        )
        return [Command(argv, self.environment | variables | dict(job.environment))]

    def _places(self, job: Job) -> tuple[str, ...]:
        """Hosts, slots on each, and what starts processes there."""
        hosts = job.hosts
        if not hosts.names:
            return ()
        slots = ",".join(f"{name}:{hosts.share(job.ranks)}" for name in hosts.names)
        agent = ("--mca", "plm_rsh_agent") if self.major < 5 else ("--prtemca", "plm_ssh_agent")
        return ("--host", slots, *agent, hosts.agent)

    def _oversubscription(self, job: Job) -> tuple[tuple[str, ...], dict[str, str]]:
        """Arguments and variables; 5.x takes a variable, which leaves --map-by to the user."""
        if not job.crowded:
            return (), {}
        if self.major < 5:
            return ("--oversubscribe",), {}
        return (), {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
