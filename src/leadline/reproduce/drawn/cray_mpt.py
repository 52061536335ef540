"""Lopez-Pineda's four tables and NAS MG, of which the paper has no drawing, as curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leadline.reproduce.asked import Asked, Machines, alone, in_a_loop
from leadline.reproduce.cray_mpt import (
    KEY,
    LIBRARIES,
    MACHINES,
    MG_CLASS,
    PES,
    SHMEM,
    SUMS,
    solution,
    solving,
)
from leadline.reproduce.curves import DrawnCurve, DrawnPoint, FigureRecipe, rated, timed
from leadline.studies.published.catalogue import figure_of
from leadline.studies.published.cray_mpt import J90, T3D
from leadline.studies.units import Unit

SYSTEMS = {"t3d": T3D, "j90": J90}
SIZES = tuple(1 << power for power in range(4, 25))
"""16 B to 16 MiB."""
SOLVING_PES = (1, 2, 4, 8, 16, 32)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Tables 1 to 4, and NAS MG."""
    yield FigureRecipe(
        id=f"{KEY}.table1",
        where="Table 1",
        title="Bandwidth against message size",
        quantity="bandwidth",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(_bandwidth(system, library) for system in SYSTEMS for library in LIBRARIES),
        logarithmic=True,
        note="The asymptotic rates, of no size, are at the largest.",
    )
    yield _against_pes(
        "table2", "Barriers in a loop", Unit.MICROSECONDS, [_barriers(one) for one in SYSTEMS]
    )
    yield _against_pes(
        "table3",
        "Sums of one word",
        Unit.MICROSECONDS,
        [_sums(system, name) for system in SYSTEMS for name in SUMS],
    )
    yield _against_pes(
        "table4",
        "Sums of vectors of 100,000 words",
        Unit.MILLISECONDS,
        [_vectors(one) for one in SYSTEMS],
    )
    yield FigureRecipe(
        id=f"{KEY}.nas-mg",
        where="Text after table 4",
        title=f"NAS MG, taken for class {MG_CLASS}, against PEs",
        quantity="time",
        unit=Unit.SECONDS,
        curves=tuple(map(_solutions, SYSTEMS)),
        logarithmic=True,
        against_pes=True,
        note="How fast a PE computes was fitted to the point on 16; which class it is isn't "
        "printed.",
    )


def _against_pes(table: str, title: str, unit: Unit, curves: list[DrawnCurve]) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.{table}",
        where=f"Table {table[-1]}",
        title=f"{title} against PEs",
        quantity="time",
        unit=unit,
        curves=tuple(curves),
        logarithmic=True,
        against_pes=True,
    )


def _bandwidth(system: str, library: str) -> DrawnCurve:
    machine = MACHINES[system]

    def asked(size_bytes: int) -> Asked:
        return in_a_loop((machine, library), "pingpong", 2, size_bytes)

    printed = ((SIZES[-1], f"{KEY}.table1.{system}.{library}.bandwidth"),)
    name = f"{library.upper()}, {SYSTEMS[system]}"
    return DrawnCurve(name, library, machine, rated(asked, SIZES), printed)


def _curve(
    system: str, library: str, asked: Callable[[int], Asked], figure: Callable[[int], str]
) -> DrawnCurve:
    """On PES, each of which the paper has too."""
    name = f"{library}, {SYSTEMS[system]}" if library else SYSTEMS[system]
    printed = tuple((pes, figure(pes)) for pes in PES)
    return DrawnCurve(name, library or system, MACHINES[system], timed(asked, PES), printed)


def _barriers(system: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    return _curve(
        system,
        "",
        lambda pes: in_a_loop(where, "barrier", pes, 0),
        lambda pes: f"{KEY}.table2.{system}.{pes}.time",
    )


def _sums(system: str, name: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    return _curve(
        system,
        name.upper(),
        lambda pes: alone(where, SUMS[name], pes, 0),
        lambda pes: f"{KEY}.table3.{system}.{pes}.{name}",
    )


def _vectors(system: str) -> DrawnCurve:
    where = MACHINES[system], SHMEM
    size_bytes = int(figure_of(f"{KEY}.table4.{system}.2").bytes)
    return _curve(
        system,
        "",
        lambda pes: alone(where, "vector_sum_log2", pes, size_bytes),
        lambda pes: f"{KEY}.table4.{system}.{pes}",
    )


def _solutions(system: str) -> DrawnCurve:
    points = tuple(DrawnPoint(pes, (solving(system, pes),), solution) for pes in SOLVING_PES)
    printed = ((16, f"{KEY}.nas-mg.{system}.16"),)
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)
