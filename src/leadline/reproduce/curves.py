"""How a paper's figures are drawn again: what each point is simulated as, and what was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from leadline.reproduce.asked import Asked, Machines
from leadline.reproduce.quantities import only, rate
from leadline.reproduce.recipe import Seconds
from leadline.studies.units import Unit

AskedAt = Callable[[int], Asked]
"""What is simulated at a size, or on so many PEs."""


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """One of ours."""

    at: int
    """Bytes, or PEs, as the figure's x axis has it."""
    asked: tuple[Asked, ...]
    ours: Callable[[Seconds], float]
    """In SI units; it knows no published value."""


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """One name in the legend, and what the paper printed of it."""

    name: str
    library: str
    """As of a StudyCurve."""
    network: str
    points: tuple[DrawnPoint, ...]
    printed: tuple[tuple[int, str], ...] = ()
    """Where the paper has points, and the ids of their figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRecipe:
    """Of one figure."""

    id: str
    """That of the paper's drawing; where it has a table or a sentence, words of ours."""
    where: str
    """As "Figure 3"."""
    title: str
    quantity: str
    """Of the y axis."""
    unit: Unit
    curves: tuple[DrawnCurve, ...]
    logarithmic: bool = False
    against_pes: bool = False
    note: str = ""
    """What has to be known before comparing."""

    def asked(self) -> Iterator[Asked]:
        """All that has to be simulated."""
        for curve in self.curves:
            for point in curve.points:
                yield from point.asked


PaperFigures = Callable[[Machines], Iterator[FigureRecipe]]
"""Of one paper, on machines by name."""


def timed(asked: AskedAt, places: Sequence[int], factor: float = 1.0) -> tuple[DrawnPoint, ...]:
    """`factor` times the time of each."""
    return tuple(DrawnPoint(at, (asked(at),), lambda s: factor * only(s)) for at in places)


def rated(asked: AskedAt, sizes: Sequence[int], sends: int = 1) -> tuple[DrawnPoint, ...]:
    """B/s of so many messages in the one time of each size."""
    return tuple(DrawnPoint(size, (asked(size),), rate(sends * size)) for size in sizes)
