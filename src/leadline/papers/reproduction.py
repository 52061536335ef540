"""Papers with all of their cells: in tables as they lie in the paper, sentences apart.

Machine files name the figures that their values were chosen to reach: these are fitted. What the
papers' studies measured on this machine is a cell besides.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import getitem
from typing import Any

from leadline.papers.catalogue import figure_of
from leadline.papers.cells import Label, ReproducedCell, ReproducedFigure, cells_in, times_for
from leadline.papers.findings import Finding, Outcome
from leadline.papers.published import Paper, PublishedFigure
from leadline.papers.recipe import MachineRecipe, PaperRecipes, Relation, ReproducedForm
from leadline.papers.study import Studied
from leadline.papers.units import Unit
from leadline.simulate.machine import MachineModel

_CONDITIONS = ("least_bytes", "summary")
"""Keys in a table of costs that cost nothing."""


def fitted_ids(machines: Iterable[MachineModel]) -> frozenset[str]:
    """Ids of all figures that a value in the machines' files was chosen to reach."""
    return frozenset(
        name for machine in machines for named in machine.fitted.values() for name in named
    )


def fitted_constants(machines: Iterable[MachineModel], paper: str) -> int:
    """Number of values, numbers and choices, in the machines' files that the paper's figures made.

    One that a file repeats, as a rate at both ends, is counted once a machine.
    """
    number = 0
    for machine in machines:
        contents = tomllib.loads(machine.text)
        fitted = [
            reduce(getitem, key.split("."), contents)
            for key, named in machine.fitted.items()
            if any(name.partition(".")[0] == paper for name in named)
        ]
        number += len({value for branch in fitted for value in _leaves(branch)})
    return number


def _leaves(value: Any) -> Iterator[Any]:
    """Numbers and words in a table or list, or the one that it is."""
    if isinstance(value, dict):
        value = [inner for name, inner in value.items() if name not in _CONDITIONS]
    if isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif not isinstance(value, bool):
        yield value


# -- summaries -------------------------------------------------------------------------------------


