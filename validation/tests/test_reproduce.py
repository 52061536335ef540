"""The goals of the papers as the benchmark holds machine files to them, and what misses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from harness.reproduced import FITTED, MACHINES, PAPERS_MADE, kept, shipped
from validation import reproduce

from leadline.papers.cells import ReproducedCell, cells_of
from leadline.papers.collectives.closed_forms import ASKED, forms_in
from leadline.papers.recipe import recipes_for
from leadline.papers.reproduction import reproduction
from leadline.papers.simulation import times_of
from leadline.papers.t3e_mapping import recipe as t3e_mapping
from leadline.papers.t3e_mpi import recipe as t3e_mpi
from leadline.simulate.machine import MachineModel, Mode

REASONS = "every miss has a reason"


def cells() -> list[ReproducedCell]:
    return [cell for module in PAPERS_MADE for cell in kept(module).values()]


def changed(change: Callable[[MachineModel], MachineModel]) -> list[ReproducedCell]:
    """The figures of the T3E's papers, where it is another, and sentences that are goals."""
    goals = (*reproduce.IN_ORDER, *reproduce.OUT_OF_ORDER)
    recipes = [
        replace(one, sentences=tuple(said for said in one.sentences if said.id in goals))
        for one in (t3e_mpi.RECIPES, t3e_mapping.RECIPES)
    ]
    return list(cells_of(recipes, lambda name: change(shipped(name)), FITTED))


def missed(found: list[ReproducedCell]) -> set[str]:
    return {name for name, reached in reproduce.goals_of(found).items() if not reached}


def test_goals_are_reached() -> None:
    assert missed(cells()) == set()


def test_only_a_line_and_two_algorithms_are_further_off_than_others_that_are_fitted() -> None:
    loose = [one for one in cells() if one.id.startswith(reproduce.LOOSE) and one.id in FITTED]
    assert len(loose) == 10
    assert sum(abs(one.deviation or 0.0) > reproduce.LIMIT_FITTED for one in loose) == 8


def wide(machine: MachineModel) -> MachineModel:
    return replace(machine, links=replace(machine.links, bytes_per_s=500e6))


def narrow(machine: MachineModel) -> MachineModel:
    return replace(machine, links=replace(machine.links, bytes_per_s=300e6))


def elsewhere(machine: MachineModel) -> MachineModel:
    return replace(machine, allocation="first")


@pytest.mark.parametrize(
    ("change", "goals"),
    [
        (wide, {"fitted", "halo", "pairs"}),
        (narrow, {"fitted"}),
        (elsewhere, {"fitted", "hops", "halo", "pairs"}),
    ],
)
def test_planted_machine_misses_its_goals(
    change: Callable[[MachineModel], MachineModel], goals: set[str]
) -> None:
    assert missed(changed(change)) - {REASONS} == goals


def without_reason(name: str) -> list[ReproducedCell]:
    return [replace(one, reason="") if one.id == name else one for one in cells()]


@pytest.mark.parametrize(
    ("name", "goals"),
    [
        (reproduce.MAPPED_HALO, {"mapped halo is shown"}),
        (reproduce.SORTS[0], {"sorts of 3x3x3 and 4x4x4 are shown"}),
        (reproduce.OUT_OF_ORDER[0], {"rows out of order"}),
    ],
)
def test_miss_whose_reason_is_taken_away_is_found(name: str, goals: set[str]) -> None:
    assert missed(without_reason(name)) == {*goals, REASONS}


def test_rows_in_another_order_are_found() -> None:
    turned = [
        replace(one, holds=False, reason="x") if one.id in reproduce.IN_ORDER else one
        for one in cells()
    ]
    assert missed(turned) == {"order of rows"}


def test_form_that_lacks_its_limit_is_found() -> None:
    forms = forms_in(times_of(ASKED, shipped))
    assert reproduce.goals_of_forms(forms) == {"closed forms": True}
    (exchange, *_) = [one for one in forms if one.operation == "alltoall"]
    off = replace(exchange, rate_bytes_per_s=1.06 * (exchange.rate_bytes_per_s or 0.0))
    assert reproduce.goals_of_forms([*forms, off]) == {"closed forms": False}
    assert reproduce.goals_of_forms([replace(exchange, rate_bytes_per_s=None)]) == {
        "closed forms": False
    }
    assert reproduce.goals_of_forms([]) == {"closed forms": False}


def test_second_machine_for_the_paper_on_mapping_is_found() -> None:
    made = reproduction(recipes_for("t3e-mapping"), MACHINES)
    machines = {one.name: one for one in MACHINES}
    assert reproduce.goals_of_machines(made, machines) == {"one set of constants": True}
    two = [replace(one, machines=("cray-t3e-900", "tofu-torus")) for one in made]
    both = machines | {"tofu-torus": machines["cray-t3e-900"]}
    assert reproduce.goals_of_machines(two, both) == {"one set of constants": False}


def test_cost_that_pairs_alone_have_is_found() -> None:
    """A rate in the library for pairs and halos that the one for rows doesn't have."""
    made = reproduction(recipes_for("t3e-mapping"), MACHINES)
    machines = {one.name: one for one in MACHINES}
    t3e = machines["cray-t3e-900"]
    direct = t3e.profiles["cray-mpi-direct"]
    (first, *others) = direct.pieces[Mode.STANDARD]
    pieces = {Mode.STANDARD: (replace(first, gap_s_per_byte=3e-9), *others)}
    planted = replace(t3e, profiles={**t3e.profiles, direct.name: replace(direct, pieces=pieces)})
    found = reproduce.goals_of_machines(made, machines | {t3e.name: planted})
    assert found == {"one set of constants": False}


@pytest.mark.parametrize("name", [*reproduce.IN_ORDER, *reproduce.OUT_OF_ORDER])
def test_sentence_that_is_a_goal_must_be_there(name: str) -> None:
    with pytest.raises(KeyError):
        reproduce.goals_of([one for one in cells() if one.id != name])
