"""An MPI that says nothing known of itself."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind
from leadline.backends.launchers.generic import Mpiexec

MPI = Kind(
    name="mpi",
    title="another MPI",
    sources=("mpi",),
    launcher=Mpiexec,
    startup_s=1.0,
)
