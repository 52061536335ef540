"""What where jobs' PEs lie costs, and that a machine without contention costs nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.reproduced import kept, shipped

from leadline.papers.cells import Label
from leadline.papers.t3e_mapping import placements as partitions
from leadline.simulate.machine import MachineModel

CONCLUSIONS = ("fragmentation-others", "fragmentation-own", "undisturbed", "batch-system")


@pytest.mark.parametrize("name", CONCLUSIONS)
def test_conclusions_hold_and_are_predicted(name: str) -> None:
    cell = kept("t3e_mapping")[f"t3e-mapping.sentence.{name}"]
    assert cell.holds
    assert cell.label is Label.PREDICTED
    assert cell.published is None


def test_parts_cost_the_job_on_them_more_than_the_one_beside() -> None:
    cells = kept("t3e_mapping")
    own, others = (
        cells[f"t3e-mapping.sentence.fragmentation-{whose}"].ours for whose in ("own", "others")
    )
    assert own == pytest.approx(1.42, abs=0.02)
    assert others == pytest.approx(1.05, abs=0.01)


def test_dividing_anew_leaves_no_load_on_links_of_others() -> None:
    assert kept("t3e_mapping")["t3e-mapping.sentence.batch-system"].ours == 0.0


def ample(machine: MachineModel) -> MachineModel:
    """Its links are no limit."""
    return replace(machine, links=replace(machine.links, bytes_per_s=1e12))


def test_planted_network_that_is_no_limit_costs_nothing() -> None:
    free = ample(shipped("cray-t3e-900"))
    assert partitions.beside_parts(free) == pytest.approx(1.0, abs=0.005)
    assert partitions.in_parts(free) == pytest.approx(1.0, abs=0.005)
