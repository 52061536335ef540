"""Figures and sentences of a paper, measured on this machine by the study that is about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from leadline.reproduce.cell import Label, Relation, ReproducedCell
from leadline.reproduce.figures import ReproducedFigure
from leadline.studies.findings import Finding, Outcome
from leadline.studies.published.catalogue import figure_of
from leadline.studies.study import Studied
from leadline.studies.tables import Beside, TableEntry
from leadline.studies.units import Unit

MORE_PES_THAN_CORES = "more PEs than cores: the scheduler was measured along"
HOLDS = {Outcome.HOLDS: True, Outcome.FAILS: False, Outcome.OPEN: None}


def measured_cells(studied: Studied, relations: Mapping[str, Relation]) -> Iterator[ReproducedCell]:
    """What the study's tables have beside the paper's figures, then its findings; all MEASURED.

    Args:
        studied: A study of a paper.
        relations: What the paper says of the figures of which it isn't "about", by their ids.
    """
    for table in studied.tables:
        for row in table.rows:
            for entry in row.entries:
                if entry.beside:
                    yield from _figures(entry, entry.beside, studied.study.paper, relations)
    for number, finding in enumerate(studied.findings, 1):
        yield _sentence(number, finding, studied.study.paper)


def measured_figures(studied: Iterable[Studied]) -> Iterator[ReproducedFigure]:
    """The studies' figures of their papers, of today's machine, that have a curve of it."""
    for one in studied:
        paper = one.study.paper
        for figure in one.figures:
            if not all(curve.published for curve in figure.curves):
                yield ReproducedFigure(
                    id=f"{paper}.here.{figure.name}",
                    paper=paper,
                    where="Measured here",
                    figure=replace(figure, name=f"{paper}-here-{figure.name}"),
                )


def _figures(
    entry: TableEntry, beside: Beside, paper: str, relations: Mapping[str, Relation]
) -> Iterator[ReproducedCell]:
    """A cell for each machine of the paper's."""
    for name in beside.figures:
        figure = figure_of(name)
        found = entry.estimate.scaled(figure.printed(1.0)) if entry.estimate else None
        yield ReproducedCell(
            id=name,
            paper=paper,
            published=figure.value,
            ours=found.known if found else None,
            unit=figure.unit,
            relation=relations.get(name, Relation.ABOUT),
            label=Label.MEASURED,
            reason=entry.why or (MORE_PES_THAN_CORES if entry.crowded else ""),
            library=beside.library,
            interval=found.bounds if found else None,
        )


def _sentence(number: int, finding: Finding, paper: str) -> ReproducedCell:
    """By the number that the study gives it; what it rests on first is ours."""
    conclusion = finding.conclusion
    shown = conclusion.evidence[0] if conclusion.evidence else None
    unit = shown.unit if shown else Unit.FACTOR
    found = shown.estimate.scaled(1 / unit.worth) if shown else None
    theirs = [one.estimate.value / unit.worth for one in conclusion.evidence if one.published]
    return ReproducedCell(
        id=f"{paper}.finding.{number}",
        paper=paper,
        published=theirs[0] if theirs else None,
        ours=found.known if found else None,
        unit="x" if unit is Unit.FACTOR else unit.symbol,
        label=Label.MEASURED,
        reason=f"it takes {conclusion.needs}" if conclusion.needs else "",
        text=finding.claim,
        holds=HOLDS[conclusion.answer],
        interval=found.bounds if found else None,
    )
