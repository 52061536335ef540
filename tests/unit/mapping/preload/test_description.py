"""Machines as the preload library reads them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.mapping.preload.description import among, describe, on_hosts
from leadline.topology.readers.hosts import parse_coordinates, parse_hostfile
from leadline.topology.readers.hwloc import parse_hwloc, parse_processors
from leadline.topology.readers.lines import LineError
from leadline.topology.readers.slurm import parse_slurm_topology
from leadline.topology.words import synthetic_machine

TWO_RACKS = "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=t Switches=a,b\n"
TWO_PACKAGES = (DATA / "topology" / "two-packages.xml").read_text()


def test_torus_is_its_lengths_and_a_host_the_row_major_number_of_its_place() -> None:
    whole = parse_coordinates("torus:8x4x2\na 7 3 1\nb 0 1 0\n", "f", cores=3)
    assert describe(whole) == (
        "leadline-machine 1\ntorus 8x4x2 periodic 1,1,1\nhost a 63\nhost b 2\n"
    )


def test_mesh_is_a_torus_that_is_periodic_nowhere() -> None:
    whole = parse_coordinates("mesh:2x2\na 1 1\n", "f", cores=1)
    assert describe(whole).splitlines()[1] == "torus 2x2 periodic 0,0"


def test_hosts_that_share_a_router_share_a_vertex() -> None:
    whole = parse_coordinates("a 0 0\nb 0 0\nc 1 1\n", "f", cores=1)
    assert describe(whole).splitlines()[2:] == ["host a 0", "host b 0", "host c 3"]


def test_tree_has_the_switches_of_each_vertex_from_the_lowest_up() -> None:
    whole = parse_slurm_topology(TWO_RACKS, "f", cores=8)
    assert describe(whole).splitlines()[1:] == [
        "tree 2", "vertex 0 0", "vertex 0 0", "vertex 1 0", "vertex 1 0",
        "host n0 0", "host n1 1", "host n2 2", "host n3 3",
    ]  # fmt: skip


def test_hosts_of_a_hostfile_are_at_one_switch_however_many_slots_they_have() -> None:
    whole = parse_hostfile("a:8\nb slots=1\n", "f", cores=1)
    assert describe(whole) == "leadline-machine 1\ntree 1\nvertex 0\nvertex 0\nhost a 0\nhost b 1\n"


def test_of_a_tree_only_what_leads_to_the_hosts_is_described() -> None:
    some = among(parse_slurm_topology(TWO_RACKS, "f", cores=2), ["n3", "n1", "elsewhere"])
    assert describe(some).splitlines()[1:] == [
        "tree 2", "vertex 0 0", "vertex 1 0", "host n1 0", "host n3 1",
    ]  # fmt: skip
    assert len(among(some, ["n0"])) == 0


def test_torus_keeps_its_places_where_only_some_hosts_are_meant() -> None:
    some = among(parse_coordinates("torus:4x4\na 0 0\nb 3 3\n", "f", cores=2), ["b"])
    assert describe(some) == "leadline-machine 1\ntorus 4x4 periodic 1,1\nhost b 15\n"


def test_cores_of_one_host_lie_at_vertices_by_the_systems_numbers_of_their_processors() -> None:
    whole = replace(parse_hwloc(TWO_PACKAGES, "f"), hosts=("vm",))
    lines = describe(whole, parse_processors(TWO_PACKAGES, "f")).splitlines()
    assert lines[1] == "tree 2"
    assert lines[2:6] == ["vertex 0 0", "vertex 0 0", "vertex 1 0", "vertex 1 0"]
    places = [tuple(map(int, line.removeprefix("core vm ").split())) for line in lines[6:]]
    assert places == [(number, number // 4) for number in range(16)]


def test_host_whose_cores_share_all_is_one_line() -> None:
    core = '<object type="Core"><object type="PU" os_index="3"/></object>'
    text = f'<topology><object type="Machine">{core * 2}</object></topology>'
    assert describe(parse_hwloc(text, "f"), parse_processors(text, "f")) == (
        "leadline-machine 1\ntree 1\nvertex 0\nhost localhost 0\n"
    )


def test_core_without_a_processor_number_is_said_with_its_file(snapshot: SnapshotAssertion) -> None:
    text = '<topology><object type="Core"><object type="PU"/></object></topology>'
    with pytest.raises(LineError) as caught:
        parse_processors(text, "f")
    assert str(caught.value) == snapshot


def test_nodes_of_a_machine_in_a_word_take_the_names_of_hosts_in_order() -> None:
    named = on_hosts(synthetic_machine("torus:2x3", 4), ["x", "y", "z"])
    assert np.unique(named.nodes).tolist() == [0, 1, 2]
    assert describe(named).splitlines()[2:] == ["host x 0", "host y 1", "host z 2"]


def test_more_hosts_than_nodes_and_a_host_twice_are_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        on_hosts(synthetic_machine("torus:2"), ["x", "y", "z"])
    assert str(caught.value) == snapshot
    with pytest.raises(UsageError) as caught:
        on_hosts(synthetic_machine("torus:2"), ["x", "x"])
    assert str(caught.value) == snapshot


def test_name_that_would_end_a_word_or_line_is_refused(snapshot: SnapshotAssertion) -> None:
    given = ["a;b", "a b", "a\nb", ""]
    told = refusals(
        lambda host: describe(on_hosts(synthetic_machine("torus:2"), [host])), given, UsageError
    )
    assert told == snapshot
