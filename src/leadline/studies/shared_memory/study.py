"""The study as a whole."""

from __future__ import annotations

from leadline.studies.published.cray_mpt import KEY, PES, PROCESSORS, SOURCE
from leadline.studies.shared_memory import barriers, messages, reductions
from leadline.studies.shared_memory.stages import FULL_S, QUICK_S, stages
from leadline.studies.shared_memory.tables import tables
from leadline.studies.study import Scale, Study

CLAIMS = (*messages.CLAIMS, *barriers.CLAIMS, *reductions.CLAIMS)
"""The paper's findings, in its order."""

STUDY = Study(
    name="shared-memory",
    title="SHMEM and PVM on shared memory",
    question="Does what Cray Research found of SHMEM and PVM on shared memory hold here?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(PROCESSORS, PES),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    also=("pvm",),
)
