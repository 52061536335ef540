"""NAS MG as NPB 3.3 defines it, and what Cray Research's paper printed of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leadline.papers.catalogue import figure_of
from leadline.papers.cray_mpt import KEY
from leadline.papers.cray_mpt.printed import NAMES

SOURCE = "D. Bailey et al., The NAS Parallel Benchmarks (1994), as in NPB 3.3"
OPERATIONS_A_POINT = 58
"""In an iteration: what NPB's rates count, whatever a program really does."""


@dataclass(frozen=True, slots=True)
class GridClass:
    """A problem class."""

    points: int
    """Along each axis."""
    iterations: int


CLASSES: Mapping[str, GridClass] = {
    "S": GridClass(32, 4),
    "W": GridClass(128, 4),
    "A": GridClass(256, 4),
    "B": GridClass(256, 20),
    "C": GridClass(512, 20),
}


@dataclass(frozen=True, slots=True)
class PublishedSolution:
    """A time that a paper printed: of a class and of so many iterations that it doesn't name."""

    system: str
    pes: int
    time_s: float


MODIFIED_FOR_MPT = tuple(
    PublishedSolution(system, figure.ranks, figure.si)
    for system, name in NAMES.items()
    for figure in (figure_of(f"{KEY}.nas-mg.{name}.16"),)
)
"""In E. Lopez-Pineda, "PVP SHMEM and PVM Performance Issues Using MPT": "modified for MPT"."""
