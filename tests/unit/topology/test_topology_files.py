from __future__ import annotations

import numpy as np
import pytest
from harness.places import DATA
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.topology.allocation import Allocation
from leadline.topology.communication import Graph
from leadline.topology.networks import Torus, hops
from leadline.topology.readers.graph import parse_graph
from leadline.topology.readers.hosts import parse_coordinates, parse_hostfile
from leadline.topology.readers.hwloc import parse_hwloc
from leadline.topology.readers.lines import LineError
from leadline.topology.readers.slots import parse_slots
from leadline.topology.readers.slurm import parse_slurm_switches, parse_slurm_topology

DATA = DATA / "topology"


def distances(allocation: Allocation) -> list[list[int]]:
    vertices = np.unique(allocation.vertices)
    return [row.tolist() for row in hops(allocation.network, vertices, vertices)]


# -- Slurm -----------------------------------------------------------------------------------------

TWO_LEVELS = """
# three racks
SwitchName=top Switches=rack[1-3] LinkSpeed=100
SwitchName=rack1 Nodes=n[01-02]
switchname=rack2 nodes=n03,login \\
    linkspeed=10
SwitchName=rack3 Nodes=n[05,07-08]
"""


def test_nodes_of_a_rack_are_two_hops_apart_and_racks_four() -> None:
    whole = parse_slurm_topology(TWO_LEVELS, "topology.conf", cores=2)
    assert whole.hosts == ("n01", "n02", "n03", "login", "n05", "n07", "n08")
    assert len(whole) == 14
    first = [0, 2, 4, 4, 4, 4, 4]
    assert distances(whole)[0] == first
    assert distances(whole)[4] == [4, 4, 4, 4, 0, 2, 2]


def test_brackets_multiply_and_keep_leading_zeros() -> None:
    text = "SwitchName=s Nodes=r[0-1]n[08-10]\n"
    hosts = parse_slurm_topology(text, "f", 1).hosts
    assert hosts == ("r0n08", "r0n09", "r0n10", "r1n08", "r1n09", "r1n10")


def test_shallow_switches_count_as_if_repeated_below() -> None:
    text = (
        "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1,n2\n"
        "SwitchName=mid Switches=a,b\nSwitchName=c Nodes=n3,n4\nSwitchName=top Switches=mid,c\n"
    )
    assert distances(parse_slurm_topology(text, "f", 1)) == [
        [0, 4, 4, 6, 6], [4, 0, 2, 6, 6], [4, 2, 0, 6, 6], [6, 6, 6, 0, 2], [6, 6, 6, 2, 0],
    ]  # fmt: skip


def test_what_scontrol_prints_is_the_same_tree() -> None:
    text = (
        "SwitchName=a Level=0 LinkSpeed=1 Nodes=n[0-1]\nSwitchName=b Level=0 LinkSpeed=1 "
        "Nodes=n[2-3]\nSwitchName=t Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=a,b\n\n"
    )
    whole = parse_slurm_switches(text, 1)
    assert whole.hosts == ("n0", "n1", "n2", "n3")
    assert distances(whole)[0] == [0, 2, 4, 4]
    with pytest.raises(LineError, match=r"topology:1: .*'BlockName=b'"):
        parse_slurm_switches("BlockName=b Nodes=n0", 1)


def test_switches_without_a_common_one_are_as_far_as_if_there_were_one() -> None:
    text = "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\n"
    assert distances(parse_slurm_topology(text, "f", 1))[0] == [0, 2, 4, 4]


