"""What Hwang, Wang and Wang's abstract says, as curves against nodes; it has no figures itself."""

from __future__ import annotations

from collections.abc import Iterator

from leadline.reproduce.asked import Asked, Machines, alone
from leadline.reproduce.closed_forms import LIBRARY, OPERATIONS
from leadline.reproduce.collectives import BARRIER_NODES, KEY, MACHINES
from leadline.reproduce.curves import DrawnCurve, DrawnPoint, FigureRecipe, timed
from leadline.reproduce.quantities import LINE_BYTES, slope_rate
from leadline.reproduce.recipe import Seconds
from leadline.studies.published.catalogue import figure_of
from leadline.studies.published.collectives import PARAGON, SP2, T3D
from leadline.studies.units import Unit

SYSTEMS = {"t3d": T3D, "paragon": PARAGON, "sp2": SP2}
NODES = (2, 4, 8, 16, 32, BARRIER_NODES)
LONG_BYTES = int(figure_of(f"{KEY}.range.64.least").bytes)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """R_inf of the total exchange, barriers, and each machine's operations at 64 KiB."""
    yield FigureRecipe(
        id=f"{KEY}.total-exchange",
        where="Abstract, aggregated bandwidth",
        title="The total exchange's aggregated bandwidth against PEs",
        quantity="R_inf",
        unit=Unit.GIGABYTES_PER_SECOND,
        curves=tuple(map(_aggregated, SYSTEMS)),
        logarithmic=True,
        against_pes=True,
        note="All bytes of all messages over the time, as messages grow.",
    )
    yield FigureRecipe(
        id=f"{KEY}.barrier",
        where="Abstract, barriers",
        title="Barriers against PEs",
        quantity="time",
        unit=Unit.MICROSECONDS,
        curves=tuple(map(_barrier, SYSTEMS)),
        logarithmic=True,
        against_pes=True,
        note="On how many nodes the T3D took 3 us isn't printed; the others took 30 times as long "
        "at least.",
    )
    yield from map(_operations, SYSTEMS)


def _asked(system: str, operation: str, nodes: int, size_bytes: int) -> Asked:
    return alone((MACHINES[system], LIBRARY), operation, nodes, size_bytes)


def _aggregated(system: str) -> DrawnCurve:
    points = tuple(map(_limit, [system] * len(NODES), NODES))
    printed = ((BARRIER_NODES, f"{KEY}.total-exchange.{system}.{BARRIER_NODES}"),)
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)


def _limit(system: str, nodes: int) -> DrawnPoint:
    """By the slope of the time over the size."""
    messages = nodes * (nodes - 1)

    def rate(seconds: Seconds) -> float:
        return messages * slope_rate(seconds)

    asked = tuple(_asked(system, "total_exchange", nodes, size) for size in LINE_BYTES)
    return DrawnPoint(nodes, asked, rate)


def _barrier(system: str) -> DrawnCurve:
    points = timed(lambda nodes: _asked(system, "barrier", nodes, 0), NODES)
    printed = ((BARRIER_NODES, f"{KEY}.barrier.t3d.time"),) * (system == "t3d")
    return DrawnCurve(SYSTEMS[system], system, MACHINES[system], points, printed)


def _operations(system: str) -> FigureRecipe:
    range_of_all = DrawnCurve(
        "all three machines' range",
        "range",
        MACHINES[system],
        (),
        tuple((BARRIER_NODES, f"{KEY}.range.64.{end}") for end in ("least", "most")),
    )
    return FigureRecipe(
        id=f"{KEY}.operations.{system}",
        where="Abstract, 64 KBytes over 64 nodes",
        title=f"{SYSTEMS[system]}: operations with {LONG_BYTES:,} B a message against PEs",
        quantity="time",
        unit=Unit.MILLISECONDS,
        curves=(*(_operation(system, name) for name in OPERATIONS), range_of_all),
        logarithmic=True,
        against_pes=True,
        note="The range is that of all operations on all three machines: whose it is isn't "
        "printed.",
    )


def _operation(system: str, operation: str) -> DrawnCurve:
    points = timed(lambda nodes: _asked(system, operation, nodes, LONG_BYTES), NODES)
    return DrawnCurve(operation.replace("_", " "), operation, MACHINES[system], points)
