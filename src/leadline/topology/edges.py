"""Who sends how much to whom, edge by edge, whatever kind of pattern says so."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.networks import Float64, Int64


def graph_of(pattern: Communication) -> Graph:
    """`pattern` as a graph, whose rows are sorted; edges from one rank to another are one.

    Edges to oneself and of weight 0 are none.
    """
    sources, targets, weights = (
        _edges_of_grid(pattern) if isinstance(pattern, Grid) else _edges(pattern)
    )
    ranks = math.prod(pattern.dims) if isinstance(pattern, Grid) else len(pattern.starts) - 1
    kept = (sources != targets) & (weights > 0)
    pairs, first = np.unique(sources[kept] * ranks + targets[kept], return_inverse=True)
    together = np.bincount(first.reshape(-1), weights[kept], len(pairs)).astype(np.float64)
    starts = np.searchsorted(pairs // ranks, np.arange(ranks + 1))
    return Graph(starts.astype(np.int64), (pairs % ranks).astype(np.int64), together)


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


def _edges(graph: Graph) -> tuple[Int64, Int64, Float64]:
    sources = np.repeat(np.arange(len(graph.starts) - 1, dtype=np.int64), np.diff(graph.starts))
    return sources, graph.neighbours, graph.weights


def _edges_of_grid(grid: Grid) -> tuple[Int64, Int64, Float64]:
    """Source, target and weight of each edge, one step of the stencil after the other."""
    places = np.indices(grid.dims).reshape(len(grid.dims), -1)
    lengths = np.array(grid.dims)[:, None]
    parts = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for step, weight in _steps(grid):
        moved = places + np.array(step)[:, None]
        around = np.array(grid.periodic)[:, None] & (moved % lengths != moved)
        there = np.where(around, moved % lengths, moved)
        found = np.flatnonzero(((there >= 0) & (there < lengths)).all(axis=0))
        targets = np.ravel_multi_index(tuple(there[:, found]), grid.dims)
        parts.append((found, targets.astype(np.int64), np.full(len(found), weight)))
    sources, all_targets, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sources, all_targets, weights


def _steps(grid: Grid) -> Iterator[tuple[tuple[int, ...], float]]:
    """Each step to a neighbour, and what is sent there; none along an axis of length 1."""
    moves = [(0,) if length == 1 else (-1, 0, 1) for length in grid.dims]
    if not grid.diagonals:
        axes = range(len(moves))
        singles = ((axis, move) for axis in axes for move in moves[axis] if move)
        for axis, move in singles:
            yield tuple(move * (axis == k) for k in axes), grid.weights[axis][move > 0]
        return
    for step in itertools.product(*moves):
        taken = [grid.weights[axis][move > 0] for axis, move in enumerate(step) if move]
        if taken:
            yield step, math.prod(taken)
