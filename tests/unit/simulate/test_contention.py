"""What the T3E's messages get of links that they share, with what a pair of PEs was fitted to.

The paper (Mueller and Resch, PE mapping and the contention problem on the T3E) doesn't print who
pairs with whom; neighbours along the first axis of 4x4x4 are in one of its Cartesian topologies.
"""

from __future__ import annotations

import numpy as np
import pytest

from leadline.mapping import map_ranks
from leadline.simulate.flow import TaskGraph, flow
from leadline.simulate.machine_files import machine_named
from leadline.simulate.routes import fabric_of
from leadline.topology.communication import Graph
from leadline.topology.networks import Float64, Int64

T3E = machine_named("cray-t3e-900")
SIZE_BYTES = 4_000_000


def rates(partner: Int64, permutation: Int64) -> Float64:
    """B/s of the message that each rank sends to its partner, all at the same time."""
    ranks = len(partner)
    fabric = fabric_of(T3E, T3E.allocate(ranks))
    routes = fabric.route(permutation, permutation[partner])
    graph = TaskGraph(
        capacity_bytes_per_s=fabric.capacities,
        delay_s=np.zeros(ranks),
        size_bytes=np.full(ranks, float(SIZE_BYTES)),
        most_bytes_per_s=np.full(ranks, np.inf),
        route_starts=routes.starts,
        routes=routes.resources,
        after_starts=np.zeros(ranks + 1, dtype=np.int64),
        after=np.empty(0, dtype=np.int64),
    )
    return SIZE_BYTES / flow(graph).ended_s


def pairs(ranks: int, apart: int) -> Int64:
    """Each rank's partner, `apart` of it in alternate blocks."""
    rank = np.arange(ranks)
    return np.where(rank // apart % 2 == 0, rank + apart, rank - apart)


def test_two_pes_that_send_to_each_other_have_half_of_the_bus_each() -> None:
    assert rates(pairs(2, 1), np.arange(2)) == pytest.approx(200e6, rel=1e-6)


def test_64_pes_have_less_than_half_unordered_and_all_of_it_mapped() -> None:
    partner = pairs(64, 16)
    edges = Graph(np.arange(65), partner, np.ones(64))
    unordered = rates(partner, np.arange(64))
    assert unordered == pytest.approx(87e6, rel=1e-6)  # four messages share a link
    best = map_ranks(edges, T3E.allocate(64).machine, metric="load").permutation
    assert rates(partner, best) == pytest.approx(200e6, rel=1e-6)


def test_numbering_leaves_partners_of_two_halves_side_by_side() -> None:
    assert rates(pairs(64, 32), np.arange(64)) == pytest.approx(200e6, rel=1e-6)
