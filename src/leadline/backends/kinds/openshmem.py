"""OpenSHMEM, whichever library implements it."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind, Prefix, Standard
from leadline.backends.kinds.mpi import OPENMPI_DAEMONS, OPENMPI_MARK, OPENMPI_SEGMENTS
from leadline.backends.launchers.openshmem import openshmem, openshmem_by_srun
from leadline.hosts.schedulers import SLURM


def ucx_rma_transport(output: str) -> str:
    """OpenSHMEM over UCX: the first lane for remote memory access to another PE than oneself.

    Where the lane only carries messages ("rma_am"), accesses are made of these.
    """
    lane = re.search(r"ep_cfg\[1\]: rma(?:_am)?\(([^/)\s]+)", output)
    return f"ucx {lane[1]}" if lane else UNKNOWN


def openshmem_environment(prefix: Prefix) -> dict[str, str]:
    """For Open MPI's, which crashes in shmem_finalize if it may patch functions (4.1.4)."""
    return {"OMPI_MCA_memory": "^patcher"} if OPENMPI_MARK in prefix.wrapper_text else {}


STANDARD = Standard(
    name="shmem",
    compilers=("oshcc", "shmemcc"),  # the standard's own name, and that of some vendors
    header="shmem.h",
    probe="openshmem.c",
    launcher="oshrun",
    launchers=("oshrun", "shmemrun"),
    launcher_on_path=SLURM.launcher,
)

SHMEM = Kind(
    name="shmem",
    title="OpenSHMEM",
    sources=("shmem", "matching", "persistent", "queue"),
    launcher=openshmem,
    scheduled={SLURM.launcher: openshmem_by_srun},
    startup_s=0.5,
    segments=OPENMPI_SEGMENTS,
    daemons=OPENMPI_DAEMONS,
    debian=("openmpi-bin", "libopenmpi-dev"),
    standard=STANDARD,
    report=r"(\d[\w.]*)",
    started_by=("impi", "openmpi", "mpich", "mpi"),
    environment=openshmem_environment,
    diagnostic=Diagnostic({"UCX_LOG_LEVEL": "info"}, ucx_rma_transport),
)
