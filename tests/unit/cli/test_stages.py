"""Which libraries take part in a campaign that names none."""

from __future__ import annotations

import argparse

import pytest

from leadline.backends.backend import Backend
from leadline.backends.kinds import KINDS
from leadline.cli.stages import _names
from leadline.hosts.placement import THIS_HOST
from leadline.measure.preparation import _taken
from leadline.papers.catalogue import study_named

HERE = [
    Backend(kind, kind, "1", True, None, None, {}, None, None, "")
    for kind in KINDS
    if kind != "mpi"
]


def test_run_takes_no_daemons_nor_limits_of_networks_unless_they_are_named() -> None:
    left_out = [kind.name for kind in KINDS.values() if not _taken(kind, THIS_HOST)]
    assert sorted(left_out) == ["null", "pvm", "scripted", "smpi", "tcp", "trace"]


@pytest.mark.parametrize(
    ("study", "takes"),
    [
        ("shared-memory", True),
        ("applications", True),
        ("ethernet-atm", True),
        ("collectives", False),
        ("t3e-mpi", False),
    ],
)
def test_studies_of_papers_that_measured_pvm_take_it_by_themselves(study: str, takes: bool) -> None:
    arguments = argparse.Namespace(backends=None, mpicc=[])
    assert ("pvm" in _names(study_named(study), arguments, HERE)) is takes


def test_study_of_no_libraries_takes_those_that_a_run_does() -> None:
    taken = _names(study_named("shared-memory"), argparse.Namespace(backends=None, mpicc=[]), HERE)
    assert {"mpich", "openmpi", "shm", "shmem"} <= set(taken)
    assert not {"tcp", "trace", "null", "smpi"} & set(taken)
