"""The four tables of E. Lopez-Pineda, "PVP SHMEM and PVM Performance Issues Using MPT".

Cray Research, on MPT's first release (1996): a CRAY T3D of 128 PEs (distributed memory, barriers in
hardware) and a CRAY J90 of 32 CPUs (shared memory). Its Mbytes are taken for 10^6 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = 'E. Lopez-Pineda, "PVP SHMEM and PVM Performance Issues Using MPT", Cray Research'
T3D, J90 = "CRAY T3D", "CRAY J90"
SYSTEMS = (T3D, J90)
PROCESSORS = {T3D: 128, J90: 32}
PES = (2, 4, 8, 16)
"""Of tables 2 to 4."""
VECTOR_BYTES = 800_000
"""Table 4: 100,000 numbers of 8 bytes on each PE."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A row of table 1: messages back and forth between two PEs.

    The tests held "a couple of necessary barriers"; PVM's times hold packing and unpacking.
    """

    system: str
    library: str
    latency_s: float
    bandwidth_bytes_per_s: float
    """Asymptotic."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """A row of table 2."""

    system: str
    pes: int
    time_s: float
    rate_per_s: float
    """As printed: the J90's are cut off, not rounded; the T3D's come from unrounded times."""


@dataclass(frozen=True, slots=True)
class Reductions:
    """A row of table 3: one word of each PE, by puts and gets of the master, PE 0."""

    system: str
    pes: int
    sum_s: float
    maximum_s: float
    logical_and_s: float


@dataclass(frozen=True, slots=True)
class VectorSum:
    """A figure of table 4: a log2 reduction of VECTOR_BYTES from each PE."""

    system: str
    pes: int
    time_s: float


TABLE_1 = (
    Transfer(T3D, "PVM", 230e-6, 26e6),
    Transfer(T3D, "SHMEM", 2e-6, 130e6),
    Transfer(J90, "PVM", 450e-6, 340e6),
    Transfer(J90, "SHMEM", 15e-6, 700e6),
)
TABLE_2 = (
    Barrier(T3D, 2, 0.65e-6, 1.538e6),
    Barrier(T3D, 4, 0.67e-6, 1.483e6),
    Barrier(T3D, 8, 0.72e-6, 1.398e6),
    Barrier(T3D, 16, 0.74e-6, 1.353e6),
    Barrier(J90, 2, 7.6e-6, 0.130e6),
    Barrier(J90, 4, 10.6e-6, 0.094e6),
    Barrier(J90, 8, 27.0e-6, 0.037e6),
    Barrier(J90, 16, 46.6e-6, 0.021e6),
)
TABLE_3 = (
    Reductions(T3D, 2, 0.027e-3, 0.012e-3, 0.008e-3),
    Reductions(T3D, 4, 0.027e-3, 0.014e-3, 0.010e-3),
    Reductions(T3D, 8, 0.030e-3, 0.016e-3, 0.011e-3),
    Reductions(T3D, 16, 0.034e-3, 0.022e-3, 0.016e-3),
    Reductions(J90, 2, 0.039e-3, 0.039e-3, 0.039e-3),
    Reductions(J90, 4, 0.044e-3, 0.044e-3, 0.044e-3),
    Reductions(J90, 8, 0.079e-3, 0.058e-3, 0.058e-3),
    Reductions(J90, 16, 0.098e-3, 0.090e-3, 0.090e-3),
)
TABLE_4 = (
    VectorSum(T3D, 2, 43.53e-3),
    VectorSum(T3D, 4, 87.71e-3),
    VectorSum(T3D, 8, 133.30e-3),
    VectorSum(T3D, 16, 178.07e-3),
    VectorSum(J90, 2, 17.89e-3),
    VectorSum(J90, 4, 30.67e-3),
    VectorSum(J90, 8, 64.71e-3),
    VectorSum(J90, 16, 181.88e-3),
)


def transfer(system: str, library: str) -> Transfer:
    """The row of table 1 for `library` on `system`."""
    return next(row for row in TABLE_1 if (row.system, row.library) == (system, library))


def barrier(system: str, pes: int) -> Barrier:
    """The row of table 2 for `pes` PEs of `system`."""
    return next(row for row in TABLE_2 if (row.system, row.pes) == (system, pes))


def vector_sum(system: str, pes: int) -> VectorSum:
    """The figure of table 4 for `pes` PEs of `system`."""
    return next(row for row in TABLE_4 if (row.system, row.pes) == (system, pes))


def reductions(system: str, pes: int) -> Reductions:
    """The row of table 3 for `pes` PEs of `system`."""
    return next(row for row in TABLE_3 if (row.system, row.pes) == (system, pes))
