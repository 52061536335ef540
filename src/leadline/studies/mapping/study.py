"""The study as a whole."""

from __future__ import annotations

from leadline.studies.mapping.claims import CLAIMS
from leadline.studies.mapping.figures import figures
from leadline.studies.mapping.stages import FULL_S, ON_HOSTS, QUICK_S, USUAL, stages
from leadline.studies.mapping.tables import tables
from leadline.studies.published.t3e_mapping import KEY, MACHINE, MOST_PES, SOURCE
from leadline.studies.study import Scale, Study

STUDY = Study(
    name="mapping",
    title="where neighbours are, and how they contend",
    question="Do neighbours contend, and does mapping them help, as a paper found on the T3E?",
    source=SOURCE,
    paper=KEY,
    scale=Scale({MACHINE: MOST_PES}, (2, 8, 16, 27, 32, 64, 128)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=USUAL,
    figures=figures,
    hosts=ON_HOSTS,
)
