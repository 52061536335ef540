"""Ranks on the cores of their hosts, where the inside of hosts is described."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.mapping_cases import grid, nodes, random_pattern
from harness.places import DATA

from leadline.mapping import METRICS, RankMapping, evaluate, map_ranks
from leadline.mapping.inside import HopsInside, arranged, graph_of, part_of
from leadline.topology.allocation import Allocation, Inside, furnished
from leadline.topology.communication import Communication, Graph
from leadline.topology.job import Job, ranks_of
from leadline.topology.networks import Int64
from leadline.topology.readers.hwloc import parse_hwloc
from leadline.topology.words import parse_grid, synthetic_machine

HOST = parse_hwloc((DATA / "topology" / "two-packages.xml").read_text(), "node.xml")
APART = np.array([[0, 2, 4, 4], [2, 0, 4, 4], [4, 4, 0, 2], [4, 4, 2, 0]])
"""Hops between its pairs of cores."""


def graph_alone(pattern: Communication) -> Graph:
    return graph_of(pattern, nodes(ranks_of(pattern), 1))


def listed(graph: Graph) -> list[list[tuple[int, float]]]:
    """For each rank whom it sends how much, in their order."""
    ends = zip(graph.starts[:-1], graph.starts[1:], strict=True)
    edges = list(zip(graph.neighbours.tolist(), graph.weights.tolist(), strict=True))
    return [sorted(edge for edge in edges[begin:end] if edge[1]) for begin, end in ends]


def job_on(machine: str, cores: int | None = 8) -> Job:
    """Heavy along the first axis, which ranks in their order take to another package."""
    whole = furnished(synthetic_machine(machine, cores), HOST)
    return Job("job", parse_grid("16x8", weights="4,1"), whole)


def inside_of(job: Job) -> Inside:
    assert job.allocation.inside is not None
    return job.allocation.inside


def counted(job: Job, permutation: Int64) -> float:
    """Hop-bytes inside hosts, edge by edge."""
    allocation, total = job.allocation, 0.0
    for rank, edges in enumerate(listed(graph_alone(job.pattern))):
        for other, weight in edges:
            here, there = permutation[rank], permutation[other]
            if allocation.nodes[here] == allocation.nodes[there]:
                total += weight * APART[allocation.cores[here] // 2, allocation.cores[there] // 2]
    return total


def mapped(job: Job, metric: str = "hops") -> tuple[RankMapping, RankMapping, HopsInside]:
    found = map_ranks(job.pattern, job.allocation.machine, metric=metric)
    return found, *arranged(job, inside_of(job), found, steps=10_000, seed=0)


# -- edges -----------------------------------------------------------------------------------------


def test_a_grid_is_the_graph_of_its_stencil() -> None:
    assert listed(graph_alone(parse_grid("3", weights="2:5"))) == [
        [(1, 5)],
        [(0, 2), (2, 5)],
        [(1, 2)],
    ]
    both_ways = graph_alone(parse_grid("2x1", periodic="1,1"))
    assert listed(both_ways) == [[(1, 1), (1, 1)], [(0, 1), (0, 1)]]
    corners = graph_alone(parse_grid("2x2", weights="2,3", diagonals=True))
    assert listed(corners)[0] == [(1, 3), (2, 2), (3, 6)]


@pytest.mark.parametrize("seed", range(40))
def test_a_pattern_and_its_graph_have_the_same_metrics(seed: int) -> None:
    pattern = random_pattern(np.random.default_rng(seed))
    ranks = ranks_of(pattern)
    machine, order = nodes(ranks, 1), np.arange(ranks)
    own, of_graph = (evaluate(p, machine, order) for p in (pattern, graph_of(pattern, machine)))
    assert of_graph.hop_bytes == pytest.approx(own.hop_bytes)
    assert of_graph.max_node_edges == pytest.approx(own.max_node_edges)


def test_a_part_has_the_edges_between_its_ranks_alone() -> None:
    part = part_of(graph_alone(parse_grid("3x3")), np.array([1, 2, 4, 6]))
    assert listed(part) == [[(1, 1), (2, 1)], [(0, 1)], [(0, 1)], []]


# -- cores -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("machine", ["torus:4x4", "mesh:2x8"])
def test_cores_are_chosen_inside_the_hosts_that_the_metric_chose(machine: str, metric: str) -> None:
    job = job_on(machine)
    on_hosts, on_cores, hops = mapped(job, metric)
    hosts = job.allocation.nodes
    assert np.array_equal(hosts[on_hosts.permutation], hosts[on_cores.permutation])
    assert sorted(on_cores.permutation.tolist()) == list(range(128))
    assert evaluate(job.pattern, job.allocation.machine, on_cores.permutation) == on_hosts.after
    assert counted(job, on_cores.permutation) == hops.mapped <= hops.in_order


def test_heavy_neighbours_share_a_cache_where_ranks_in_order_do_not() -> None:
    """A brick of 4x2: in order 2048 with 16 of 24 heavy pairs a package apart; 1024 at best."""
    job = job_on("torus:4x4")
    on_hosts, _, hops = mapped(job)
    in_order = on_hosts.permutation.copy()
    for host in range(16):
        ranks = np.flatnonzero(job.allocation.nodes[in_order] == host)
        in_order[ranks] = np.sort(in_order[ranks])
    assert (hops.in_order, hops.mapped) == (2048, 1024)
    assert counted(job, in_order) == 2048


def test_hosts_that_share_a_router_are_still_hosts() -> None:
    whole = furnished(synthetic_machine("nodes:4x8"), HOST)
    shared = replace(whole, vertices=whole.vertices // 2)
    job = Job("job", grid(8, 4), shared)
    on_hosts, on_cores, hops = mapped(job)
    assert np.array_equal(shared.nodes[on_hosts.permutation], shared.nodes[on_cores.permutation])
    assert counted(job, on_cores.permutation) == hops.mapped


def test_slots_that_are_chosen_keep_their_inside() -> None:
    whole: Allocation = furnished(synthetic_machine("torus:4x4", 8), HOST)
    assert whole.take(np.array([5, 3])).inside == whole.inside
    assert whole.name == "torus:4x4+hwloc:node.xml"
