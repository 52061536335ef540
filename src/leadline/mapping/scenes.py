"""What a picture of a mapping shows, as plain numbers: places, their colours, loads of links."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.mapping import link_loads
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.job import Job, ranks_of
from leadline.topology.networks import Float64, Int64, Torus

MOST_PLANES, MOST_TILES = 16, 12_000
"""Of more planes, or tiles in all of them, as many are shown, evenly apart."""
MOST_POINTS = 1000
"""Of a curve of loads, evenly apart."""
MOST_MATRIX = 64
"""Rows of a matrix of traffic; more nodes share them."""
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, modulo 1, lie far apart: colours of nodes with neighbouring numbers."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A place in the picture."""

    across: int
    down: int
    colour: tuple[float, ...]
    """One to three numbers from 0 to 1 to be made a colour; none: nobody's place."""
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A line between places, and the load of the busier of its two directions."""

    start: tuple[float, float]
    end: tuple[float, float]
    load: float


@dataclass(frozen=True, slots=True)
class Plane:
    """One plane of a torus or grid, or a matrix."""

    title: str
    width: int
    height: int
    tiles: tuple[Tile, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A job under one permutation."""

    planes: tuple[Plane, ...]
    loads: tuple[tuple[int, float], ...]
    """How many links, or nodes, have at least which load: a falling curve."""


def scenes(
    job: Job, permutations: Sequence[Int64], loads: Sequence[Float64] = ()
) -> tuple[Scene, ...]:
    """The torus with its ranks and links; else the grid with its nodes, or the nodes' traffic.

    Args:
        job: What runs where.
        permutations: Each of shape (ranks,): the slot of each rank; a scene for each.
        loads: For each what its links carry, shape (links,); (): the pattern's link_loads.
    """
    machine, network = job.allocation.machine, job.allocation.network
    loads = loads or [link_loads(job.pattern, machine, one) for one in permutations]
    if isinstance(network, Torus):
        return tuple(
            Scene(_torus_planes(job, network, p, load), _curve(load[load > 0]))
            for p, load in zip(permutations, loads, strict=True)
        )
    nodes = [job.allocation.vertices[permutation] for permutation in permutations]
    if isinstance(job.pattern, Grid):
        planes = [_grid_planes(job.pattern, holders) for holders in nodes]
    else:
        planes = _matrices([_traffic(job.pattern, holders) for holders in nodes])
    used = 2 * np.unique(job.allocation.vertices)  # the links that lead up from nodes
    curves = [_curve(load[used]) for load in loads]
    return tuple(Scene(*each) for each in zip(planes, curves, strict=True))


def _curve(loads: Float64) -> tuple[tuple[int, float], ...]:
    falling = np.sort(loads)[::-1]
    shown = np.unique(np.linspace(0, max(0, len(falling) - 1), MOST_POINTS).astype(np.int64))
    return tuple((int(i) + 1, float(falling[i])) for i in shown[: len(falling)])


