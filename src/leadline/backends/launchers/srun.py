"""Slurm's srun, which starts a step in an allocation, and the PMI that each library speaks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep
from leadline.backends.launchers.mpiexec import Mpiexec
from leadline.hosts.schedulers import BatchJob


class Srun(Mpiexec):
    """`srun -n RANKS PROGRAM`: ranks find each other as the site's configuration says.

    Steps share cores and memory with those beside them, are unbound, get all variables, and end as
    a whole when one rank ends badly, as a library's own launcher has it.
    """

    name = "srun"
    rank_variable = "SLURM_PROCID"
    options: tuple[str, ...] = (
        "--overlap", "--cpu-bind=none", "--export=ALL", "--kill-on-bad-exit=1",
    )  # fmt: skip
    variables: Mapping[str, str] = MappingProxyType({})
    """Variables that the library gets in addition."""

    def __init__(self, backend: Backend, job: BatchJob | None = None) -> None:
        """Starts steps of `job`; without one by srun as the backend's launcher, anywhere."""
        super().__init__(backend)
        self.environment |= self.variables
        self._job = job
        if job is not None:
            self.mpiexec = job.launcher

    def places(self, step: JobStep) -> tuple[str, ...]:
        """The nodes that have ranks, and how many each; UsageError for one that isn't the job's.

        A list of each rank's node ("arbitrary") would do, too, but MPICH isn't told then which
        ranks share one, and has these send through its network module (seen with Slurm 22.05).
        """
        crowded = ("--overcommit",) * step.oversubscribed
        nodes = self._job.nodes_for(step.hosts) if self._job else step.hosts.names
        if not nodes:
            return crowded
        taken = nodes[: 1 + step.hosts.place(step.ranks - 1, step.ranks)]
        return (
            *crowded,
            f"--nodes={len(taken)}",  # else as many as the job has
            f"--nodelist={','.join(taken)}",
            f"--distribution=plane={step.hosts.share(step.ranks)}",
        )


class SrunPmi2(Srun):
    """For MPICH, which speaks PMI-2."""

    options = (*Srun.options, "--mpi=pmi2")


class SrunIntel(SrunPmi2):
    """For Intel MPI, which speaks PMI-2 if told, and pins unless told not to."""

    variables = MappingProxyType({"I_MPI_PMI": "pmi2", "I_MPI_PIN": "0"})


class SrunPmix(Srun):
    """For Open MPI, which speaks PMIx."""

    options = (*Srun.options, "--mpi=pmix")
