"""The paper's four tables and NAS MG, as its study and its recipes take them."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.papers.catalogue import figure_of, printed
from leadline.papers.cray_mpt import KEY

T3D, J90 = "CRAY T3D", "CRAY J90"
SYSTEMS = (T3D, J90)
NAMES = {T3D: "t3d", J90: "j90"}
"""Of the systems in ids."""
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


def _value(*words: object) -> float:
    return printed(KEY, *words)


_ROWS = tuple((system, pes, (NAMES[system], pes)) for system in SYSTEMS for pes in PES)
PROCESSORS = {T3D: int(_value("t3d.pes")), J90: int(_value("j90.cpus"))}
TABLE_1 = tuple(
    Transfer(
        system,
        library,
        *(_value("table1", NAMES[system], library.lower(), x) for x in ("latency", "bandwidth")),
    )
    for system in SYSTEMS
    for library in ("PVM", "SHMEM")
)
TABLE_2 = tuple(
    Barrier(system, pes, *(_value("table2", *row, what) for what in ("time", "rate")))
    for system, pes, row in _ROWS
)
TABLE_3 = tuple(
    Reductions(system, pes, *(_value("table3", *row, what) for what in ("gsum", "gmax", "gland")))
    for system, pes, row in _ROWS
)
TABLE_4 = tuple(VectorSum(system, pes, _value("table4", *row)) for system, pes, row in _ROWS)
NAS_MG = {system: figure_of(f"{KEY}.nas-mg.{name}.16") for system, name in NAMES.items()}
"""By system: a whole solution, of a class that isn't printed."""


def ids(table: str, *words: object) -> tuple[str, ...]:
    """Of a table's figures that both systems have, by the words after the system's."""
    return tuple(".".join(map(str, (KEY, table, name, *words))) for name in NAMES.values())


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
