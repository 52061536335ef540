"""Intel MPI, a descendant of MPICH."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

IMPI = Kind(
    name="impi",
    title="Intel MPI",
    sources=("mpi",),
    startup_s=0.4,
    wheels=("impi-devel", "impi-rt"),
)
