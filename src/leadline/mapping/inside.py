"""Which core of its host each rank gets, where the inside of hosts is described.

Cores of a host are one vertex of the network between hosts: how ranks lie on them changes none of
its metrics. So ranks are mapped onto hosts first, then those of each host onto its cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from leadline.mapping import RankMapping, map_ranks
from leadline.mapping.library import library, problem
from leadline.native.structures import doubles, int64s
from leadline.topology.allocation import Allocation, Inside
from leadline.topology.communication import Communication, Graph
from leadline.topology.job import Job
from leadline.topology.networks import Int64, Machine


def graph_of(pattern: Communication, machine: Machine) -> Graph:
    """What the ranks of `pattern` send each other; of weight 0 where one only receives.

    None leads to its own rank. Two ranks that are neighbours both ways around a ring have two.

    Raises:
        UsageError: The pattern or the machine isn't one, or they don't fit.
    """
    with problem(pattern, machine) as made:
        starts = np.empty(len(machine.slots) + 1, dtype=np.int64)
        library().map_edges(made, int64s(starts), None, None)
        neighbours, weights = np.empty(starts[-1], np.int64), np.empty(starts[-1], np.float64)
        library().map_edges(made, int64s(starts), int64s(neighbours), doubles(weights))
    return Graph(starts, neighbours, weights)


def part_of(graph: Graph, ranks: Int64) -> Graph:
    """What `ranks`, ascending, send each other; they are numbered from 0 in their order."""
    counts = np.diff(graph.starts)[ranks]
    first = np.repeat(graph.starts[ranks] - (np.cumsum(counts) - counts), counts)
    edges = first + np.arange(counts.sum())
    place = np.searchsorted(ranks, graph.neighbours[edges]).clip(max=len(ranks) - 1)
    inside = ranks[place] == graph.neighbours[edges]
    own = np.repeat(np.arange(len(ranks)), counts)[inside]
    starts = np.searchsorted(own, np.arange(len(ranks) + 1))
    return Graph(starts.astype(np.int64), place[inside], graph.weights[edges][inside])


@dataclass(frozen=True, slots=True)
class HopsInside:
    """Hop-bytes inside hosts, of all together; a host has the same ranks in both.

    A message counts its weight times the hops through the host: 0 within the innermost group of
    cores, 2 for each level of groups that it leaves.
    """

    in_order: float
    """With each host's ranks in their order on its cores."""
    mapped: float
    """Never more."""


@dataclass(frozen=True, slots=True)
class _Host:
    """The ranks of one host, ascending, and their slots of the allocation, ascending as well."""

    ranks: Int64
    slots: Int64


def arranged(
    job: Job, inside: Inside, mapping: RankMapping, *, steps: int, seed: int
) -> tuple[RankMapping, HopsInside]:
    """`mapping` with the ranks of each host on the cores where they belong; and what it has there.

    Args:
        job: That was mapped.
        inside: Of each host of its allocation.
        mapping: Its ranks on hosts.
        steps: Swaps tried in the end, of all hosts that differ together.
        seed: Which ones.
    """
    allocation = job.allocation
    graph = graph_of(job.pattern, allocation.machine)
    hosts = list(_hosts(allocation, mapping.permutation))
    tasks = [_task(graph, allocation, inside, host) for host in hosts]
    keys = [_key(*task) for task in tasks]
    each = steps // len(set(keys))
    found = {
        key: map_ranks(*task, metric="hop-bytes", steps=each, seed=seed)
        for key, task in dict(zip(keys, tasks, strict=True)).items()
    }
    permutation = mapping.permutation.copy()
    for host, key in zip(hosts, keys, strict=True):
        permutation[host.ranks] = host.slots[found[key].permutation]
    hops = HopsInside(
        in_order=sum(found[key].before.hop_bytes for key in keys),
        mapped=sum(found[key].after.hop_bytes for key in keys),
    )
    return replace(mapping, permutation=permutation), hops


def _hosts(allocation: Allocation, permutation: Int64) -> Iterator[_Host]:
    hosts = allocation.nodes[permutation]
    order = np.argsort(hosts, kind="stable")
    for ranks in np.split(order, np.flatnonzero(np.diff(hosts[order])) + 1):
        yield _Host(ranks, np.sort(permutation[ranks]))


def _task(
    graph: Graph, allocation: Allocation, inside: Inside, host: _Host
) -> tuple[Graph, Machine]:
    """What the host's ranks send each other, and where its slots are."""
    vertices = inside.vertices[allocation.cores[host.slots]]
    return part_of(graph, host.ranks), Machine(inside.network, vertices, inside.name)


def _key(graph: Graph, machine: Machine) -> bytes:
    """Equal where hosts are to be arranged alike."""
    arrays = (graph.starts, graph.neighbours, graph.weights, machine.slots)
    return b"".join(array.tobytes() for array in arrays)
