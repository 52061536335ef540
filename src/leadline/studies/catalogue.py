"""All studies by name; each is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from leadline.errors import unknown_name

if TYPE_CHECKING:
    from leadline.studies.study import Study

STUDIES = {
    "shared-memory": "leadline.studies.shared_memory.study",
    "ethernet-atm": "leadline.studies.ethernet_atm.study",
    "mapping": "leadline.studies.mapping.study",
    "applications": "leadline.studies.applications.study",
    "t3e-mpi": "leadline.studies.t3e_mpi.study",
    "collectives": "leadline.studies.collectives.study",
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
