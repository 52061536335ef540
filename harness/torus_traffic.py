"""Messages on a torus, as the flow engine and SimGrid take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leadline.mapping.routes import links_of, route
from leadline.simulate.flow import TaskGraph
from leadline.topology.networks import Float64, Int64, Torus

LINK, OUT, IN, BUS = 340e6, 342e6, 342e6, 400e6
"""B/s; of a Cray T3E, so that links and nodes limit in turn."""


@dataclass(frozen=True)
class Traffic:
    """Messages on a torus with a processor a vertex."""

    dims: tuple[int, ...]
    sources: Int64
    destinations: Int64
    sizes: Float64
    delays: Float64
    waits: Int64
    """1: a message waits for the one before it."""

    def graph(self) -> TaskGraph:
        """Links, then of all vertices ways out, ways in, buses."""
        network = Torus(self.dims, (True,) * len(self.dims))
        vertices, links = int(np.prod(self.dims)), links_of(network)
        starts, passed = route(network, self.sources, self.destinations)
        ends = np.stack([
            links + self.sources, links + vertices + self.destinations,
            links + 2 * vertices + self.sources, links + 2 * vertices + self.destinations,
        ], axis=1)  # fmt: skip
        routes = np.insert(passed, np.repeat(starts[1:], 4), ends.reshape(-1))
        capacity = np.repeat([LINK, OUT, IN, BUS], [links, vertices, vertices, vertices])
        count = len(self.sources)
        return TaskGraph(
            capacity_bytes_per_s=capacity,
            delay_s=self.delays,
            size_bytes=self.sizes,
            most_bytes_per_s=np.full(count, np.inf),
            route_starts=starts + 4 * np.arange(count + 1),
            routes=routes,
            after_starts=np.concatenate([[0], np.cumsum(self.waits)]),
            after=np.flatnonzero(self.waits) - 1,
        )


def at_once(dims: tuple[int, ...], sources: Int64, destinations: Int64) -> Traffic:
    """A megabyte for each pair, all at the same time."""
    moved = sources != destinations
    count = int(np.count_nonzero(moved))
    return Traffic(
        dims, sources[moved], destinations[moved], np.full(count, 1e6), np.zeros(count),
        np.zeros(count, dtype=np.int64),
    )  # fmt: skip


def neighbour(dims: tuple[int, ...], axis: int, step: int) -> Int64:
    """Of each vertex, `step` along `axis`."""
    return np.roll(np.arange(np.prod(dims)).reshape(dims), -step, axis).reshape(-1)


def uniform(dims: tuple[int, ...]) -> Traffic:
    """Everybody to the next one along the last axis."""
    return at_once(dims, np.arange(np.prod(dims)), neighbour(dims, len(dims) - 1, 1))


def permutation(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody to somebody, each once."""
    count = int(np.prod(dims))
    return at_once(dims, np.arange(count), random.permutation(count))


def halo(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody to all of its neighbours in a grid, which lies on the torus in any order."""
    order = random.permutation(int(np.prod(dims)))
    steps = [(axis, step) for axis in range(len(dims)) for step in (-1, 1)]
    destinations = [order[neighbour(dims, axis, step)] for axis, step in steps]
    return at_once(dims, np.tile(order, len(steps)), np.concatenate(destinations))


def chains(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody sends up to three messages of any size to anybody, with pauses, one by one."""
    vertices = int(np.prod(dims))
    lengths = random.integers(1, 4, vertices)
    sources = np.repeat(np.arange(vertices), lengths)
    count = len(sources)
    others = (sources + random.integers(1, vertices, count)) % vertices
    waits = np.ones(count, dtype=np.int64)
    waits[np.cumsum(lengths) - lengths] = 0
    sizes = random.integers(1_000, 2_000_000, count).astype(np.float64)
    return Traffic(dims, sources, others, sizes, random.uniform(0, 0.01, count), waits)


def random_traffic(seed: int) -> Traffic:
    """On 8 to 512 processors."""
    random = np.random.default_rng(seed)
    dims = tuple(int(length) for length in random.integers(2, 9, 3))
    return (permutation, halo, chains)[seed % 3](dims, random)
