"""Open MPI."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind
from leadline.backends.kinds.mpi import STANDARD
from leadline.backends.launchers.forwarding import by_x
from leadline.backends.launchers.openmpi import OpenMpi
from leadline.backends.launchers.srun import SrunPmix
from leadline.hosts.schedulers import SLURM

WRAPPER_MARK = b"opal"
"""Also in the wrapper of its OpenSHMEM."""
SEGMENTS = ("sm_segment.", "vader_segment.", "osc_sm.", "osc_rdma.", "ucx_shm_posix_")
DAEMONS = ("prted", "orted")
"""Of versions 4 and 5; also of its OpenSHMEM."""


def openmpi_transport(output: str) -> str:
    """The point-to-point component, and for ob1 the byte transfer layer that it uses for a peer."""
    component = re.search(r"select: component (\w+) selected", output)
    if component is None:
        return UNKNOWN
    layers = re.findall(r"Using (\w+) btl for send", output)
    to_peers = sorted(set(layers) - {"self"})
    return " ".join([component[1], "+".join(to_peers)]).strip()


OPENMPI = Kind(
    name="openmpi",
    title="Open MPI",
    sources=("mpi",),
    launcher=OpenMpi,
    forward=by_x,
    scheduled={SLURM.launcher: SrunPmix},
    startup_s=1.2,
    segments=SEGMENTS,
    daemons=DAEMONS,
    wheels=("openmpi",),
    standard=STANDARD,
    compilers=("mpicc.openmpi",),
    wrapper_mark=WRAPPER_MARK,
    informant=("ompi_info", "--config"),
    report=r"Open MPI v(\d[\w.]*)",
    launcher_mark=r"\(Open MPI\)|OpenRTE|PRRTE",
    diagnostic=Diagnostic(
        {"OMPI_MCA_pml_base_verbose": "10", "OMPI_MCA_btl_base_verbose": "30"}, openmpi_transport
    ),
)