WITHIN = 0.10
"""Largest deviation of a figure that counts as reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSummary:
    """Counts of one paper; sentences are counted by themselves."""

    paper: str
    title: str
    source: str
    labels: Mapping[Label, int]
    """How many figures have each; all of them are there."""
    predicted_within: int
    """Predicted ones that deviate by WITHIN at most, bounds that are kept among them."""
    fitted_within: int
    fitted_constants: int
    """Numbers and choices in machine files that were made by its figures."""
    settings: int
    """Figures that say how others came about, and have no cell."""
    sentences: int
    sentences_that_hold: int
    predicted_sentences: int
    """Sentences that no fitted figure decides."""
    predicted_sentences_that_hold: int
    contradictions: int
    findings: int = 0
    """Sentences compared with what was measured here."""
    findings_that_hold: int = 0

    @property
    def figures(self) -> int:
        """All that have a cell; what was measured here, some of them have besides."""
        return sum(self.labels.values()) - self.labels[Label.MEASURED]

    @property
    def share_predicted_within(self) -> float | None:
        """Share of the predicted figures that are within it; None: there are none."""
        predicted = self.labels[Label.PREDICTED]
        return self.predicted_within / predicted if predicted else None


def summary_of(
    paper: Paper, cells: Sequence[ReproducedCell], machines: Sequence[MachineModel]
) -> PaperSummary:
    """Counts the cells of `paper` among `cells`; labels count figures, however often measured."""
    of_paper = [cell for cell in cells if cell.paper == paper.key]
    measured = [cell for cell in of_paper if cell.label is Label.MEASURED]
    own = [cell for cell in of_paper if cell.label is not Label.MEASURED]
    findings = [cell for cell in measured if cell.text]
    measured_ids = {cell.id for cell in measured if not cell.text and cell.ours is not None}
    figures, sentences = (
        [cell for cell in own if bool(cell.text) is is_sentence] for is_sentence in (False, True)
    )
    predicted = [sentence for sentence in sentences if sentence.label is Label.PREDICTED]
    counted = Counter(figure.label for figure in figures)
    return PaperSummary(
        paper=paper.key,
        title=paper.title,
        source=paper.source,
        labels={label: counted[label] for label in Label} | {Label.MEASURED: len(measured_ids)},
        predicted_within=_within(figures, Label.PREDICTED),
        fitted_within=_within(figures, Label.FITTED),
        fitted_constants=fitted_constants(machines, paper.key),
        settings=len(paper.figures) - len(figures),
        sentences=len(sentences),
        sentences_that_hold=sum(bool(sentence.holds) for sentence in sentences),
        predicted_sentences=len(predicted),
        predicted_sentences_that_hold=sum(bool(cell.holds) for cell in predicted),
        contradictions=len(paper.contradictions),
        findings=len(findings),
        findings_that_hold=sum(bool(finding.holds) for finding in findings),
    )


def _within(cells: Sequence[ReproducedCell], label: Label) -> int:
    return sum(cell.label is label and cell.is_within(WITHIN) for cell in cells)


# -- measured here ---------------------------------------------------------------------------------


MORE_PES_THAN_CORES = "more PEs than cores: the scheduler was measured along"
HOLDS = {Outcome.HOLDS: True, Outcome.FAILS: False, Outcome.OPEN: None}


def measured_cells(studied: Studied, relations: Mapping[str, Relation]) -> Iterator[ReproducedCell]:
    """Cells, all MEASURED, of the table entries beside a paper's figures, then of the findings.

    Args:
        studied: A study of a paper.
        relations: What the paper says of the figures of which it isn't "about", by their ids.
    """
    entries = (entry for table in studied.tables for row in table.rows for entry in row.entries)
    for entry in entries:
        if entry.beside is None:
            continue
        for name in entry.beside.figures:  # one for each machine of the paper's
            figure = figure_of(name)
            estimate = entry.estimate.scaled(figure.printed(1.0)) if entry.estimate else None
            yield ReproducedCell(
                id=name,
                paper=studied.study.paper,
                published=figure.value,
                ours=estimate.known if estimate else None,
                unit=figure.unit,
                relation=relations.get(name, Relation.ABOUT),
                label=Label.MEASURED,
                reason=entry.why or (MORE_PES_THAN_CORES if entry.crowded else ""),
                library=entry.beside.library,
                interval=estimate.bounds if estimate else None,
            )
    for number, finding in enumerate(studied.findings, 1):
        yield _sentence(number, finding, studied.study.paper)


def measured_figures(studied: Iterable[Studied]) -> Iterator[ReproducedFigure]:
    """The studies' figures of their papers, of today's machine, that have a curve of it."""
    for measured in studied:
        paper = measured.study.paper
        for figure in measured.figures:
            if not all(curve.published for curve in figure.curves):
                yield ReproducedFigure(
                    id=f"{paper}.here.{figure.name}",
                    paper=paper,
                    where="Measured here",
                    figure=replace(figure, name=f"{paper}-here-{figure.name}"),
                )


def _sentence(number: int, finding: Finding, paper: str) -> ReproducedCell:
    """The cell of a finding, named by its number in the study; ours is its first evidence."""
    conclusion = finding.conclusion
    shown = conclusion.evidence[0] if conclusion.evidence else None
    unit = shown.unit if shown else Unit.FACTOR
    estimate = shown.estimate.scaled(1 / unit.worth) if shown else None
    theirs = [
        evidence.estimate.value / unit.worth
        for evidence in conclusion.evidence
        if evidence.published
    ]
    return ReproducedCell(
        id=f"{paper}.finding.{number}",
        paper=paper,
        published=theirs[0] if theirs else None,
        ours=estimate.known if estimate else None,
        unit="x" if unit is Unit.FACTOR else unit.symbol,
        label=Label.MEASURED,
        reason=f"it takes {conclusion.needs}" if conclusion.needs else "",
        text=finding.claim,
        holds=HOLDS[conclusion.answer],
        interval=estimate.bounds if estimate else None,
    )


# -- papers ----------------------------------------------------------------------------------------


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
    """Only the paper that is about closed forms has any."""

    @property
    def measured(self) -> tuple[ReproducedCell, ...]:
        """Figures that were measured here, or not, for the reason that they have; no sentences."""
        return tuple(cell for cell in self.cells if cell.label is Label.MEASURED and not cell.text)

    @property
    def _simulated(self) -> tuple[ReproducedCell, ...]:
        return tuple(cell for cell in self.cells if cell.label is not Label.MEASURED)

    @property
    def sentences(self) -> tuple[ReproducedCell, ...]:
        """What the paper says in words."""
        return tuple(cell for cell in self._simulated if cell.text)

    @property
    def lacking(self) -> tuple[ReproducedCell, ...]:
        """Figures without one of ours."""
        return tuple(cell for cell in self.cells if cell.label is Label.NOT_REPRODUCIBLE)

    def tables(self) -> Iterator[CellTable]:
        """Figures with one of ours: the paper's tables by number, then what its text has."""
        made = [cell for cell in self._simulated if not cell.text and cell.ours is not None]
        in_order = sorted(made, key=lambda cell: _table_of(cell) or math.inf)
        for number, cells in groupby(in_order, _table_of):
            yield CellTable(number, tuple(cells))


def words_of(name: str) -> tuple[str, ...]:
    """Words of a figure's id, without the paper's key."""
    return tuple(name.split(".")[1:])


def _table_of(cell: ReproducedCell) -> int | None:
    match = _TABLE.fullmatch(words_of(cell.id)[0])
    return int(match[1]) if match else None


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
    relations = {recipe.figure: recipe.relation for paper in recipes for recipe in paper.recipes}
    cells = (
        *cells_in(recipes, times, by_name.__getitem__, fitted_ids(machines)),
        *(cell for measured in studied for cell in measured_cells(measured, relations)),
    )
    return tuple(
        ReproducedPaper(
            paper=recipe.paper,
            summary=summary_of(recipe.paper, cells, machines),
            machines=tuple(
                sorted(
                    {spec.machine for spec in recipe.cells()}
                    | {made.machine for made in recipe.recipes if isinstance(made, MachineRecipe)}
                )
            ),
            cells=tuple(cell for cell in cells if cell.paper == recipe.paper.key),
            settings=recipe.settings(),
            studied=tuple(
                measured for measured in studied if measured.study.paper == recipe.paper.key
            ),
            forms=recipe.forms(times) if recipe.forms else (),
        )
        for recipe in recipes
    )
