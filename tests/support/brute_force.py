"""The least of every metric over all mappings of a few ranks, by the definitions alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from leadline.mapping import link_loads
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.networks import Float64, Int64, Machine, Network, Torus, Tree


def best_of_all(pattern: Communication, machine: Machine) -> Mapping[str, float]:
    """Metric -> the least value that any mapping has of it."""
    sent = _sent(pattern)
    nodes, at = np.unique(machine.slots, return_inverse=True)
    hops = np.array(
        [[hops_by_definition(machine.network, a, b) for b in nodes] for a in nodes],
        dtype=np.float64,
    )
    orders = _orders(at, _is_alike(machine, at))
    one, other = np.nonzero(sent)
    weight, pairs = sent[one, other], np.triu(np.maximum(sent > 0, sent.T > 0), 1)
    if isinstance(pattern, Grid):
        pairs = pairs * _times(pattern)
    first, second = np.nonzero(pairs)
    apart = hops[orders[:, first], orders[:, second]] * pairs[first, second]
    away = hops[orders[:, one], orders[:, other]]
    return {
        "hops": float(apart.sum(axis=1).min() / max(pairs.sum(), 1)),
        "hop-bytes": float((away * weight).sum(axis=1).min()),
        "internode": float(((away > 0) * weight).sum(axis=1).min()),
        "load": float(_loads(orders, one, other, weight, _routes(machine, nodes)).min()),
    }


def _sent(pattern: Communication) -> Float64:
    """[i, j]: what rank i sends to rank j."""
    if isinstance(pattern, Graph):
        ranks = len(pattern.starts) - 1
        sent = np.zeros((ranks, ranks))
        for rank in range(ranks):
            for e in range(pattern.starts[rank], pattern.starts[rank + 1]):
                sent[rank, pattern.neighbours[e]] += pattern.weights[e]
        np.fill_diagonal(sent, 0)
        return sent
    ranks = math.prod(pattern.dims)
    sent = np.zeros((ranks, ranks))
    for rank, step in itertools.product(range(ranks), _steps(pattern)):
        to = _neighbour(pattern, rank, step)
        if to is not None and to != rank:
            sent[rank, to] += _weight(pattern, step)
    return sent


def _times(pattern: Grid) -> Float64:
    """[i, j]: how often the pair counts: twice around a ring of two."""
    ranks = math.prod(pattern.dims)
    times = np.zeros((ranks, ranks))
    for rank, step in itertools.product(range(ranks), _steps(pattern)):
        to = _neighbour(pattern, rank, step)
        back = tuple(-one for one in step)
        if to is not None and to != rank and _weight(pattern, step) + _weight(pattern, back) > 0:
            times[rank, to] += 1
    return times


def _steps(pattern: Grid) -> list[tuple[int, ...]]:
    steps = itertools.product((-1, 0, 1), repeat=len(pattern.dims))
    most = len(pattern.dims) if pattern.diagonals else 1
    return [step for step in steps if 0 < sum(map(abs, step)) <= most]


def _weight(pattern: Grid, step: tuple[int, ...]) -> float:
    return math.prod(
        weights[one > 0] for weights, one in zip(pattern.weights, step, strict=True) if one
    )


def _neighbour(pattern: Grid, rank: int, step: tuple[int, ...]) -> int | None:
    at = [int(i) for i in np.unravel_index(rank, pattern.dims)]
    for axis, one in enumerate(step):
        length = pattern.dims[axis]
        at[axis] += one
        if one and length == 1:
            return None
        if not 0 <= at[axis] < length and not pattern.periodic[axis]:
            return None
        at[axis] %= length
    return int(np.ravel_multi_index(at, pattern.dims))


def hops_by_definition(network: Network, a: int, b: int) -> int:
    """Hops between two vertices, counted axis by axis or up to the first switch that is common."""
    if a == b:
        return 0
    if isinstance(network, Tree):
        alike = network.ancestors[a] == network.ancestors[b]
        return 2 * (1 + (int(np.argmax(alike)) if alike.any() else len(alike)))
    hops = 0
    corners = zip(np.unravel_index(a, network.dims), np.unravel_index(b, network.dims), strict=True)
    for (x, y), length, ring in zip(corners, network.dims, network.periodic, strict=True):
        apart = abs(int(x) - int(y))
        hops += min(apart, length - apart) if ring else apart
    return hops


def _is_alike(machine: Machine, at: Int64) -> bool:
    """Whether rank 0 may stay where it is, as all places are like each other."""
    network = machine.network
    whole = isinstance(network, Torus) and all(network.periodic)
    return whole and isinstance(network, Torus) and len(at) == math.prod(network.dims)


def _orders(at: Int64, fixed: bool) -> Int64:
    """(mappings, ranks): the node of each rank, every one that differs once."""
    cores = np.bincount(at)
    orders, left = np.zeros((1, 0), dtype=np.int64), cores[np.newaxis]
    for rank in range(len(at)):
        mapping, node = np.nonzero(left)
        if fixed and rank == 0:
            mapping, node = mapping[:1], node[:1]
        orders = np.hstack([orders[mapping], node[:, np.newaxis]])
        left = left[mapping]
        left[np.arange(len(left)), node] -= 1
    return orders


def _routes(machine: Machine, nodes: Int64) -> Float64:
    """[a, b, link]: 1 where a message between these nodes goes over it."""
    pair = Graph(np.array([0, 1, 1]), np.array([1]), np.ones(1))
    routes = []
    for a, b in itertools.product(nodes, nodes):
        two = Machine(machine.network, np.array([a, b]), "two")
        routes.append(link_loads(pair, two, np.arange(2)))
    return np.array(routes).reshape(len(nodes), len(nodes), -1)


def _loads(orders: Int64, one: Int64, other: Int64, weight: Float64, routes: Float64) -> Float64:
    used = routes[:, :, routes.any(axis=(0, 1))] if routes.any() else routes
    loads: Float64 = np.zeros((len(orders), used.shape[2]))
    for a, b, each in zip(one, other, weight, strict=True):
        loads += each * used[orders[:, a], orders[:, b]]
    most: Float64 = loads.max(axis=1)
    return most
