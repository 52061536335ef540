"""Intel MPI, a descendant of MPICH."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind
from leadline.backends.launchers.hydra import IntelHydra


def intel_transport(output: str) -> str:
    """The tuning file that was loaded is named after the fabrics; a provider alone means OFI.

    Between hosts it is the provider whatever the file's name; the table of ranks has the hosts.
    """
    hosts = set(re.findall(r"startup\(\): \d+ +\d+ +(\S+) +\{", output))
    if len(hosts) < 2 and re.search(r"Load tuning file: .*/tuning_[^/]*_shm[-_.]", output):
        return "shm"
    provider = re.search(r"libfabric provider: (\S+)", output)
    return f"ofi {provider[1]}" if provider else UNKNOWN


IMPI = Kind(
    name="impi",
    title="Intel MPI",
    sources=("mpi",),
    launcher=IntelHydra,
    startup_s=0.4,
    wheels=("impi-devel", "impi-rt"),
    diagnostic=Diagnostic({"I_MPI_DEBUG": "5"}, intel_transport),
)
