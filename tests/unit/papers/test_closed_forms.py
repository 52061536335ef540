"""Closed forms of the three machines' operations, fitted to nothing but what is simulated."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from harness.reproduced import shipped

from leadline.models.forms import Scaling
from leadline.papers.collectives.closed_forms import ASKED, BARRIER, MACHINES, OPERATIONS, forms_in
from leadline.papers.recipe import ReproducedForm
from leadline.papers.simulation import times_of
from leadline.simulate.machine import MachineModel, Mode


@functools.cache
def forms() -> tuple[ReproducedForm, ...]:
    return forms_in(times_of(ASKED, shipped))


def form(machine: str, operation: str) -> ReproducedForm:
    (found,) = [one for one in forms() if (one.machine, one.operation) == (machine, operation)]
    return found


def test_all_seven_operations_have_a_form_on_all_three() -> None:
    assert [(one.machine, one.operation) for one in forms()] == [
        (machine, operation) for machine in MACHINES for operation in (BARRIER, *OPERATIONS)
    ]
    assert len(ASKED) == len(set(ASKED))


def test_forms_have_the_limit_of_longer_messages_than_they_were_fitted_to() -> None:
    off = [one.deviation for one in forms() if one.operation != BARRIER]
    assert len(off) == 18
    assert max(abs(one) for one in off if one is not None) < 0.05
    assert None not in off
    assert {one.deviation for one in forms() if one.operation == BARRIER} == {None}


@pytest.mark.parametrize(
    ("machine", "rate"), [("cray-t3d", 1.745e9), ("intel-paragon", 0.879e9), ("ibm-sp2", 0.818e9)]
)
def test_alltoall_has_its_machines_rate(machine: str, rate: float) -> None:
    assert form(machine, "alltoall").rate_bytes_per_s == pytest.approx(rate, rel=0.05)


def test_start_ups_grow_as_the_algorithms_do() -> None:
    assert form("ibm-sp2", "bcast").startup is Scaling.LOGARITHMIC
    assert form("ibm-sp2", BARRIER).startup is Scaling.LOGARITHMIC
    assert form("cray-t3d", BARRIER).startup is Scaling.CONSTANT
    assert form("intel-paragon", "alltoall").startup is Scaling.LINEAR


def test_coefficient_is_what_the_machine_file_says() -> None:
    """Of a tree: both overheads a stage."""
    found = dict(form("ibm-sp2", "bcast").coefficients)
    assert found["t0 log2 p"] == pytest.approx(40e-6, rel=0.01)
    assert found["D log2 p"] == pytest.approx(7.824e-8, rel=0.01)


def slower_when_long(machine: MachineModel) -> MachineModel:
    """Its messages above a mebibyte cost twice as much a byte, which no form has seen."""
    profile = machine.profiles["mpi"]
    (piece,) = profile.pieces[Mode.STANDARD]
    long = replace(piece, least_bytes=(1 << 20) + 1, gap_s_per_byte=2 * piece.gap_s_per_byte)
    pieces = {**profile.pieces, Mode.STANDARD: (piece, long)}
    return replace(machine, profiles={"mpi": replace(profile, pieces=pieces)})


def test_planted_switch_above_the_fitted_sizes_is_seen() -> None:
    found = forms_in(times_of(ASKED, lambda name: slower_when_long(shipped(name))))
    off = [one.deviation for one in found if one.operation == "bcast"]
    assert min(one for one in off if one is not None) > 0.05
