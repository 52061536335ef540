"""All papers, their figures by id, and the studies, which are imported when they are asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from leadline.errors import unknown_name
from leadline.papers.collectives import printed as collectives
from leadline.papers.cray_mpt import printed as cray_mpt
from leadline.papers.ethernet_atm import printed as ethernet_atm
from leadline.papers.published import Paper, PublishedFigure
from leadline.papers.t3e_mapping import printed as t3e_mapping
from leadline.papers.t3e_mpi import printed as t3e_mpi

if TYPE_CHECKING:
    from leadline.papers.study import Study


# -- papers ----------------------------------------------------------------------------------------


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


# -- studies ---------------------------------------------------------------------------------------

STUDIES = {
    "shared-memory": "leadline.papers.cray_mpt.study",
    "ethernet-atm": "leadline.papers.ethernet_atm.study",
    "mapping": "leadline.papers.t3e_mapping.study",
    "applications": "leadline.papers.applications.study",
    "t3e-mpi": "leadline.papers.t3e_mpi.study",
    "collectives": "leadline.papers.collectives.study",
}
"""Name -> the module that has it as STUDY."""


def study_named(name: str) -> Study:
    """The study called `name`; UsageError names the nearest."""
    if name not in STUDIES:
        raise unknown_name("study", name, STUDIES)
    found: Study = importlib.import_module(STUDIES[name]).STUDY
    return found


def all_studies() -> list[Study]:
    """Every study, in the table's order."""
    return [study_named(name) for name in STUDIES]