def test_malformed_topology_conf_is_named_with_file_and_line(snapshot: SnapshotAssertion) -> None:
    given = [
        "SwitchName=a Nodes=n0\nNodes=n1\n",
        "BlockName=b Nodes=n[0-3]\n",
        "SwitchName=a\n",
        "SwitchName=a Nodes=n0 Switches=b\n",
        "SwitchName=a Nodes=n0\nSwitchName=a Nodes=n1\n",
        "SwitchName=a Nodes=n0\n\nSwitchName=b Nodes=n0\n",
        "SwitchName=a Nodes=n0,n0\n",
        "SwitchName=a Nodes=n0\nSwitchName=t Switches=a,b\n",
        "SwitchName=a Nodes=n0\nSwitchName=t Switches=a\nSwitchName=u Switches=a\n",
        "SwitchName=a Nodes=n0\nSwitchName=t Switches=u,a\nSwitchName=u Switches=t\n",
        "SwitchName=a Nodes=n[3-1]\n",
        "SwitchName=a Nodes=n[1\n",
        "SwitchName=a Nodes=n[0-999999999]\n",
        "SwitchName=a Nodes=n0,,n1\n",
        "# empty\n",
        "SwitchName=t \\\n Nodes=n0\nbad\n",
    ]
    assert refusals(lambda text: parse_slurm_topology(text, "f", 1), given, LineError) == snapshot


# -- coordinates -----------------------------------------------------------------------------------


def test_coordinates_span_the_smallest_torus() -> None:
    whole = parse_coordinates("b 1 2 0\na 0 0 3\n", "f", cores=1)
    assert whole.network == Torus((2, 3, 4), (True,) * 3)
    assert whole.hosts == ("b", "a")
    assert whole.vertices.tolist() == [20, 3]


def test_first_line_may_say_which_torus_or_mesh() -> None:
    whole = parse_coordinates("# rack 1\nmesh:4x4\na 3 3\nb 0 1\n", "f", cores=2)
    assert whole.network == Torus((4, 4), (False, False))
    assert whole.vertices.tolist() == [15, 15, 1, 1]


def test_hosts_may_share_a_router() -> None:
    whole = parse_coordinates("a 0 1\nb 0 1\n", "f", cores=1)
    assert whole.vertices.tolist() == [1, 1]
    assert whole.nodes.tolist() == [0, 1]


def test_malformed_coordinates_are_named_with_file_and_line(snapshot: SnapshotAssertion) -> None:
    given = [
        "a 0 0\nb 0\n",
        "a\n",
        "a 0 x\n",
        "a 0 -1\n",
        "a 0 1.5\n",
        "a 0 0\n\na 0 1\n",
        "torus:2x2\na 0 2\n",
        "tours:2x2\na 0 2\n",
        "torus:0x2\na 0 2\n",
        "a 99999 99999\n",
        "",
    ]
    assert refusals(lambda text: parse_coordinates(text, "f", 1), given, LineError) == snapshot


# -- hostfiles -------------------------------------------------------------------------------------


def test_hostfiles_of_both_kinds_say_how_many_slots() -> None:
    text = "a:2\nb slots=3 max_slots=4\nc  # as --cores says\n"
    whole = parse_hostfile(text, "f", cores=4)
    assert whole.hosts == ("a", "b", "c")
    assert np.bincount(whole.nodes).tolist() == [2, 3, 4]
    assert distances(whole) == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_byte_order_mark_is_no_part_of_the_first_host() -> None:
    assert parse_hostfile("\ufeffa:2\r\nb\r\n", "f", cores=1).hosts == ("a", "b")


def test_malformed_hostfile_is_named_with_file_and_line(snapshot: SnapshotAssertion) -> None:
    given = [
        "a\nb\na\n",
        "a:0\n",
        "a slots=x\n",
        "a 4\n",
        "\n",
        "a\nb\x1b[31m\n",
    ]
    assert refusals(lambda text: parse_hostfile(text, "f", 1), given, LineError) == snapshot


# -- hwloc -----------------------------------------------------------------------------------------


def test_cores_that_share_a_cache_are_one_vertex_and_packages_a_level() -> None:
    whole = parse_hwloc((DATA / "two-packages.xml").read_text(), "f")
    assert whole.vertices.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert whole.cores.tolist() == list(range(8))
    assert whole.nodes.tolist() == [0] * 8
    assert distances(whole) == [[0, 2, 4, 4], [2, 0, 4, 4], [4, 4, 0, 2], [4, 4, 2, 0]]


def element(kind: str, *children: str) -> str:
    return f'<object type="{kind}">{"".join(children)}</object>'


