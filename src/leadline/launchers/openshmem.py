"""How OpenSHMEM programs are started: by the oshrun of their library, or by Slurm."""

from __future__ import annotations

from pathlib import Path

from leadline.backend import Backend
from leadline.launchers.generic import Mpiexec
from leadline.launchers.job import Launcher
from leadline.launchers.openmpi import OpenMpi


class Oshrun(Mpiexec):
    """`oshrun -n PES PROGRAM`, which most implementations build upon a Hydra of their own."""

    name = "oshrun"


class Srun(Mpiexec):
    """Slurm's, where the library brings no launcher."""

    name = "srun"
    rank_variable = "SLURM_PROCID"


def openshmem(backend: Backend) -> Launcher:
    """The launcher for `backend`; Open MPI's oshrun is its mpiexec under another name."""
    if any(name.startswith("OMPI_") for name in backend.environment):
        return OpenMpi(backend)
    return Srun(backend) if Path(str(backend.launcher)).name == "srun" else Oshrun(backend)
