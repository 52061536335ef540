"""An MPI that says nothing known of itself."""

from __future__ import annotations

from leadline.backends.kinds.kind import Kind, Standard
from leadline.backends.launchers.generic import Mpiexec

STANDARD = Standard(
    name="mpi",
    compilers=("mpicc",),
    header="mpi.h",
    probe="probe.c",
    launcher="mpiexec",
    launchers=("mpiexec{suffix}", "mpiexec", "mpiexec.{kind}", "mpiexec.hydra"),
)

MPI = Kind(
    name="mpi",
    title="another MPI",
    sources=("mpi",),
    launcher=Mpiexec,
    startup_s=1.0,
    standard=STANDARD,
    started_by=("mpich", "mpi"),
)
