"""Intel MPI, a descendant of MPICH."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind, Prefix
from leadline.backends.kinds.mpi import STANDARD
from leadline.backends.launchers.forwarding import by_genv
from leadline.backends.launchers.hydra import IntelHydra
from leadline.backends.launchers.srun import SrunIntel
from leadline.hosts.schedulers import SLURM

LIBFABRIC = ("lib/libfabric", "opt/mpi/libfabric/lib", "lib")
"""Where it lies, by version."""


def intel_transport(output: str) -> str:
    """The tuning file that was loaded is named after the fabrics; a provider alone means OFI.

    Between hosts it is the provider whatever the file's name; the table of ranks has the hosts.
    """
    hosts = set(re.findall(r"startup\(\): \d+ +\d+ +(\S+) +\{", output))
    if len(hosts) < 2 and re.search(r"Load tuning file: .*/tuning_[^/]*_shm[-_.]", output):
        return "shm"
    provider = re.search(r"libfabric provider: (\S+)", output)
    return f"ofi {provider[1]}" if provider else UNKNOWN


def environment(prefix: Prefix) -> dict[str, str]:
    """Its root; and the libfabric that it brings along, which it finds only through variables."""
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
    environment=environment,
    diagnostic=Diagnostic({"I_MPI_DEBUG": "5"}, intel_transport),
)
