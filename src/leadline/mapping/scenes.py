"""What a picture of a mapping shows, as plain numbers: places, their colours, loads of links."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from leadline.mapping import link_loads
from leadline.mapping.planes import (
    Plane,
    Scene,
    Seat,
    Seats,
    Tile,
    curve,
    medium_plane,
    shown_planes,
    stride,
    title_of,
    torus_scene,
    tree_plane,
)
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.job import Job, ranks_of
from leadline.topology.networks import Float64, Int64, Network, Torus

MOST_MATRIX = 64
"""Rows of a matrix of traffic; more nodes share them."""
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, modulo 1, lie far apart: colours of nodes with neighbouring numbers."""


def scenes(job: Job, permutations: Sequence[Int64]) -> tuple[Scene, ...]:
    """The torus with its ranks and links; else the grid with its nodes, or the nodes' traffic.

    Args:
        job: What runs where.
        permutations: Each of shape (ranks,): the slot of each rank; a scene for each.
    """
    machine, network = job.allocation.machine, job.allocation.network
    loads = [link_loads(job.pattern, machine, one).ravel() for one in permutations]
    if isinstance(network, Torus):
        return tuple(
            machine_scene(network, seats_of(job, permutation), load)
            for permutation, load in zip(permutations, loads, strict=True)
        )
    nodes = [job.allocation.vertices[permutation] for permutation in permutations]
    if isinstance(job.pattern, Grid):
        planes = [_grid_planes(job.pattern, holders) for holders in nodes]
    else:
        planes = _matrices([_traffic(job.pattern, holders) for holders in nodes])
    used = 2 * np.unique(job.allocation.vertices)  # the links that lead up from nodes
    curves = [curve(load[used]) for load in loads]
    return tuple(Scene(*each) for each in zip(planes, curves, strict=True))


# -- the machine with its ranks -------------------------------------------------------------------


def machine_scene(network: Network, seats: Seats, loads: Float64, shared: bool = False) -> Scene:
    """The network as it lies, those who are on it, and what its links carry.

    Args:
        network: A torus as planes; a tree as nodes around their switches.
        seats: By vertex; at least one.
        loads: Shape (links,), as of link_loads.
        shared: All links of a tree are one medium.
    """
    if isinstance(network, Torus):
        return torus_scene(network, seats, loads)
    plane = (medium_plane if shared else tree_plane)(network, seats, loads)
    return Scene((plane,), curve(loads[2 * np.array(sorted(seats))]))


def seats_of(job: Job, permutation: Int64) -> dict[int, Seat]:
    """By vertex the first rank there; like colours are near in the pattern."""
    colours, vertices = _positions(job.pattern), job.allocation.vertices[permutation]
    ranks = range(len(permutation) - 1, -1, -1)
    return {int(vertices[r]): Seat(str(r), tuple(colours[r].tolist())) for r in ranks}


def seats_of_jobs(jobs: Sequence[tuple[Job, Int64]], first: int = 0) -> dict[int, Seat]:
    """By vertex the first rank there; each job has its hue, its ranks get lighter.

    Args:
        jobs: On disjoint slots, each with the slots of its ranks.
        first: The number, among all jobs that are to differ, of the first of these.
    """
    found = dict[int, Seat]()
    for number, (job, permutation) in enumerate(jobs, first):
        vertices, last = job.allocation.vertices[permutation], max(1, len(permutation) - 1)
        for rank in range(len(permutation) - 1, -1, -1):
            found[int(vertices[rank])] = Seat(str(rank), ((GOLDEN * number) % 1, rank / last))
    return found


def _positions(pattern: Communication) -> Float64:
    """Shape (ranks, 1 to 3): where each rank is along the longest axes of its grid, 0 to 1."""
    ranks = ranks_of(pattern)
    dims = pattern.dims if isinstance(pattern, Grid) else (ranks,)
    longest = sorted(sorted(range(len(dims)), key=lambda axis: -dims[axis])[:3])
    places = np.unravel_index(np.arange(ranks), dims)
    axes = [places[axis] / (dims[axis] - 1) for axis in longest if dims[axis] > 1]
    return np.stack(axes or [np.zeros(ranks)], axis=1)


# -- a grid with its nodes, or traffic between nodes -----------------------------------------------


def _grid_planes(grid: Grid, nodes: Int64) -> tuple[Plane, ...]:
    """Planes of the two longest axes; every rank shows its node."""
    order = sorted(range(len(grid.dims)), key=lambda axis: -grid.dims[axis])
    inside, others = sorted(order[:2], reverse=True), sorted(order[2:])
    lengths = [grid.dims[axis] for axis in others]
    width, height = (*(grid.dims[axis] for axis in inside), 1)[:2]
    turned = nodes.reshape(grid.dims).transpose(*inside, *others).reshape(width, height, -1)
    step = stride(width, height)
    return tuple(
        Plane(
            title=title_of([f"axis {axis}" for axis in others], lengths, plane),
            width=math.ceil(width / step),
            height=math.ceil(height / step),
            tiles=tuple(
                Tile(x, y, _apart(int(node)), str(node))
                for (x, y), node in np.ndenumerate(turned[::step, ::step, plane])
            ),
        )
        for plane in shown_planes(np.arange(turned.shape[2]), width * height)
    )


def _apart(node: int) -> tuple[float, float]:
    """Two numbers that differ clearly between nodes with neighbouring numbers."""
    return (GOLDEN * node) % 1, (GOLDEN * (node // 3)) % 1


def _traffic(graph: Graph, nodes: Int64) -> Float64:
    """Shape (rows, rows): from node to node; what stays within one isn't counted."""
    numbers = np.unique(nodes, return_inverse=True)[1]
    count = int(numbers.max()) + 1
    size = min(MOST_MATRIX, count)
    rows = numbers * size // count
    sources = np.repeat(np.arange(len(nodes)), np.diff(graph.starts))
    out = nodes[sources] != nodes[graph.neighbours]
    traffic = np.zeros((size, size))
    np.add.at(traffic, (rows[sources[out]], rows[graph.neighbours[out]]), graph.weights[out])
    return traffic


def _matrices(traffics: Sequence[Float64]) -> list[tuple[Plane, ...]]:
    """Shades in proportion to the busiest entry of all."""
    busiest = max(float(traffic.max()) for traffic in traffics) or 1.0
    return [
        (
            Plane(
                title="",
                width=len(traffic),
                height=len(traffic),
                tiles=tuple(
                    Tile(across, down, (float(load) / busiest,) if load else (), "")
                    for (down, across), load in np.ndenumerate(traffic)
                ),
            ),
        )
        for traffic in traffics
    ]
