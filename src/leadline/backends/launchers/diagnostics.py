"""How to make a library say which transport carries messages between two ranks.

Each was tried with the transport forced to something else, and said so. A library that says nothing
reliable is "unknown": a compiled-in transport is not one that is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leadline.backends.backend import Backend

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """For a launch of its own, never one that is timed."""

    environment: Mapping[str, str]
    """What makes the library talk."""
    transport: Callable[[str], str]
    """The transport's name in what two ranks that exchanged a message printed, or "unknown"."""


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


def openmpi_transport(output: str) -> str:
    """The point-to-point component, and for ob1 the byte transfer layer that it uses for a peer."""
    component = re.search(r"select: component (\w+) selected", output)
    if component is None:
        return UNKNOWN
    layers = re.findall(r"Using (\w+) btl for send", output)
    to_peers = sorted(set(layers) - {"self"})
    return " ".join([component[1], "+".join(to_peers)]).strip()


def intel_transport(output: str) -> str:
    """The tuning file that was loaded is named after the fabrics; a provider alone means OFI.

    Between hosts it is the provider whatever the file's name; the table of ranks has the hosts.
    """
    hosts = set(re.findall(r"startup\(\): \d+ +\d+ +(\S+) +\{", output))
    if len(hosts) < 2 and re.search(r"Load tuning file: .*/tuning_[^/]*_shm[-_.]", output):
        return "shm"
    provider = re.search(r"libfabric provider: (\S+)", output)
    return f"ofi {provider[1]}" if provider else UNKNOWN


def ucx_rma_transport(output: str) -> str:
    """OpenSHMEM over UCX: the first lane for remote memory access to another PE than oneself."""
    lane = re.search(r"ep_cfg\[1\]: rma\(([^/)\s]+)", output)
    return f"ucx {lane[1]}" if lane else UNKNOWN


DIAGNOSTICS = {
    "mpich": Diagnostic(
        {
            "MPIR_CVAR_DEBUG_SUMMARY": "2",
            "MPIR_CVAR_CH4_SHM_POSIX_TOPO_ENABLE": "1",
            "UCX_LOG_LEVEL": "info",
        },
        mpich_transport,
    ),
    "openmpi": Diagnostic(
        {"OMPI_MCA_pml_base_verbose": "10", "OMPI_MCA_btl_base_verbose": "30"}, openmpi_transport
    ),
    "impi": Diagnostic({"I_MPI_DEBUG": "5"}, intel_transport),
    "shmem": Diagnostic({"UCX_LOG_LEVEL": "info"}, ucx_rma_transport),
}


def transport_diagnostic(backend: Backend) -> Diagnostic:
    """How to ask `backend`; for kinds that can't be asked one that always answers "unknown"."""
    return DIAGNOSTICS.get(backend.kind, Diagnostic({}, lambda _: UNKNOWN))
