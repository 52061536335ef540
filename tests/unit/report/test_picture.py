from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.mapping import map_ranks
from leadline.mapping.scenes import MOST_PLANES, Scene, scenes
from leadline.report.figures.picture import picture
from leadline.report.text.mapping import Mapped
from leadline.topology.communication import Communication
from leadline.topology.job import Job
from leadline.topology.readers.graph import parse_graph
from leadline.topology.words import open_grid, parse_grid, synthetic_machine

SVG = "{http://www.w3.org/2000/svg}"


def identity_scene(pattern: Communication, machine: str, cores: int = 1) -> Scene:
    whole = synthetic_machine(machine, cores if cores > 1 else None)
    (found,) = scenes(Job("job", pattern, whole), [np.arange(len(whole))])
    return found


def test_torus_shows_planes_of_its_first_two_axes_with_their_ranks() -> None:
    scene = identity_scene(open_grid((2, 3, 2)), "torus:2x3x2")
    assert [plane.title for plane in scene.planes] == ["z = 0", "z = 1"]
    first = scene.planes[0]
    assert (first.width, first.height) == (2, 3)
    assert {(tile.across, tile.down): tile.text for tile in first.tiles} == {
        (0, 0): "0", (0, 1): "2", (0, 2): "4", (1, 0): "6", (1, 1): "8", (1, 2): "10",
    }  # fmt: skip


def test_planes_without_ranks_are_left_out_and_free_places_are_nobodys() -> None:
    whole = synthetic_machine("torus:4x4x4")
    job = Job("job", open_grid((2,)), whole.take(np.array([1, 5])))
    (scene,) = scenes(job, [np.arange(2)])
    assert [plane.title for plane in scene.planes] == ["z = 1"]
    taken = [tile for tile in scene.planes[0].tiles if tile.colour]
    assert [(tile.across, tile.down, tile.text) for tile in taken] == [(0, 0, "0"), (0, 1, "1")]


def test_lines_have_the_load_of_the_busier_direction() -> None:
    scene = identity_scene(parse_grid("3", weights="1:4"), "mesh:3")
    assert [(link.start, link.end, link.load) for link in scene.planes[0].links] == [
        ((0.0, 0.0), (1.0, 0.0), 4.0), ((1.0, 0.0), (2.0, 0.0), 4.0),
    ]  # fmt: skip
    assert scene.loads == ((1, 4.0), (2, 4.0), (3, 1.0), (4, 1.0))


def test_link_around_the_end_is_a_stub_at_either_side() -> None:
    links = identity_scene(parse_grid("3", periodic="1"), "torus:3").planes[0].links
    assert [(link.start, link.end) for link in links[2:]] == [
        ((2.0, 0.0), (2.5, 0.0)), ((0.0, 0.0), (-0.5, 0.0)),
    ]  # fmt: skip


def test_neighbours_in_the_grid_have_like_colours() -> None:
    tiles = identity_scene(open_grid((5, 2)), "mesh:5x2").planes[0].tiles
    colours = {tile.text: tile.colour for tile in tiles}
    assert colours["0"] == (0.0, 0.0)
    assert colours["2"] == (0.25, 0.0)
    assert colours["9"] == (1.0, 1.0)


def test_nodes_show_the_grid_with_the_node_of_every_rank() -> None:
    scene = identity_scene(open_grid((2, 3)), "nodes:2x3")
    assert {(tile.across, tile.down): tile.text for tile in scene.planes[0].tiles} == {
        (0, 0): "0", (1, 0): "0", (2, 0): "0", (0, 1): "1", (1, 1): "1", (2, 1): "1",
    }  # fmt: skip
    assert scene.loads == ((1, 3.0), (2, 3.0))


def test_graph_on_nodes_is_a_matrix_of_what_nodes_send_each_other() -> None:
    graph = parse_graph("0 1 9\n0 2 4\n3 0 2\n", "f")
    scene = identity_scene(graph, "nodes:2x2")
    shades = {(tile.down, tile.across): tile.colour for tile in scene.planes[0].tiles}
    assert shades == {(0, 0): (), (0, 1): (1.0,), (1, 0): (0.5,), (1, 1): ()}


def test_of_many_planes_some_are_shown() -> None:
    scene = identity_scene(open_grid((5, 5, 5, 5)), "torus:5x5x5x5")
    titles = [plane.title for plane in scene.planes]
    assert len(titles) == MOST_PLANES
    assert (titles[0], titles[-1]) == ("z = 0, u = 0", "z = 4, u = 4")


@pytest.mark.parametrize(
    ("pattern", "machine"),
    [
        (open_grid((4, 2)), "torus:2x2x2"),
        (open_grid((8,)), "mesh:8"),
        (open_grid((1,)), "torus:1"),
        (open_grid((2, 2, 2)), "torus:2x2x2x1x1x1x1"),
        (open_grid((4, 2)), "nodes:4x2"),
        (open_grid((8,)), "tree:2x2x2"),
        (parse_graph("0 1\n2 3\n", "f"), "nodes:2x2"),
        (parse_graph("0 1\n2 3\n", "f"), "nodes:1x4"),
        (parse_graph("0 1\n2 3\n", "f"), "torus:2x2"),
    ],
)
def test_every_kind_of_job_makes_the_same_picture_twice(
    pattern: Communication, machine: str, snapshot: SnapshotAssertion
) -> None:
    job = Job("job", pattern, synthetic_machine(machine))
    mapped = Mapped(job, "hops", map_ranks(pattern, job.allocation.machine, steps=100))
    identity = np.arange(len(job.allocation))
    shown = scenes(job, [identity, mapped.mapping.permutation])
    first, second = picture(mapped, shown, "svg"), picture(mapped, shown, "svg")
    assert first == second
    words = [one.text or "" for one in ET.fromstring(first).iter(f"{SVG}text")]
    assert [one for one in words if re.search("[a-z]{2}", one)] == snapshot


def test_of_a_large_plane_every_so_many_places_are_shown_without_their_links() -> None:
    (plane,) = identity_scene(open_grid((400, 300)), "mesh:400x300").planes
    assert (plane.width, plane.height) == (100, 75)
    assert len(plane.tiles) == 7500
    assert plane.tiles[1].text == "4"
    assert plane.links == ()