def _shown_planes(planes: Int64, tiles: int) -> list[int]:
    """Some of `planes`, of so many tiles each."""
    most = min(len(planes), MOST_PLANES, max(1, MOST_TILES // tiles))
    return [int(plane) for plane in planes[np.linspace(0, len(planes) - 1, most).astype(np.int64)]]


def _stride(width: int, height: int) -> int:
    """Every how many places of a plane one is shown."""
    return math.ceil(math.sqrt(width * height / MOST_TILES))


def _title(names: Sequence[str], lengths: Sequence[int], plane: int) -> str:
    """E.g. "z = 3": where the plane lies along the axes that aren't in it."""
    if not lengths:
        return ""
    places = np.unravel_index(plane, tuple(lengths))
    return ", ".join(f"{name} = {at}" for name, at in zip(names, places, strict=True))


# -- a torus with its ranks ------------------------------------------------------------------------


def _torus_planes(
    job: Job, network: Torus, permutation: Int64, loads: Float64
) -> tuple[Plane, ...]:
    """Planes of the first two axes, those that have ranks on them."""
    holders = np.full(math.prod(network.dims), -1, dtype=np.int64)
    holders[job.allocation.vertices[permutation][::-1]] = np.arange(len(permutation))[::-1]
    width, height = (*network.dims, 1)[:2]
    ranks, colours = holders.reshape(width, height, -1), _positions(job.pattern)
    by_axis = loads.reshape(width, height, -1, len(network.dims), 2)
    step, others = _stride(width, height), network.dims[2:]
    names = [_axis(2 + i) for i in range(len(others))]
    return tuple(
        Plane(
            title=_title(names, others, plane),
            width=math.ceil(width / step),
            height=math.ceil(height / step),
            tiles=_rank_tiles(ranks[::step, ::step, plane], colours),
            links=tuple(_links(network, by_axis[:, :, plane])) if step == 1 else (),
        )
        for plane in _shown_planes(np.flatnonzero(np.any(ranks >= 0, axis=(0, 1))), width * height)
    )


def _axis(number: int) -> str:
    return "xyzuvw"[number] if number < 6 else f"axis {number}"


def _positions(pattern: Communication) -> Float64:
    """Shape (ranks, 1 to 3): where each rank is along the longest axes of its grid, 0 to 1."""
    ranks = ranks_of(pattern)
    dims = pattern.dims if isinstance(pattern, Grid) else (ranks,)
    longest = sorted(sorted(range(len(dims)), key=lambda axis: -dims[axis])[:3])
    places = np.unravel_index(np.arange(ranks), dims)
    axes = [places[axis] / (dims[axis] - 1) for axis in longest if dims[axis] > 1]
    return np.stack(axes or [np.zeros(ranks)], axis=1)


def _rank_tiles(ranks: Int64, colours: Float64) -> tuple[Tile, ...]:
    return tuple(
        Tile(x, y, tuple(colours[rank].tolist()), str(rank)) if rank >= 0 else Tile(x, y, (), "")
        for (x, y), rank in np.ndenumerate(ranks)
    )


def _links(network: Torus, loads: Float64) -> Iterator[Link]:
    """The links within a plane of `loads`, (x, y, axis, down or up)."""
    for axis in range(min(2, len(network.dims))):
        up, down = loads[:, :, axis, 1], loads[:, :, axis, 0]
        for (x, y), load in np.ndenumerate(np.maximum(up, np.roll(down, -1, axis))):
            yield from _drawn(network, axis, (x, y), float(load))


def _drawn(network: Torus, axis: int, place: tuple[int, int], load: float) -> Iterator[Link]:
    """The link up from `place`; one around the end is a stub at either side."""
    step = (1.0, 0.0) if axis == 0 else (0.0, 1.0)
    x, y = float(place[0]), float(place[1])
    if place[axis] + 1 < network.dims[axis]:
        yield Link((x, y), (x + step[0], y + step[1]), load)
    elif network.periodic[axis] and network.dims[axis] > 1:
        yield Link((x, y), (x + step[0] / 2, y + step[1] / 2), load)
        first = (0.0, y) if axis == 0 else (x, 0.0)
        yield Link(first, (first[0] - step[0] / 2, first[1] - step[1] / 2), load)


# -- a grid with its nodes, or traffic between nodes -----------------------------------------------


def _grid_planes(grid: Grid, nodes: Int64) -> tuple[Plane, ...]:
    """Planes of the two longest axes; every rank shows its node."""
    order = sorted(range(len(grid.dims)), key=lambda axis: -grid.dims[axis])
    inside, others = sorted(order[:2], reverse=True), sorted(order[2:])
    lengths = [grid.dims[axis] for axis in others]
    width, height = (*(grid.dims[axis] for axis in inside), 1)[:2]
    turned = nodes.reshape(grid.dims).transpose(*inside, *others).reshape(width, height, -1)
    step = _stride(width, height)
    return tuple(
        Plane(
            title=_title([f"axis {axis}" for axis in others], lengths, plane),
            width=math.ceil(width / step),
            height=math.ceil(height / step),
            tiles=tuple(
                Tile(x, y, _apart(int(node)), str(node))
                for (x, y), node in np.ndenumerate(turned[::step, ::step, plane])
            ),
        )
        for plane in _shown_planes(np.arange(turned.shape[2]), width * height)
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
