"""The study as a whole."""

from __future__ import annotations

from leadline.models.model import Model
from leadline.studies.collectives.claims import CLAIMS
from leadline.studies.collectives.figures import figures
from leadline.studies.collectives.forms import closed_forms
from leadline.studies.collectives.stages import FULL_S, KINDS, PAPERS_PES, QUICK_S, stages
from leadline.studies.collectives.tables import tables
from leadline.studies.published.collectives import KEY, PARAGON, SOURCE, SP2, T3D
from leadline.studies.results import Results
from leadline.studies.study import Scale, Study


def models(results: Results) -> tuple[Model, ...]:
    """All closed forms that were found."""
    return tuple(one.model for one in closed_forms(results) if one.model)


STUDY = Study(
    name="collectives",
    title="collective operations in closed forms",
    question="How do collective operations grow with size and PEs, and what do they deliver?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(dict.fromkeys((SP2, T3D, PARAGON), PAPERS_PES), (PAPERS_PES,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
    models=models,
)
