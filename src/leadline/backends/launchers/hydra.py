"""Hydra, the mpiexec of MPICH and of its descendants. It passes on its whole environment."""

from __future__ import annotations

from leadline.backends.backend import Backend
from leadline.backends.launchers.generic import Mpiexec
from leadline.backends.launchers.step import JobStep


class Hydra(Mpiexec):
    """MPICH's mpiexec."""

    name = "hydra"
    options: tuple[str, ...] = ("-genvall", "-bind-to", "none")
    lingers = True
    """Its proxies keep a description of the machine in /tmp until all their ranks have ended."""

    def places(self, step: JobStep) -> tuple[str, ...]:
        """Hosts, ranks on each, and what starts processes there."""
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
