"""The ways of messages: the very links whose loads the mapping library counts."""

from __future__ import annotations

import numpy as np
import pytest
from harness.mapping_cases import random_machine
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.mapping import link_loads
from leadline.mapping.routes import links_of, route
from leadline.topology.communication import Graph
from leadline.topology.networks import Int64, Torus, Tree

RING = Torus((6,), (True,))


def links_between(network: Torus | Tree, source: int, destination: int, down: int = 0) -> list[int]:
    ends = np.array([source]), np.array([destination])
    starts, links = route(network, *ends, np.array([down], dtype=np.uint32))
    assert starts.tolist() == [0, len(links)]
    result: list[int] = links.tolist()
    return result


def loads_by_routes(network: Torus | Tree, edges: Graph, vertices: Int64) -> Int64:
    sources = np.repeat(np.arange(len(edges.starts) - 1), np.diff(edges.starts))
    starts, links = route(network, vertices[sources], vertices[edges.neighbours])
    weights = np.repeat(edges.weights, np.diff(starts))
    return np.bincount(links, weights, minlength=links_of(network)).astype(np.int64)


@pytest.mark.parametrize("seed", range(30))
def test_messages_routed_one_by_one_load_the_links_as_the_mapping_counts(seed: int) -> None:
    random = np.random.default_rng(seed)
    ranks = int(random.integers(2, 20))
    machine = random_machine(random, ranks)
    pairs = random.permutation(ranks * ranks)[: 2 * ranks]
    pairs = np.sort(pairs[pairs // ranks != pairs % ranks])
    starts = np.searchsorted(pairs // ranks, np.arange(ranks + 1))
    weights = random.integers(1, 9, len(pairs)).astype(np.float64)
    edges = Graph(starts.astype(np.int64), (pairs % ranks).astype(np.int64), weights)
    counted = link_loads(edges, machine, np.arange(ranks))
    assert loads_by_routes(machine.network, edges, machine.slots).tolist() == counted.tolist()


def test_a_tie_goes_up_unless_told_down_and_only_a_tie_does() -> None:
    assert links_between(RING, 0, 3) == [1, 3, 5]
    assert links_between(RING, 0, 3, down=1) == [0, 10, 8]
    assert links_between(RING, 0, 2, down=1) == [1, 3]
    assert links_between(Torus((6,), (False,)), 0, 3, down=1) == [1, 3, 5]


def test_a_message_on_its_own_vertex_passes_no_link() -> None:
    assert links_between(RING, 4, 4) == []


def test_ways_in_a_tree_lead_up_to_the_common_switch_and_down() -> None:
    tree = Tree(np.array([[0, 0], [0, 0], [1, 0], [1, 0]]))
    assert links_between(tree, 0, 1) == [0, 3]
    assert links_between(tree, 0, 3) == [0, 8, 11, 7]
    assert links_of(tree) == 14


def test_a_vertex_that_is_none_is_refused(snapshot: SnapshotAssertion) -> None:
    given = [-1, 6]
    assert refusals(lambda vertex: links_between(RING, 0, vertex), given, UsageError) == snapshot
