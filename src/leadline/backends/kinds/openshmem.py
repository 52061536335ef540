"""OpenSHMEM, whichever library implements it."""

from __future__ import annotations

import re

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds.kind import Diagnostic, Kind
from leadline.backends.launchers.openshmem import openshmem


def ucx_rma_transport(output: str) -> str:
    """OpenSHMEM over UCX: the first lane for remote memory access to another PE than oneself."""
    lane = re.search(r"ep_cfg\[1\]: rma\(([^/)\s]+)", output)
    return f"ucx {lane[1]}" if lane else UNKNOWN


SHMEM = Kind(
    name="shmem",
    title="OpenSHMEM",
    sources=("shmem",),
    launcher=openshmem,
    startup_s=0.5,
    debian=("openmpi-bin", "libopenmpi-dev"),
    diagnostic=Diagnostic({"UCX_LOG_LEVEL": "info"}, ucx_rma_transport),
)
