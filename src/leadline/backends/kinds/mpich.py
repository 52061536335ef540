"""MPICH."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

MPICH = Kind(
    name="mpich",
    title="MPICH",
    sources=("mpi",),
    startup_s=0.1,
    wheels=("mpich",),
)
