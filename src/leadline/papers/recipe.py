"""How a paper's figures, sentences and drawings are made: what each is simulated as."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from leadline.models.forms import Scaling
from leadline.models.model import Piece
from leadline.papers.catalogue import PAPERS, paper_of
from leadline.papers.published import Paper, PublishedFigure
from leadline.papers.simulation import CellSpec, Machines, Seconds, only, rate
from leadline.papers.units import Unit
from leadline.simulate.machine import MachineModel

SETTING = "config"
"""Quantity of figures that say how others were measured, and are no results."""
ONLY_DRAWN = "only drawn, no point of it can be read: ours is drawn in its place"
"""Why there is no number of ours of a drawing."""


class Relation(StrEnum):
    """What the paper says of the figure."""

    ABOUT = "about"
    LEAST = "at least"
    MOST = "at most"


# -- figures and sentences -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What one figure is simulated as, and what is made of the times."""

    figure: str
    """Its id."""
    cells: tuple[CellSpec, ...]
    ours: Callable[[Seconds], float]
    """Makes our value, in SI units, of the times asked for; it knows no published value."""
    relation: Relation = Relation.ABOUT
    gain: bool = False
    """It is a gain, in per cent."""
    reason: str = ""
    """Why ours deviates, as far as it is known."""

    def made(self, times: Mapping[CellSpec, float], _: Machines) -> float:
        """Our value, in SI units."""
        return self.ours([times[spec] for spec in self.cells])


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineRecipe:
    """What one figure is made of, where a machine's own values go into it."""

    figure: str
    machine: str
    """The name of its file."""
    ours: Callable[[MachineModel, Seconds], float]
    cells: tuple[CellSpec, ...] = ()
    relation: Relation = Relation.ABOUT
    gain: bool = False
    reason: str = ""

    def made(self, times: Mapping[CellSpec, float], machines: Machines) -> float:
        """Our value, in SI units."""
        return self.ours(machines(self.machine), [times[spec] for spec in self.cells])


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRecipe:
    """A sentence: a ratio or time of ours, and the bounds within which it holds."""

    id: str
    text: str
    cells: tuple[CellSpec, ...]
    ours: Callable[[Seconds], float]
    least: float = 0.0
    most: float = float("inf")
    within: tuple[str, str] | None = None
    """Figures that are its bounds, in whose unit ours is then; instead of `least` and `most`."""
    over: tuple[str, str] | None = None
    """Figures whose ratio is the published one."""
    rests_on: tuple[str, ...] = ()
    """Further figures that it is about."""
    reason: str = ""

    def figures(self) -> tuple[str, ...]:
        """Ids of the figures that it is about."""
        return (*(self.within or ()), *(self.over or ()), *self.rests_on)

    def made(self, times: Mapping[CellSpec, float], _: Machines) -> float:
        """Our value, which the bounds are about."""
        return self.ours([times[spec] for spec in self.cells])


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineSentenceRecipe:
    """A sentence about where ranks and jobs lie on a machine."""

    id: str
    text: str
    machine: str
    """The name of its file."""
    ours: Callable[[MachineModel], float]
    least: float = 0.0
    most: float = float("inf")
    within: None = None
    over: None = None
    rests_on: tuple[str, ...] = ()
    """Figures that it is about."""
    reason: str = ""
    cells: tuple[CellSpec, ...] = ()

    def figures(self) -> tuple[str, ...]:
        """Ids of the figures that it is about."""
        return self.rests_on

    def made(self, _: Mapping[CellSpec, float], machines: Machines) -> float:
        """Our value, which the bounds are about."""
        return self.ours(machines(self.machine))


# -- drawings --------------------------------------------------------------------------------------


CellAt = Callable[[int], CellSpec]
"""What is simulated at a size, or on so many PEs."""


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """A point of our own."""

    at: int
    """Bytes, or PEs, as the figure's x axis has it."""
    cells: tuple[CellSpec, ...]
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
    """What the curves of one drawing are simulated as."""

    id: str
    """Id of the paper's drawing; words of ours where it has a table or a sentence instead."""
    where: str
    """As "Figure 3"."""
    title: str
    quantity: str
    """What the y axis shows."""
    unit: Unit
    curves: tuple[DrawnCurve, ...]
    logarithmic: bool = False
    against_pes: bool = False
    note: str = ""
    """What has to be known before comparing."""

    def cells(self) -> Iterator[CellSpec]:
        """All that has to be simulated."""
        for curve in self.curves:
            for point in curve.points:
                yield from point.cells


PaperFigures = Callable[[Machines], Iterator[FigureRecipe]]
"""The drawings of one paper, on machines by name."""


def timed(cell_at: CellAt, places: Sequence[int], factor: float = 1.0) -> tuple[DrawnPoint, ...]:
    """`factor` times the time of each."""
    return tuple(DrawnPoint(at, (cell_at(at),), lambda s: factor * only(s)) for at in places)


def rated(cell_at: CellAt, sizes: Sequence[int], sends: int = 1) -> tuple[DrawnPoint, ...]:
    """B/s of so many messages in the one time of each size."""
    return tuple(DrawnPoint(size, (cell_at(size),), rate(sends * size)) for size in sizes)


# -- closed forms ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducedForm:
    """T(m, p) of one operation on one machine, and the limit that follows from it."""

    machine: str
    """The name of its file."""
    operation: str
    formula: str
    """As "a + b log2 p + (c + d log2 p) m"."""
    coefficients: tuple[tuple[str, float], ...]
    """Term and value, s or s/B, in the order of the formula."""
    pieces: tuple[Piece, ...]
    """The same as it was fitted."""
    startup: Scaling
    """How its start-up grows with the nodes."""
    rate_bytes_per_s: float | None
    """R_inf on the most nodes, by the form; None: a barrier delivers nothing."""
    slope_bytes_per_s: float | None
    """The same by the slope of long messages' times."""

    @property
    def deviation(self) -> float | None:
        """The form's over the slope's, less 1."""
        if self.rate_bytes_per_s is None or self.slope_bytes_per_s is None:
            return None
        return self.rate_bytes_per_s / self.slope_bytes_per_s - 1


# -- papers ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecipes:
    """How all of one paper is made."""

    paper: Paper
    recipes: tuple[Recipe | MachineRecipe, ...]
    sentences: tuple[SentenceRecipe | MachineSentenceRecipe, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Id -> why the figure can't be reproduced."""
    drawings: PaperFigures = lambda _: iter(())
    forms: Callable[[Mapping[CellSpec, float]], tuple[ReproducedForm, ...]] | None = None
    """Closed forms of the times; None: the paper isn't about any."""

    def cells(self) -> Iterator[CellSpec]:
        """All that has to be simulated."""
        for recipe in self.recipes:
            yield from recipe.cells
        for sentence in self.sentences:
            yield from sentence.cells

    def settings(self) -> tuple[PublishedFigure, ...]:
        """Figures that are no results, and that nothing is said of here."""
        return tuple(figure for figure in self.paper.figures if figure.quantity == SETTING)


def recipes_for(*keys: str) -> tuple[PaperRecipes, ...]:
    """The papers with these keys, all without one; UsageError names the nearest key."""
    wanted = [paper_of(key).key for key in keys]
    modules = (f"{PAPERS[key]}.recipe" for key in PAPERS if key in wanted or not wanted)
    return tuple(importlib.import_module(module).RECIPES for module in modules)
