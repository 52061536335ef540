"""All papers, and their figures by id."""

from __future__ import annotations

from dataclasses import dataclass

from leadline.errors import unknown_name
from leadline.studies.published import (
    collectives,
    cray_mpt,
    ethernet_atm,
    t3e_mapping,
    t3e_mpi,
)
from leadline.studies.published.figure import Contradiction, PublishedFigure


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with all that could be read of it."""

    key: str
    """Ids of its figures begin with it."""
    title: str
    source: str
    """Authors, title, place, year."""
    figures: tuple[PublishedFigure, ...]
    contradictions: tuple[Contradiction, ...]


PAPERS = tuple(
    Paper(module.KEY, module.TITLE, module.SOURCE, module.FIGURES, module.CONTRADICTIONS)
    for module in (t3e_mpi, cray_mpt, collectives, ethernet_atm, t3e_mapping)
)
_BY_ID = {figure.id: figure for paper in PAPERS for figure in paper.figures}


def paper_of(key: str) -> Paper:
    """The paper with this key; UsageError, with the nearest, where there is none."""
    papers = {paper.key: paper for paper in PAPERS}
    if key not in papers:
        raise unknown_name("paper", key, tuple(papers))
    return papers[key]


def figure_of(name: str) -> PublishedFigure:
    """The figure with the id `name`; UsageError, with the nearest id, where there is none."""
    if name not in _BY_ID:
        raise unknown_name("figure", name, tuple(_BY_ID))
    return _BY_ID[name]
