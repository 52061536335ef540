"""OpenSHMEM, whichever library implements it."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind

SHMEM = Kind(
    name="shmem",
    title="OpenSHMEM",
    sources=("shmem",),
    startup_s=0.5,
    debian=("openmpi-bin", "libopenmpi-dev"),
)