def test_single_cores_and_shared_caches_may_stand_side_by_side() -> None:
    core = element("Core", element("PU"))
    alone, module = element("L2Cache", core), element("L2Cache", core * 4)
    machine = element("Machine", element("NUMANode"), element("L3Cache", alone * 2, module))
    whole = parse_hwloc(f"<topology>{machine}</topology>", "f")
    assert np.bincount(whole.vertices).tolist() == [4, 1, 1] or np.bincount(
        whole.vertices
    ).tolist() == [1, 1, 4]
    assert distances(whole) == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_one_core_is_one_slot_of_the_named_host() -> None:
    info = '<info name="HostName" value="vm"/>'
    machine = element("Machine", info, element("Core", element("PU")))
    whole = parse_hwloc(f"<topology>{machine}</topology>", "f")
    assert (len(whole), whole.hosts) == (1, ("vm",))


def test_xml_that_is_not_hwlocs_is_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        "not xml",
        "<topology>\n<object>\n</topology>",
        "<svg/>",
        "<topology/>",
    ]
    assert refusals(lambda text: parse_hwloc(text, "f"), given, LineError) == snapshot


# -- graphs ----------------------------------------------------------------------------------------


def rows(graph: Graph) -> list[dict[int, float]]:
    return [
        dict(zip(graph.neighbours[a:b].tolist(), graph.weights[a:b].tolist(), strict=True))
        for a, b in zip(graph.starts[:-1], graph.starts[1:], strict=True)
    ]


def test_edges_have_a_direction_and_a_weight_of_1_unless_said() -> None:
    graph = parse_graph("0 2 5 # large\n2 0\n1 3 0.5\n", "edges.txt")
    assert rows(graph) == [{2: 5.0}, {3: 0.5}, {0: 1.0}, {}]


def test_metis_graph_counts_from_1_and_has_both_directions() -> None:
    text = "% a path and a vertex alone\n4 2 1\n2 7\n1 7 3 2\n2 2\n\n"
    assert rows(parse_graph(text, "g.graph")) == [{1: 7.0}, {0: 7.0, 2: 2.0}, {1: 2.0}, {}]
    assert rows(parse_graph("2 1\n2\n1\n", "g.graph")) == [{1: 1.0}, {0: 1.0}]


def test_malformed_edge_is_named_with_file_and_line(snapshot: SnapshotAssertion) -> None:
    given = [
        "0\n",
        "0 1 2 3\n",
        "0 x\n",
        "0 -1\n",
        "0 99999999\n",
        "0 1 nan\n",
        "0 1\n0 2 -3\n",
        "0 1 much\n",
        "1 1\n",
        "0 1\n1 0\n0 1 4\n",
        "# none\n",
    ]
    assert refusals(lambda text: parse_graph(text, "f"), given, LineError) == snapshot


def test_metis_graph_that_breaks_its_header_is_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        "",
        "2\n",
        "2 1 11\n",
        "2 1\n2\n",
        "2 1\n2\n3\n",
        "2 1\n2\n0\n",
        "2 1 1\n2 1\n1\n",
    ]
    assert refusals(lambda text: parse_graph(text, "g.graph"), given, LineError) == snapshot


# -- slots -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["2\n0\n1\n", "0 2\n1 0\n2 1\n", "# rank slot\n2 1\n\n0 2  # the first\n1 0\n"],
)
def test_slots_stand_alone_in_the_order_of_ranks_or_beside_them_in_any(text: str) -> None:
    assert parse_slots(text, "f") == (2, 0, 1)


def test_slots_that_are_no_permutation_are_named_with_file_and_line(
    snapshot: SnapshotAssertion,
) -> None:
    given = [
        "# none\n",
        "0\n1\nx\n",
        "0 1\nx 0\n",
        "0\n-1\n",
        "rank,slot,host\n0,0,a\n",
        "0 1 2\n",
        "0 1\n0\n",
        "0\n1 1\n",
        "1\n2\n0\n2\n",
        "0 1\n0 0\n",
        "0\n\n8\n",
        "7 0\n",
    ]
    assert refusals(lambda text: parse_slots(text, "f"), given, LineError) == snapshot
