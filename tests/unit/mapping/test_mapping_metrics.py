"""What a mapping is worth: hops, loads and edges, by hand and by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from harness.mapping_cases import grid, nodes, random_machine, random_pattern, torus
from tests.support.brute_force import hops_by_definition

from leadline.mapping import (
    evaluate,
    link_loads,
)
from leadline.topology.communication import Graph, Grid
from leadline.topology.networks import Machine, Torus, Tree


def test_a_line_on_a_ring_in_order_is_one_hop_from_rank_to_rank() -> None:
    metrics = evaluate(grid(4), torus(4), np.arange(4))
    assert (metrics.average_hops, metrics.max_hops, metrics.hop_bytes) == (1.0, 1, 6.0)
    assert (metrics.max_link_load, metrics.internode_edges, metrics.max_node_edges) == (1.0, 6, 2.0)


def test_routes_go_along_x_before_y_and_up_where_both_ways_are_as_long() -> None:
    pair = Graph(np.array([0, 1, 1]), np.array([1]), np.array([5.0]))
    machine = Machine(Torus((4, 4), (True, True)), np.array([0, 10]), "two corners")
    loads = link_loads(pair, machine, np.arange(2)).reshape(4, 4, 2, 2)
    used = {tuple(index) for index in np.argwhere(loads == 5.0).tolist()}
    assert used == {(0, 0, 0, 1), (1, 0, 0, 1), (2, 0, 1, 1), (2, 1, 1, 1)}
    assert loads.sum() == 20.0


def test_a_mesh_has_no_way_around() -> None:
    pair = grid(2)
    far = np.array([0, 4])
    assert evaluate(pair, Machine(Torus((5,), (True,)), far, "ring"), np.arange(2)).max_hops == 1
    assert evaluate(pair, Machine(Torus((5,), (False,)), far, "mesh"), np.arange(2)).max_hops == 4


def test_hops_in_a_tree_are_twice_the_levels_to_the_common_switch() -> None:
    tree = Tree(np.array([[0, 0], [0, 0], [1, 0], [2, 1]]))
    machine = Machine(tree, np.arange(4), "tree")
    hops = [
        evaluate(
            Graph(np.array([0, 0, 0, 1, 1]), np.array([k]), np.ones(1)), machine, np.array(turned)
        )
        for k, turned in ((3, [3, 2, 0, 1]), (3, [3, 2, 1, 0]), (1, [2, 3, 0, 1]))
    ]
    assert [metrics.max_hops for metrics in hops] == [2, 2, 6]


def test_loads_of_a_tree_are_those_of_links_up_and_down_level_by_level() -> None:
    tree = Tree(np.array([[0, 0], [0, 0], [1, 0], [1, 0]]))
    edge = Graph(np.array([0, 1, 1, 1, 1]), np.array([2]), np.array([3.0]))
    loads = link_loads(edge, Machine(tree, np.arange(4), "tree"), np.arange(4)).reshape(-1, 2)
    assert loads.tolist() == [[3, 0], [0, 0], [0, 3], [0, 0], [3, 0], [0, 3], [0, 0]]


def test_a_ring_of_two_has_both_neighbours_and_a_ring_of_one_none() -> None:
    assert evaluate(grid(2, periodic=True), torus(2), np.arange(2)).hop_bytes == 4
    assert evaluate(grid(2), torus(2), np.arange(2)).hop_bytes == 2
    assert evaluate(grid(1, 1, periodic=True), torus(1), np.arange(1)).average_hops == 0


def test_weights_count_by_axis_and_direction_and_multiply_along_diagonals() -> None:
    weights = ((2.0, 3.0), (5.0, 7.0))
    star = Grid((2, 2), (False, False), weights, diagonals=False)
    full = Grid((2, 2), (False, False), weights, diagonals=True)
    on_nodes = nodes(4, 1)
    plain = evaluate(star, on_nodes, np.arange(4)).internode_edges
    assert plain == 2 * (2 + 3) + 2 * (5 + 7)
    diagonal = evaluate(full, on_nodes, np.arange(4)).internode_edges
    assert diagonal - plain == (2 + 3) * (5 + 7)


def test_an_edge_in_one_direction_is_a_pair_and_one_in_both_is_no_more() -> None:
    one = Graph(np.array([0, 1, 1, 1]), np.array([1]), np.ones(1))
    both = Graph(np.array([0, 1, 3, 3]), np.array([1, 0, 2]), np.ones(3))
    far = Machine(Torus((9,), (False,)), np.array([0, 1, 4]), "mesh")
    assert evaluate(one, far, np.arange(3)).average_hops == 1
    assert evaluate(both, far, np.arange(3)).average_hops == 2
    assert evaluate(both, far, np.arange(3)).hop_bytes == 5


def test_metrics_agree_with_their_definitions_on_random_graphs() -> None:
    for seed in range(300):
        random = np.random.default_rng(seed)
        pattern = random_pattern(random)
        if isinstance(pattern, Grid):
            continue
        ranks = len(pattern.starts) - 1
        machine = random_machine(random, ranks)
        order = random.permutation(ranks)
        at = machine.slots[order]
        edges = [
            (rank, int(pattern.neighbours[e]), float(pattern.weights[e]))
            for rank in range(ranks)
            for e in range(pattern.starts[rank], pattern.starts[rank + 1])
        ]
        edges = [(a, b, weight) for a, b, weight in edges if a != b and weight > 0]
        hops = {
            frozenset((a, b)): hops_by_definition(machine.network, int(at[a]), int(at[b]))
            for a, b, _ in edges
        }
        leaving = np.zeros(ranks)
        for a, b, weight in edges:
            leaving[np.flatnonzero(machine.slots == at[a])[0]] += weight * (at[a] != at[b])
        metrics = evaluate(pattern, machine, order)
        loads = link_loads(pattern, machine, order)
        assert metrics.average_hops == pytest.approx(np.mean(list(hops.values())) if hops else 0)
        assert metrics.max_hops == max(hops.values(), default=0)
        assert metrics.hop_bytes == sum(w * hops[frozenset((a, b))] for a, b, w in edges)
        assert (metrics.internode_edges, metrics.max_node_edges) == (leaving.sum(), leaving.max())
        assert (loads.sum(), loads.max()) == (metrics.hop_bytes, metrics.max_link_load)
