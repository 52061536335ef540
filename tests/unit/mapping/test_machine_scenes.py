"""Where nodes, switches and links lie in a picture of a machine, and what links carry there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from leadline.mapping import link_loads
from leadline.mapping.scenes import (
    MOST_NODES,
    Plane,
    Scene,
    evenly,
    machine_scene,
    seats_of,
    seats_of_jobs,
)
from leadline.topology.communication import Communication
from leadline.topology.job import Job, ranks_of
from leadline.topology.readers.graph import parse_graph
from leadline.topology.words import open_grid, synthetic_machine


def drawn(
    pattern: Communication, machine: str, slots: Sequence[int] = (), shared: bool = False
) -> Scene:
    """Ranks in order on the slots, or the first ones."""
    taken = slots or range(ranks_of(pattern))
    job = Job("job", pattern, synthetic_machine(machine).take(np.array(taken)))
    order = np.arange(ranks_of(pattern))
    loads = link_loads(pattern, job.allocation.machine, order).ravel().astype(float)
    return machine_scene(job.allocation.network, seats_of(job, order), loads, shared)


def plane_of(scene: Scene) -> Plane:
    (plane,) = scene.planes
    return plane


def from_centre(plane: Plane, place: tuple[float, float]) -> float:
    centre = (plane.width - 1) / 2
    return math.hypot(place[0] - centre, place[1] - centre)


# -- switches --------------------------------------------------------------------------------------


def test_nodes_of_a_switch_stand_around_it_with_what_they_send_or_receive() -> None:
    plane = plane_of(drawn(parse_graph("0 1 5\n2 0 3\n", "f"), "nodes:4x1"))
    *nodes, switch = plane.tiles
    assert [tile.text for tile in nodes] == ["0", "1", "2"]
    assert plane.title == "3 of 4 nodes"
    assert (switch.colour, from_centre(plane, (switch.across, switch.down))) == ((), 0)
    assert [link.load for link in plane.links] == [5, 5, 3], "the busier direction"
    away = [from_centre(plane, (tile.across, tile.down)) for tile in nodes]
    assert away == pytest.approx([(plane.width - 1) / 2] * 3)


def test_the_first_node_is_above_and_the_others_follow_clockwise() -> None:
    plane = plane_of(drawn(open_grid((4,)), "nodes:4x1"))
    side = plane.width - 1
    places = [place for tile in plane.tiles[:4] for place in (tile.across, tile.down)]
    half = side / 2
    assert places == pytest.approx([half, 0, side, half, half, side, 0, half])


def test_switches_stand_on_rings_below_the_one_that_connects_them() -> None:
    """Two switches of two nodes; 0 and 1 at one, 2 and 3 at the other."""
    plane = plane_of(drawn(parse_graph("0 2 7\n0 1 1\n3 2 1\n", "f"), "tree:2x2x1"))
    away = [from_centre(plane, (tile.across, tile.down)) for tile in plane.tiles]
    radius = (plane.width - 1) / 2
    assert away == pytest.approx([radius] * 4 + [radius / 2] * 2 + [0])
    assert [link.load for link in plane.links] == [8, 1, 8, 1, 7, 7]
    ends = [from_centre(plane, link.end) for link in plane.links]
    assert ends == pytest.approx([radius / 2] * 4 + [0, 0])


def test_switches_of_a_ring_have_room_for_each_other() -> None:
    plane = plane_of(drawn(open_grid((640,)), "tree:40x16x1"))
    ring = [tile for tile in plane.tiles if not tile.colour][:40]
    places = np.array([(tile.across, tile.down) for tile in ring])
    apart = np.hypot(*(places[:, None] - places[None]).T)[~np.eye(40, dtype=bool)].min()
    assert 1 <= max(tile.size for tile in ring) < 1.5 * apart
    assert plane.tiles[-1].size > ring[0].size, "the one in the middle has more"


def test_switches_that_connect_nobody_are_left_out() -> None:
    plane = plane_of(drawn(open_grid((4,)), "tree:3x2x4x1", [4, 5, 6, 7]))
    assert len(plane.tiles) == 5
    assert plane.title == "4 of 24 nodes"
    two = plane_of(drawn(open_grid((2,)), "tree:3x2x4x1", [0, 4]))
    assert len(two.tiles) == 2 + 2 + 1


def test_one_node_alone_is_drawn() -> None:
    assert len(plane_of(drawn(open_grid((1,)), "nodes:1x1")).tiles) == 2


def test_of_many_nodes_some_are_shown_evenly_apart() -> None:
    plane = plane_of(drawn(open_grid((1000,)), "nodes:1000x1"))
    assert len(plane.tiles) == MOST_NODES + 1
    assert (plane.tiles[0].text, plane.tiles[MOST_NODES - 1].text) == ("0", "999")
    assert plane.title == f"{MOST_NODES} of 1,000 nodes"


def test_evenly_keeps_the_first_and_the_last() -> None:
    assert evenly(np.arange(10), 4).tolist() == [0, 3, 6, 9]
    assert evenly(np.arange(3), 4).tolist() == [0, 1, 2]


# -- one medium ------------------------------------------------------------------------------------


def test_a_medium_carries_what_all_nodes_send() -> None:
    graph = parse_graph("0 1 5\n2 0 3\n", "f")
    plane = plane_of(drawn(graph, "nodes:4x1", shared=True))
    medium, *nodes = plane.links
    assert (medium.load, medium.start[1], medium.end[1]) == (8, 1, 1)
    assert [link.load for link in nodes] == [5, 5, 3]
    assert [(tile.across, tile.down) for tile in plane.tiles] == [(0, 0), (1, 0), (0, 2)]


# -- tori ------------------------------------------------------------------------------------------


def test_a_torus_is_shown_as_far_as_ranks_and_messages_go() -> None:
    scene = drawn(parse_graph("0 1 5\n", "f"), "mesh:9x9", [10, 12])
    plane = plane_of(scene)
    assert (plane.width, plane.height) == (1, 3), "from (1, 1) to (1, 3)"
    assert [tile.text for tile in plane.tiles] == ["0", "", "1"]
    assert sorted(link.load for link in plane.links)[-2:] == [5, 5]
    outward = [link for link in plane.links if link.load == 0]
    assert len(outward) == 3 * 2 + 2, "halves of links that lead on"


def test_planes_are_of_the_axes_along_which_most_is_shown() -> None:
    scene = drawn(open_grid((12,)), "torus:9x9x2x3x2")
    assert scene.axes[:2] == ("z", "u")
    assert [plane.title for plane in scene.planes] == [
        "x = 0, y = 0, v = 0", "x = 0, y = 0, v = 1",
    ]  # fmt: skip
    assert all((plane.width, plane.height) == (2, 3) for plane in scene.planes)


def test_links_to_other_planes_are_at_corners() -> None:
    scene = drawn(parse_graph("0 1 5\n", "f"), "mesh:2x2x2", [0, 1])
    assert scene.axes == ("x", "z", "y")
    graph = parse_graph("0 1 5\n2 3 1\n4 5 1\n6 7 1\n", "f")
    first = drawn(graph, "mesh:2x2x2").planes[0]
    corner = [link for link in first.links if link.end[0] % 1 and link.end[1] % 1]
    assert [link.load for link in corner] == [5, 1, 1, 1]
    assert (corner[0].start, corner[0].end) == ((0, 0), (0.42, 0.42))


# -- jobs ------------------------------------------------------------------------------------------


def test_jobs_have_hues_and_their_ranks_get_lighter() -> None:
    whole = synthetic_machine("nodes:4x1")
    placed = [
        (Job(name, open_grid((2,)), whole.take(np.array(slots))), np.arange(2))
        for name, slots in (("A", [0, 1]), ("B", [2, 3]))
    ]
    seats = seats_of_jobs(placed)
    hues = [seats[vertex].colour[0] for vertex in range(4)]
    assert hues[0] == hues[1] != hues[2] == hues[3]
    assert [seats[vertex].colour[1] for vertex in range(4)] == [0, 1, 0, 1]
    assert seats_of_jobs(placed[1:], 1)[3] == seats[3]
