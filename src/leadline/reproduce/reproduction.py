"""Papers with all of their cells: in tables as they lie in the paper, sentences apart."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.reproduce.cell import Label, ReproducedCell
from leadline.reproduce.closed_forms import PAPER as FORMS_PAPER
from leadline.reproduce.closed_forms import ReproducedForm, forms_in
from leadline.reproduce.fits import fitted_ids
from leadline.reproduce.measured import measured_cells
from leadline.reproduce.recipe import MachineRecipe, PaperRecipes, cells_in, times_for
from leadline.reproduce.summary import PaperSummary, summary_of
from leadline.simulate.machine import MachineModel
from leadline.studies.published.catalogue import Paper
from leadline.studies.published.figure import PublishedFigure
from leadline.studies.study import Studied

_TABLE = re.compile(r"table(\d+)")


@dataclass(frozen=True, slots=True)
class CellTable:
    """Figures that stand together in a paper, each with one of ours."""

    number: int | None
    """The paper's; None: they stand in its text."""
    cells: tuple[ReproducedCell, ...]


@dataclass(frozen=True, slots=True)
class ReproducedPaper:
    """What became of a paper."""

    paper: Paper
    summary: PaperSummary
    machines: tuple[str, ...]
    """Names of the machine files that it was simulated by."""
    cells: tuple[ReproducedCell, ...]
    """All figures in the paper's order, then the sentences, then what was measured here."""
    settings: tuple[PublishedFigure, ...] = ()
    """Figures that say how others came about, and have no cell."""
    studied: tuple[Studied, ...] = ()
    """Studies of the paper that measured it."""
    forms: tuple[ReproducedForm, ...] = ()
    """Of the paper that is about closed forms."""

    @property
    def measured(self) -> tuple[ReproducedCell, ...]:
        """Figures that were measured here, or not, for the reason that they have; no sentences."""
        return tuple(one for one in self.cells if one.label is Label.MEASURED and not one.text)

    @property
    def _simulated(self) -> tuple[ReproducedCell, ...]:
        return tuple(one for one in self.cells if one.label is not Label.MEASURED)

    @property
    def sentences(self) -> tuple[ReproducedCell, ...]:
        """What the paper says in words."""
        return tuple(one for one in self._simulated if one.text)

    @property
    def lacking(self) -> tuple[ReproducedCell, ...]:
        """Figures without one of ours."""
        return tuple(one for one in self.cells if one.label is Label.NOT_REPRODUCIBLE)

    def tables(self) -> Iterator[CellTable]:
        """Figures with one of ours: the paper's tables by number, then what its text has."""
        made = [one for one in self._simulated if not one.text and one.ours is not None]
        in_order = sorted(made, key=lambda one: _table_of(one) or math.inf)
        for number, cells in groupby(in_order, _table_of):
            yield CellTable(number, tuple(cells))


def words_of(name: str) -> tuple[str, ...]:
    """Those of a figure's id, but for the paper's key."""
    return tuple(name.split(".")[1:])


def _table_of(cell: ReproducedCell) -> int | None:
    found = _TABLE.fullmatch(words_of(cell.id)[0])
    return int(found[1]) if found else None


def reproduction(
    recipes: Sequence[PaperRecipes],
    machines: Sequence[MachineModel],
    studied: Sequence[Studied] = (),
) -> tuple[ReproducedPaper, ...]:
    """All papers of `recipes`, simulated by `machines`, besides as `studied` measured them.

    Raises:
        UsageError, MachineError: As cells_of says.
    """
    by_name = {machine.name: machine for machine in machines}
    times = times_for(recipes, by_name.__getitem__)
    relations = {one.figure: one.relation for paper in recipes for one in paper.recipes}
    cells = (
        *cells_in(recipes, times, by_name.__getitem__, fitted_ids(machines)),
        *(cell for one in studied for cell in measured_cells(one, relations)),
    )
    return tuple(
        ReproducedPaper(
            paper=one.paper,
            summary=summary_of(one.paper, cells, machines),
            machines=_machines_of(one),
            cells=tuple(cell for cell in cells if cell.paper == one.paper.key),
            settings=one.settings(),
            studied=tuple(found for found in studied if found.study.paper == one.paper.key),
            forms=forms_in(times) if one.paper.key == FORMS_PAPER else (),
        )
        for one in recipes
    )


def _machines_of(paper: PaperRecipes) -> tuple[str, ...]:
    of_cells = {one.machine for one in paper.asked()}
    return tuple(
        sorted(
            of_cells.union(one.machine for one in paper.recipes if isinstance(one, MachineRecipe))
        )
    )
