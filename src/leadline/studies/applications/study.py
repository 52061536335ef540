"""The study as a whole."""

from __future__ import annotations

from leadline.studies.applications.claims import CLAIMS
from leadline.studies.applications.measured import measured_programs
from leadline.studies.applications.stages import FULL_S, KINDS, QUICK_S, stages
from leadline.studies.applications.tables import tables
from leadline.studies.published.cray_mpt import PROCESSORS, SOURCE
from leadline.studies.study import Scale, Study

STUDY = Study(
    name="applications",
    title="NAS MG and a STAP pipeline",
    question="Which library makes a program faster, by how much, why, and would a model have told?",
    source=f"{SOURCE}, and Hwang et al., HPCA 1997",
    scale=Scale(PROCESSORS, (16,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    programs=measured_programs,
    own_claims=True,
)
