"""Which core of its host each rank gets, where the inside of hosts is described.

Cores of a host are one vertex of the network between hosts: the order of ranks on them changes none
of its metrics. So ranks are mapped onto hosts first, then those of each host onto its cores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leadline.mapping import RankMapping, map_ranks
from leadline.mapping.library import library, problem
from leadline.native.structures import doubles, int64s
from leadline.topology.allocation import Inside
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
    """Hop-bytes inside all hosts together; a host has the same ranks in both.

    A message counts its weight times the hops through the host: 0 within the innermost group of
    cores, 2 for each level of groups that it leaves.
    """

    in_order: float
    """With each host's ranks in their order on its cores."""
    mapped: float
    """With them mapped onto the cores; never more."""


def arranged(
    job: Job, inside: Inside, mapping: RankMapping, *, steps: int, seed: int
) -> tuple[RankMapping, HopsInside]:
    """`mapping` with the ranks of each host mapped onto its cores, and their hops inside hosts.

    Args:
        job: The job that was mapped.
        inside: The inside of each host of its allocation.
        mapping: The mapping of its ranks onto hosts.
        steps: Swaps tried in the end, of all hosts that differ together.
        seed: The seed of the swaps.
    """
    allocation, mapped = job.allocation, mapping.permutation
    graph = graph_of(job.pattern, allocation.machine)
    nodes = allocation.nodes[mapped]
    order = np.argsort(nodes, kind="stable")
    hosts: list[tuple[Int64, Int64, bytes]] = []  # ranks, slots, both ascending, and a key
    tasks: dict[bytes, tuple[Graph, Machine]] = {}  # each once; equal keys are arranged alike
    for ranks in np.split(order, np.flatnonzero(np.diff(nodes[order])) + 1):
        slots = np.sort(mapped[ranks])
        part = part_of(graph, ranks)
        machine = Machine(inside.network, inside.vertices[allocation.cores[slots]], inside.name)
        arrays = (part.starts, part.neighbours, part.weights, machine.slots)
        key = b"".join(array.tobytes() for array in arrays)
        hosts.append((ranks, slots, key))
        tasks[key] = part, machine
    each = steps // len(tasks)
    mappings = {
        key: map_ranks(*task, metric="hop-bytes", steps=each, seed=seed)
        for key, task in tasks.items()
    }
    permutation = mapped.copy()
    for ranks, slots, key in hosts:
        permutation[ranks] = slots[mappings[key].permutation]
    hops = HopsInside(
        in_order=sum(mappings[key].before.hop_bytes for *_, key in hosts),
        mapped=sum(mappings[key].after.hop_bytes for *_, key in hosts),
    )
    return replace(mapping, permutation=permutation), hops
