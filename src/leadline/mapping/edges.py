"""Who sends how much to whom, edge by edge, whatever kind of pattern says so."""

from __future__ import annotations

import numpy as np

from leadline.mapping.library import library, problem
from leadline.native.structures import doubles, int64s
from leadline.topology.communication import Communication, Graph
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
