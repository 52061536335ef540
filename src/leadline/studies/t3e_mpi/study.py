"""The study as a whole."""

from __future__ import annotations

from leadline.studies.published.catalogue import figure_of
from leadline.studies.published.t3e_mpi import KEY, SOURCE, ZIB
from leadline.studies.study import Scale, Study
from leadline.studies.t3e_mpi import collectives, messages
from leadline.studies.t3e_mpi.figures import figures
from leadline.studies.t3e_mpi.stages import FULL_S, KINDS, PAPERS_PES, QUICK_S, stages
from leadline.studies.t3e_mpi.tables import tables

CLAIMS = (*messages.CLAIMS, *collectives.CLAIMS)
"""The paper's findings, in its order."""

STUDY = Study(
    name="t3e-mpi",
    title="MPICH and a vendor's MPI",
    question="Does what a paper found of MPICH and Cray's own MPI on the T3E hold of today's MPIs?",
    source=SOURCE,
    paper=KEY,
    scale=Scale({ZIB: int(figure_of(f"{KEY}.zib.pes").si)}, PAPERS_PES),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
)
