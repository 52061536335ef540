"""An MPI that says nothing known of itself."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

MPI = Kind(
    name="mpi",
    title="another MPI",
    sources=("mpi",),
    startup_s=1.0,
)
