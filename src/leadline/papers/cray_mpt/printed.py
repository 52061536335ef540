"""The four tables of E. Lopez-Pineda, "PVP SHMEM and PVM Performance Issues Using MPT".

Cray Research, on MPT's first release (1996): a CRAY T3D of 128 PEs (distributed memory, barriers in
hardware) and a CRAY J90 of 32 CPUs (shared memory). Its Mbytes are taken for 10^6 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from leadline.papers.published import Contradiction, PublishedFigure

KEY = "cray-mpt"
TITLE = "PVP SHMEM and PVM Performance Issues Using MPT"
SOURCE = f'E. Lopez-Pineda, "{TITLE}", Cray Research'
T3D, J90 = "CRAY T3D", "CRAY J90"
SYSTEMS = (T3D, J90)
PES = (2, 4, 8, 16)
"""Of tables 2 to 4."""
VECTOR_BYTES = 800_000
"""Table 4: 100,000 numbers of 8 bytes on each PE."""

# -- as printed ------------------------------------------------------------------------------------

_NAMES = {T3D: "t3d", J90: "j90"}
"""Of the systems in ids."""
_FULL = {T3D: "Cray T3D", J90: "Cray J90"}
_LATENCIES = {
    (T3D, "PVM"): (230, 26),
    (T3D, "SHMEM"): (2, 130),
    (J90, "PVM"): (450, 340),
    (J90, "SHMEM"): (15, 700),
}
"""Table 1: us, Mbytes/s."""
_BARRIERS = {
    T3D: ((0.65, 1.538), (0.67, 1.483), (0.72, 1.398), (0.74, 1.353)),
    J90: ((7.6, 0.130), (10.6, 0.094), (27.0, 0.037), (46.6, 0.021)),
}
"""Table 2: us, Mbarr/s; on PES, as in the next ones."""
_REDUCTIONS = {
    T3D: ((0.027, 0.012, 0.008), (0.027, 0.014, 0.010), (0.030, 0.016, 0.011),
          (0.034, 0.022, 0.016)),
    J90: ((0.039, 0.039, 0.039), (0.044, 0.044, 0.044), (0.079, 0.058, 0.058),
          (0.098, 0.090, 0.090)),
}  # fmt: skip
"""Table 3: ms of each of _OPERATIONS."""
_OPERATIONS = {
    "gsum": "GSUM one-word global sum",
    "gmax": "GMAX one-word global max",
    "gland": "GLAND one-word logical AND",
}
_VECTOR_SUMS = {T3D: (43.53, 87.71, 133.30, 178.07), J90: (17.89, 30.67, 64.71, 181.88)}
"""Table 4: ms."""


def _table_1() -> Iterator[PublishedFigure]:
    for (system, library), (latency_us, mbytes_per_s) in _LATENCIES.items():
        figure = partial(
            PublishedFigure,
            system=_FULL[system],
            library=f"{library} (MPT)" if system == J90 else library,
            operation="ping-pong between two PEs",
            procs="2",
            where="Table 1",
        )
        name = f"{KEY}.table1.{_NAMES[system]}.{library.lower()}"
        yield figure(
            id=f"{name}.latency",
            quantity="latency",
            value=latency_us,
            unit="us",
            condition='includes "a couple of necessary barriers"; PVM timings include pack/unpack',
        )
        yield figure(
            id=f"{name}.bandwidth",
            quantity="asymptotic_bandwidth",
            value=mbytes_per_s,
            unit="Mbytes/s",
            condition="asymptotic rate",
        )


def _table_2() -> Iterator[PublishedFigure]:
    for system in SYSTEMS:
        for pes, (time_us, mbarr_per_s) in zip(PES, _BARRIERS[system], strict=True):
            figure = partial(
                PublishedFigure,
                system=_FULL[system],
                library="SHMEM/MPT",
                operation="barrier",
                procs=str(pes),
                where="Table 2",
            )
            name = f"{KEY}.table2.{_NAMES[system]}.{pes}"
            yield figure(id=f"{name}.time", quantity="time", value=time_us, unit="us")
            yield figure(
                id=f"{name}.rate",
                quantity="rate",
                value=mbarr_per_s,
                unit="Mbarr/s",
                condition="printed rate",
            )


def _table_3() -> Iterator[PublishedFigure]:
    for system in SYSTEMS:
        for pes, times_ms in zip(PES, _REDUCTIONS[system], strict=True):
            for (name, operation), time_ms in zip(_OPERATIONS.items(), times_ms, strict=True):
                yield PublishedFigure(
                    id=f"{KEY}.table3.{_NAMES[system]}.{pes}.{name}",
                    system=_FULL[system],
                    library="SHMEM",
                    operation=operation,
                    procs=str(pes),
                    bytes="8",
                    quantity="time",
                    value=time_ms,
                    unit="ms",
                    condition="all-put/all-get from master PE 0; one 64-bit word",
                    where="Table 3",
                )


def _table_4() -> Iterator[PublishedFigure]:
    for system in SYSTEMS:
        for pes, time_ms in zip(PES, _VECTOR_SUMS[system], strict=True):
            yield PublishedFigure(
                id=f"{KEY}.table4.{_NAMES[system]}.{pes}",
                system=_FULL[system],
                library="SHMEM",
                operation="global vector sum (log2 reduction, not the T3D library routine)",
                procs=str(pes),
                bytes=str(VECTOR_BYTES),
                quantity="time",
                value=time_ms,
                unit="ms",
                condition="100000 numbers per PE; 8 B/word assumed",
                where="Table 4",
            )


def _multigrid(system: str, time_s: float) -> PublishedFigure:
    return PublishedFigure(
        id=f"{KEY}.nas-mg.{_NAMES[system]}.16",
        system=_FULL[system],
        library="MPT",
        operation="NAS MG",
        procs="16",
        quantity="time",
        value=time_s,
        unit="s",
        where="text after Table 4",
    )


def _setting(name: str, system: str, count: float, unit: str, said: str) -> PublishedFigure:
    """`said`: condition, a colon, and the place."""
    condition, _, where = said.partition(": ")
    return PublishedFigure(
        id=f"{KEY}.{name}",
        system=system,
        library="MPT",
        quantity="config",
        value=count,
        unit=unit,
        condition=condition,
        where=where,
    )


FIGURES: tuple[PublishedFigure, ...] = (
    *_table_1(),
    *_table_2(),
    *_table_3(),
    *_table_4(),
    _multigrid(T3D, 13.127),
    _multigrid(J90, 7.611),
    _setting("t3d.pes", _FULL[T3D], 128, "PE", "test system: Performance Issues"),
    _setting("j90.cpus", _FULL[J90], 32, "CPU", "test system: Performance Issues"),
    _setting("most-tasks", "PVP/MPT", 32, "tasks", "maximum NPES: Running with MPT"),
    _setting(
        "table4.words", _FULL[T3D], 100_000, "words", "vector length per PE: text before Table 4"
    ),
)
CONTRADICTIONS = (
    Contradiction(
        tuple(f"{KEY}.table2.t3d.{pes}.rate" for pes in PES),
        "1.538, 1.483, 1.398 and 1.353 Mbarr/s",
        "one over the printed times are 1.538, 1.493, 1.389 and 1.351",
        "the rates come from times that weren't rounded: 0.6502, 0.6743, 0.7153 and 0.7391 us",
    ),
    Contradiction(
        tuple(f"{KEY}.table2.j90.{pes}.rate" for pes in PES),
        "0.130, 0.094, 0.037 and 0.021 Mbarr/s",
        "one over the printed times are 0.1316, 0.0943, 0.0370 and 0.0215",
        "the rates are cut off, not rounded",
    ),
    Contradiction(
        (f"{KEY}.table2.j90.2.time", f"{KEY}.table2.j90.4.time"),
        "the J90's barrier time grows at about the rate of the number of PEs",
        "from 2 to 4 PEs it grows 1.4-fold, from 8 to 16 1.7-fold, from 4 to 8 2.5-fold",
        "a line through all four is up to 22 % off",
    ),
    Contradiction(
        (*(f"{KEY}.table4.t3d.{pes}" for pes in PES), f"{KEY}.table1.t3d.shmem.bandwidth"),
        "SHMEM moves 130 Mbytes/s between two PEs of the T3D",
        "the vector sum's 44 ms a stage are 18 Mbytes/s",
        "a stage also adds, at a rate that isn't printed",
    ),
    Contradiction(
        (f"{KEY}.table4.j90.16", f"{KEY}.table4.t3d.16"),
        "longer packets allow for better results on the PVP machine",
        "on 16 PEs the J90's vector sum takes 181.88 ms, the T3D's 178.07",
        "both as printed; up to 8 PEs the sentence holds, and no logarithm fits the J90's times",
    ),
)


# -- as studies take them --------------------------------------------------------------------------


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


_PRINTED = {figure.id.removeprefix(f"{KEY}."): figure.si for figure in FIGURES}
_ROWS = tuple((system, pes, f"{_NAMES[system]}.{pes}") for system in SYSTEMS for pes in PES)
PROCESSORS = {T3D: int(_PRINTED["t3d.pes"]), J90: int(_PRINTED["j90.cpus"])}
TABLE_1 = tuple(
    Transfer(
        system,
        library,
        _PRINTED[f"table1.{_NAMES[system]}.{library.lower()}.latency"],
        _PRINTED[f"table1.{_NAMES[system]}.{library.lower()}.bandwidth"],
    )
    for system, library in _LATENCIES
)
TABLE_2 = tuple(
    Barrier(system, pes, _PRINTED[f"table2.{row}.time"], _PRINTED[f"table2.{row}.rate"])
    for system, pes, row in _ROWS
)
TABLE_3 = tuple(
    Reductions(system, pes, *(_PRINTED[f"table3.{row}.{name}"] for name in _OPERATIONS))
    for system, pes, row in _ROWS
)
NAS_MG = {
    system: figure
    for system in SYSTEMS
    for figure in FIGURES
    if figure.id.startswith(f"{KEY}.nas-mg.{_NAMES[system]}.")
}
"""By system: a whole solution, of a class that isn't printed."""
TABLE_4 = tuple(VectorSum(system, pes, _PRINTED[f"table4.{row}"]) for system, pes, row in _ROWS)


def ids(table: str, *words: object) -> tuple[str, ...]:
    """Of a table's figures that both systems have, by the words after the system's."""
    return tuple(".".join(map(str, (KEY, table, name, *words))) for name in _NAMES.values())


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
