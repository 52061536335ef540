"""All papers, their figures by id, and the studies: read or imported when they are asked for."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from leadline.errors import unknown_name
from leadline.papers.published import Paper, PublishedFigure, contradictions_in, figures_in

if TYPE_CHECKING:
    from leadline.papers.study import Study


# -- papers ----------------------------------------------------------------------------------------

PAPERS = {
    "t3e-mpi": "leadline.papers.t3e_mpi",
    "cray-mpt": "leadline.papers.cray_mpt",
    "collectives": "leadline.papers.collectives",
    "ethernet-atm": "leadline.papers.ethernet_atm",
    "t3e-mapping": "leadline.papers.t3e_mapping",
}
"""Key -> the folder that has its title, its source and its figures."""


def paper_of(key: str) -> Paper:
    """The paper with this key; UsageError, with the nearest, where there is none."""
    if key not in PAPERS:
        raise unknown_name("paper", key, PAPERS)
    return _paper(key)


def all_papers() -> tuple[Paper, ...]:
    """Every paper, in the table's order."""
    return tuple(map(_paper, PAPERS))


@functools.cache
def _paper(key: str) -> Paper:
    folder = importlib.import_module(PAPERS[key])
    return Paper(
        key=key,
        title=folder.TITLE,
        source=folder.SOURCE,
        figures=figures_in(PAPERS[key]),
        contradictions=contradictions_in(PAPERS[key]),
    )


def figure_of(name: str) -> PublishedFigure:
    """The figure with the id `name`; UsageError, with the nearest id, where there is none."""
    key = name.partition(".")[0]
    figure = _by_id(key).get(name) if key in PAPERS else None
    if figure is None:
        ids = [figure.id for paper in all_papers() for figure in paper.figures]
        raise unknown_name("figure", name, ids)
    return figure


@functools.cache
def _by_id(key: str) -> Mapping[str, PublishedFigure]:
    return {figure.id: figure for figure in _paper(key).figures}


def printed(*words: object) -> float:
    """The value in SI units of the figure whose id has these words, the paper's key first."""
    return figure_of(".".join(map(str, words))).si


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
    study: Study = importlib.import_module(STUDIES[name]).STUDY
    return study


def all_studies() -> list[Study]:
    """Every study, in the table's order."""
    return [study_named(name) for name in STUDIES]
