"""Frese and Knipp's five figures: bandwidths against size, and two collectives against PEs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leadline.reproduce.asked import Asked, Machines, in_a_loop
from leadline.reproduce.curves import (
    AskedAt,
    DrawnCurve,
    DrawnPoint,
    FigureRecipe,
    rated,
    timed,
)
from leadline.reproduce.recipe import Seconds
from leadline.reproduce.t3e_messages import MACHINE, PATTERNS, SIZES
from leadline.reproduce.t3e_mpi import BCAST, KEY, LIBRARIES
from leadline.studies.published.catalogue import figure_of
from leadline.studies.published.t3e_mpi import LIBRARIES as NAMES
from leadline.studies.units import Unit

MAXIMUM_BYTES = int(figure_of(f"{KEY}.size-of-maximum").bytes)
CALLS = {"send": "MPI_Send", "ssend": "MPI_Ssend", "isend": "MPI_Isend"}
PES = (*range(2, 32, 2), *range(32, 64, 4), *range(64, 129, 8))
"""Of all even numbers to 128, that the paper has, every power of two and fewer of the large."""
SIZE_BYTES = int(BCAST.bytes)


def figures(_: Machines) -> Iterator[FigureRecipe]:
    """Figures 1 to 5, and figure 4 as the bandwidth that the text makes of it."""
    for number, mode in enumerate(PATTERNS, 1):
        yield _bandwidths(number, mode)
    yield _times(4, "bcast", "MPI_Bcast")
    yield FigureRecipe(
        id=f"{KEY}.figure4.accumulated",
        where="Figure 4 and its text",
        title=f"MPI_Bcast's accumulated bandwidth, {SIZE_BYTES} B, against PEs",
        quantity="accumulated bandwidth",
        unit=Unit.MEBIBYTES_PER_SECOND,
        curves=tuple(map(_accumulated, LIBRARIES)),
        against_pes=True,
        note="All receivers times the message over the time; a MByte is 2^20 bytes here.",
    )
    yield _times(5, "reduce", "MPI_Reduce")


def _bandwidths(number: int, mode: str) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"{CALLS[mode]}'s bandwidth against message size",
        quantity="bandwidth",
        unit=Unit.MEGABYTES_PER_SECOND,
        curves=tuple(_bandwidth(mode, library) for library in LIBRARIES),
        logarithmic=True,
        note="The printed points are the maxima, which are reached at about a megabyte.",
    )


def _bandwidth(mode: str, library: str) -> DrawnCurve:
    def asked(size_bytes: int) -> Asked:
        return in_a_loop((MACHINE, library), PATTERNS[mode], 2, size_bytes)

    printed = ((MAXIMUM_BYTES, f"{KEY}.{mode}.{library}.bandwidth"),)
    return DrawnCurve(NAMES[library], library, MACHINE, rated(asked, SIZES), printed)


def _times(number: int, pattern: str, call: str) -> FigureRecipe:
    return FigureRecipe(
        id=f"{KEY}.figure{number}",
        where=f"Figure {number}",
        title=f"{call}'s time in a loop, {SIZE_BYTES} B, against PEs",
        quantity="time",
        unit=Unit.MICROSECONDS,
        curves=tuple(
            DrawnCurve(
                NAMES[library],
                library,
                MACHINE,
                timed(_call(pattern, library), PES),
                ((BCAST.ranks, f"{KEY}.{pattern}.{library}.{BCAST.ranks}.time"),),
            )
            for library in LIBRARIES
        ),
        against_pes=True,
    )


def _accumulated(library: str) -> DrawnCurve:
    call = _call("bcast", library)
    points = tuple(DrawnPoint(pes, (call(pes),), _to_all(pes)) for pes in PES)
    printed = ((BCAST.ranks, f"{KEY}.bcast.{library}.{BCAST.ranks}.accumulated"),)
    return DrawnCurve(NAMES[library], library, MACHINE, points, printed)


def _call(pattern: str, library: str) -> AskedAt:
    return lambda pes: in_a_loop((MACHINE, library), pattern, pes, SIZE_BYTES)


def _to_all(pes: int) -> Callable[[Seconds], float]:
    """B/s that all receivers get together."""
    return lambda seconds: (pes - 1) * SIZE_BYTES / seconds[0]
