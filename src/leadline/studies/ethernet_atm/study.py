"""The study as a whole."""

from __future__ import annotations

from leadline.studies.ethernet_atm import capacity, libraries, networks
from leadline.studies.ethernet_atm.figures import figures
from leadline.studies.ethernet_atm.stages import FULL_S, KINDS, PES, QUICK_S, stages
from leadline.studies.ethernet_atm.tables import tables
from leadline.studies.published.ethernet_atm import HOSTS, KEY, SOURCE
from leadline.studies.study import Scale, Study

CLAIMS = (*networks.CLAIMS, *capacity.CLAIMS, *libraries.CLAIMS)
"""The paper's findings: of networks, of their capacity, of libraries."""

STUDY = Study(
    name="ethernet-atm",
    title="MPICH and PVM over Ethernet and ATM",
    question="Does what a paper found of MPICH and PVM over Ethernet and ATM hold today?",
    source=SOURCE,
    paper=KEY,
    scale=Scale(HOSTS, (PES,)),
    full_s=FULL_S,
    quick_s=QUICK_S,
    stages=stages,
    tables=tables,
    claims=CLAIMS,
    kinds=KINDS,
    figures=figures,
)
