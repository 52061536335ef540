from __future__ import annotations

import pytest

from leadline.mapping.launchfiles import (
    COLUMNS,
    EMITTERS,
    Placement,
    cray_rank_order,
    mpich_hostfile,
    openmpi_rankfile,
    placement_rows,
    slots_of_ranks,
    slurm_arbitrary,
)
from leadline.topology.readers.slots import parse_slots
from leadline.topology.words import synthetic_machine

NODES = synthetic_machine("nodes:2,3,1")
SCATTERED = Placement(NODES, (4, 0, 5, 1, 2, 3))


def content(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_rankfile_names_host_and_core_of_every_rank() -> None:
    assert content(openmpi_rankfile(SCATTERED)) == [
        "rank 0=node1 slot=2",
        "rank 1=node0 slot=0",
        "rank 2=node2 slot=0",
        "rank 3=node0 slot=1",
        "rank 4=node1 slot=0",
        "rank 5=node1 slot=1",
    ]


def test_hostfile_has_a_line_for_ranks_that_follow_each_other_on_a_host() -> None:
    text = mpich_hostfile(SCATTERED)
    assert content(text) == ["node1:1", "node0:1", "node2:1", "node0:1", "node1:2"]
    assert "mpich-rankmap" in text


def test_hostfile_says_nothing_of_shared_memory_where_hosts_come_once() -> None:
    text = mpich_hostfile(Placement(NODES, (1, 0, 3, 4, 2, 5)))
    assert content(text) == ["node0:2", "node1:3", "node2:1"]
    assert "memory" not in text


def test_rank_order_lists_ranks_by_slot_a_line_a_node() -> None:
    assert content(cray_rank_order(SCATTERED)) == ["1,3", "4,5,0", "2"]


def test_arbitrary_distribution_has_a_host_for_every_task() -> None:
    hosts = ["node1", "node0", "node2", "node0", "node1", "node1"]
    assert slurm_arbitrary(SCATTERED).splitlines() == hosts


def test_slots_are_read_back_as_they_were() -> None:
    assert parse_slots(slots_of_ranks(SCATTERED), "f") == SCATTERED.permutation


def test_rows_have_the_place_of_every_rank() -> None:
    rows = placement_rows(SCATTERED)
    assert dict(zip(COLUMNS, rows[0], strict=True)) == {
        "rank": 0, "slot": 4, "host": "node1", "core": 2, "vertex": 1,
    }  # fmt: skip
    assert [row[0] for row in rows] == list(range(6))


@pytest.mark.parametrize("form", EMITTERS)
def test_every_form_names_every_rank_of_the_identity(form: str) -> None:
    text = EMITTERS[form](Placement(NODES, range(6)))
    assert text
    assert not text.endswith("\n")
