"""Patterns and machines for tests of mapping: named ones, and random ones of every kind."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from leadline.mapping import METRICS, evaluate, map_ranks
from leadline.mapping.metrics import reaches
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.networks import Machine, Torus, Tree, t3e

STEPS = 2000
MOST_IN_GRAPH = 49


def grid(*dims: int, periodic: bool = False) -> Grid:
    """A grid of weight 1, all axes open or all rings."""
    return Grid(dims, (periodic,) * len(dims), ((1.0, 1.0),) * len(dims), diagonals=False)


def edges_of(pattern: Grid) -> Graph:
    """The same as a list of edges, of which nobody says that it is a grid."""
    ranks = math.prod(pattern.dims)
    at = np.stack(np.unravel_index(np.arange(ranks), pattern.dims))
    rows: list[list[int]] = [[] for _ in range(ranks)]
    for axis, length in enumerate(pattern.dims):
        for step in (-1, 1):
            there = at.copy()
            there[axis] += step
            beyond = (there[axis] < 0) | (there[axis] == length)
            there[axis] %= length
            for rank, to in enumerate(np.ravel_multi_index(list(there), pattern.dims)):
                if pattern.periodic[axis] or not beyond[rank]:
                    rows[rank].append(int(to))
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    neighbours = np.array([to for row in rows for to in row], dtype=np.int64)
    return Graph(starts, neighbours, np.ones(len(neighbours)))


def torus(*dims: int) -> Machine:
    """A whole torus in order."""
    whole = np.arange(math.prod(dims), dtype=np.int64)
    return Machine(Torus(dims, (True,) * len(dims)), whole, "torus")


def cray(count: int) -> Machine:
    """The first processors of a Cray T3E of 8x8x8 in its numbering."""
    return Machine(Torus((8, 8, 8), (True,) * 3), t3e((8, 8, 8), count), "torus:8x8x8")


def nodes(count: int, cores: int) -> Machine:
    """Nodes at one switch."""
    vertices = np.repeat(np.arange(count, dtype=np.int64), cores)
    return Machine(Tree(np.zeros((count, 1), dtype=np.int64)), vertices, "nodes")


# -- random ones -----------------------------------------------------------------------------------


def random_pattern(random: np.random.Generator) -> Communication:
    """A grid of 1 to 4 axes, rings and stencils and weights among them, or a graph."""
    if random.random() < 0.2:
        return random_graph(random, MOST_IN_GRAPH)
    ndims = int(random.integers(1, 5))
    most = {1: 40, 2: 9, 3: 6, 4: 4}[ndims]
    weights = random.choice([0.0, 1.0, 2.5], size=(ndims, 2), p=[0.1, 0.6, 0.3])
    plain = random.random() < 0.5
    return Grid(
        dims=tuple(int(length) for length in random.integers(1, most + 1, ndims)),
        periodic=tuple(bool(ring) for ring in random.integers(0, 2, ndims)),
        weights=tuple((1.0, 1.0) if plain else (float(a), float(b)) for a, b in weights),
        diagonals=bool(random.random() < 0.2),
    )


def random_graph(random: np.random.Generator, most: int) -> Graph:
    """A graph of up to `most` ranks, of which some may be alone."""
    ranks = int(random.integers(1, most + 1))
    degrees = random.integers(0, 5, ranks)
    edges = int(degrees.sum())
    starts = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    neighbours = random.integers(0, ranks, edges).astype(np.int64)
    return Graph(starts, neighbours, random.integers(0, 4, edges).astype(np.float64))


def random_machine(random: np.random.Generator, ranks: int) -> Machine:
    """A torus, mesh or tree with holes, in any order, with equal or unequal numbers of cores."""
    cores = _random_cores(random, ranks)
    spare = int(random.integers(0, 20))
    network: Torus | Tree
    if random.random() < 0.6:
        ndims = int(random.integers(1, 5))
        dims = _random_box(random, ndims, len(cores) + spare)
        network = Torus(dims, tuple(bool(ring) for ring in random.integers(0, 2, ndims)))
        vertices = math.prod(dims)
    else:
        vertices = len(cores) + spare
        below, levels = np.arange(vertices), []
        for _ in range(int(random.integers(1, 4))):
            below = below // int(random.integers(1, 6))
            levels.append(below)
        network = Tree(np.stack(levels, axis=1).astype(np.int64))
    order: Callable[[Any], Any] = np.sort if random.random() < 0.5 else np.asarray
    chosen = order(random.choice(vertices, size=len(cores), replace=False))
    return Machine(network, np.repeat(chosen, cores).astype(np.int64), "random")


def _random_cores(random: np.random.Generator, ranks: int) -> list[int]:
    kind = random.integers(0, 3)
    if kind == 0:
        return [1] * ranks
    if kind == 1:
        whole = [part for part in range(1, ranks + 1) if ranks % part == 0]
        each = int(random.choice(whole))
        return [each] * (ranks // each)
    cores: list[int] = []
    while sum(cores) < ranks:
        cores.append(min(int(random.integers(1, 9)), ranks - sum(cores)))
    return cores


def _random_box(random: np.random.Generator, ndims: int, volume: int) -> tuple[int, ...]:
    dims = [1] * ndims
    while math.prod(dims) < volume:
        dims[int(random.integers(0, ndims))] += 1
    return tuple(dims)


# -- what holds for all of them --------------------------------------------------------------------


def measured(metrics: Any, metric: str) -> float:
    """The value of `metric`."""
    return float(getattr(metrics, METRICS[metric]))


def check_random_case(seed: int) -> None:
    """Maps the random case `seed`: a permutation, never worse than the identity, twice the same."""
    random = np.random.default_rng(seed)
    pattern = random_pattern(random)
    ranks = math.prod(pattern.dims) if isinstance(pattern, Grid) else len(pattern.starts) - 1
    machine = random_machine(random, ranks)
    metric = tuple(METRICS)[seed % len(METRICS)]
    found = map_ranks(pattern, machine, metric=metric, steps=STEPS, seed=seed)
    again = map_ranks(pattern, machine, metric=metric, steps=STEPS, seed=seed)
    after, before = measured(found.after, metric), measured(found.before, metric)
    assert sorted(found.permutation.tolist()) == list(range(ranks)), seed
    assert after <= before, seed
    assert np.array_equal(found.permutation, again.permutation), seed
    assert found.before == evaluate(pattern, machine, np.arange(ranks)), seed
    assert reaches(found.lower_bound, after), seed


if __name__ == "__main__":  # under sanitisers: the library that is named first, then how many
    import leadline.mapping.library

    leadline.mapping.library.mapping_library = lambda: sys.argv[1]  # type: ignore[attr-defined]
    for number in range(int(sys.argv[2])):
        check_random_case(number)
