"""MPICH."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind
from leadline.backends.kinds.mpi import STANDARD
from leadline.backends.launchers.forwarding import by_genv
from leadline.backends.launchers.hydra import Hydra
from leadline.backends.launchers.srun import SrunPmi2
from leadline.hosts.schedulers import SLURM


def mpich_transport(output: str) -> str:
    """ch4's own shared memory says "POSIX Topo Dist"; without it the network module is in use.

    Between hosts UCX carries everything.

    UCX lists its transports even where ch4 bypasses them, so its line counts only in versions that
    would have named POSIX (their summary has "MPID/shm:").
    """
    if "POSIX Topo Dist" in output and "inter-node cfg" not in output:
        return "posix"
    ucx = re.search(r"(intra|inter)-node cfg#\d+ tag\(([^)]+)\)", output)
    if ucx and (ucx[1] == "inter" or "MPID/shm:" in output):
        return "ucx " + "+".join(word.split("/")[0] for word in ucx[2].split())
    return UNKNOWN


MPICH = Kind(
    name="mpich",
    title="MPICH",
    sources=("mpi",),
    launcher=Hydra,
    forward=by_genv,
    scheduled={SLURM.launcher: SrunPmi2},
    startup_s=0.1,
    segments=("mpich_shm_", "mpich_vci_", "mpich_shar_tmp", "ucx_shm_posix_"),
    wheels=("mpich",),
    standard=STANDARD,
    compilers=("mpicc.mpich",),
    wrapper_mark=b"MPICH",
    informant=("mpichversion",),
    report=r"^MPICH Version:\s*(\d[\w.]*)",
    launcher_mark=r"HYDRA build details",
    diagnostic=Diagnostic(
        {
            "MPIR_CVAR_DEBUG_SUMMARY": "2",
            "MPIR_CVAR_CH4_SHM_POSIX_TOPO_ENABLE": "1",
            "UCX_LOG_LEVEL": "info",
        },
        mpich_transport,
    ),
)
