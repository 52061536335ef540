"""What a picture of a machine and a mapping shows, as plain numbers: tiles, lines, loads of links.

A torus is planes of its two longest axes, as far as ranks and their messages go; a tree is switches
with the nodes around them; nodes may be at one medium. Without a torus a mapping is a grid with its
nodes, or the traffic between nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.mapping import link_loads
from leadline.topology.communication import Communication, Graph, Grid
from leadline.topology.job import Job, ranks_of
from leadline.topology.networks import Float64, Int64, Network, Torus, Tree

MOST_MATRIX = 64
"""Rows of a matrix of traffic; more nodes share them."""
GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, modulo 1, lie far apart: colours of nodes with neighbouring numbers."""
MOST_POINTS = 1000
"""Most points of a curve of loads, evenly apart."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A place in the picture."""

    across: float
    down: float
    colour: tuple[float, ...]
    """One to three numbers from 0 to 1 that become a colour; none: an empty place."""
    text: str
    size: float = 1.0
    """Length of its sides, relative to other tiles."""


@dataclass(frozen=True, slots=True)
class Link:
    """A line between places, and the load of the busier of its two directions."""

    start: tuple[float, float]
    end: tuple[float, float]
    load: float


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane of a torus or grid, a tree, or a matrix."""

    title: str
    width: float
    height: float
    """Its places lie from 0 to `width` - 1 and to `height` - 1."""
    tiles: tuple[Tile, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A machine with its ranks."""

    planes: tuple[Plane, ...]
    loads: tuple[tuple[int, float], ...]
    """Numbers of links, or nodes, that have at least a load: a falling curve."""
    axes: tuple[str, ...] = ()
    """Axes of a torus: across, down, then those whose links are drawn at corners of places."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The rank or job on a node."""

    text: str
    colour: tuple[float, ...]
    """As a Tile's."""


Seats = Mapping[int, Seat]
"""By vertex of a network."""


def curve(loads: Float64) -> tuple[tuple[int, float], ...]:
    """Numbers of `loads` that are at least a load, as points of a falling curve."""
    falling = np.sort(loads)[::-1]
    return tuple(
        (int(i) + 1, float(falling[i])) for i in evenly(np.arange(len(falling)), MOST_POINTS)
    )


def evenly(numbers: Int64, most: int) -> Int64:
    """At most `most` of `numbers`: the first, the last and others evenly apart."""
    if len(numbers) <= most:
        return numbers
    return numbers[np.unique(np.linspace(0, len(numbers) - 1, most).astype(np.int64))]


# -- a torus ---------------------------------------------------------------------------------------

MOST_PLANES, MOST_TILES = 16, 12_000
"""Of more planes, or tiles in all of them, as many are shown, evenly apart."""
CORNERS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Where from its place a link out of the plane points: along the first other axis, the second .."""
OUTWARD, CORNERWARD = 0.5, 0.42
"""Of the way to the next place, that a link is drawn whose other end isn't shown."""


def stride(width: int, height: int) -> int:
    """The distance of the places of a plane that are shown."""
    return math.ceil(math.sqrt(width * height / MOST_TILES))


def shown_planes(planes: Int64, tiles: int) -> list[int]:
    """Some of `planes`, each of `tiles` tiles."""
    return [int(one) for one in evenly(planes, min(MOST_PLANES, max(1, MOST_TILES // tiles)))]


def title_of(names: Sequence[str], lengths: Sequence[int], plane: int) -> str:
    """E.g. "z = 3": where the plane lies along the axes that aren't in it."""
    if not lengths:
        return ""
    places = np.unravel_index(plane, tuple(lengths))
    return ", ".join(f"{name} = {at}" for name, at in zip(names, places, strict=True))


@dataclass(frozen=True, slots=True)
class _Box:
    """The part of a torus that is shown."""

    network: Torus
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    inside: tuple[int, ...]
    """The axes across and down; the second is missing where there is only one."""
    others: tuple[int, ...]

    def lengths(self, axes: Sequence[int]) -> list[int]:
        """The number of places that are shown along each of `axes`."""
        return [self.highs[axis] - self.lows[axis] + 1 for axis in axes]


def torus_scene(network: Torus, seats: Seats, loads: Float64) -> Scene:
    """The planes that have ranks on them; loads as from link_loads, shape (links,)."""
    of_links = loads.reshape(-1, len(network.dims), 2)
    box = _box(network, np.array(sorted(seats)), np.flatnonzero(of_links.any(axis=(1, 2))))
    taken = np.stack(np.unravel_index(np.array(sorted(seats)), network.dims))
    width, height = (*box.lengths(box.inside), 1)[:2]
    step = stride(width, height)
    numbers = np.zeros(1, dtype=np.int64)  # of the planes that have ranks on them
    if box.others:
        places = tuple(taken[list(box.others)])
        numbers = np.unique(np.ravel_multi_index(places, tuple(_lengths(box))))
    planes = tuple(
        Plane(
            title=title_of([axis_name(a) for a in box.others], _lengths(box), plane),
            width=math.ceil(width / step),
            height=math.ceil(height / step),
            tiles=tuple(
                Tile(x, y, seat.colour, seat.text) if seat else Tile(x, y, (), "")
                for (x, y), vertex in np.ndenumerate(vertices[::step, ::step])
                for seat in [seats.get(int(vertex))]
            ),
            links=tuple(_links(box, vertices, of_links)) if step == 1 else (),
        )
        for plane in shown_planes(numbers, width * height)
        for vertices in [_vertices(box, plane)]
    )
    drawn = (*box.inside, *box.others[: len(CORNERS)])
    return Scene(planes, curve(loads[loads > 0]), tuple(map(axis_name, drawn)))


def _box(network: Torus, seated: Int64, passed: Int64) -> _Box:
    """All places with ranks on them, or with messages passing; the two longest sides inside."""
    shown = np.stack(np.unravel_index(np.union1d(seated, passed), network.dims))
    lows, highs = shown.min(axis=1).tolist(), shown.max(axis=1).tolist()
    order = sorted(range(len(lows)), key=lambda axis: lows[axis] - highs[axis])
    inside, others = tuple(sorted(order[:2])), tuple(sorted(order[2:]))
    return _Box(network, tuple(lows), tuple(highs), inside, others)


def _lengths(box: _Box) -> list[int]:
    return [box.network.dims[axis] for axis in box.others]


def _vertices(box: _Box, plane: int) -> Int64:
    """Shape (width, height): the vertices of a plane."""
    places = [np.zeros((1, 1), dtype=np.int64)] * len(box.network.dims)
    if box.others:
        for axis, at in zip(box.others, np.unravel_index(plane, tuple(_lengths(box))), strict=True):
            places[axis] = np.full((1, 1), at)
    for axis, shape in zip(box.inside, ((-1, 1), (1, -1)), strict=False):
        places[axis] = np.arange(box.lows[axis], box.highs[axis] + 1).reshape(shape)
    return np.ravel_multi_index(tuple(np.broadcast_arrays(*places)), box.network.dims)


def axis_name(number: int) -> str:
    """The name of an axis of a torus."""
    return "xyzuvw"[number] if number < 6 else f"axis {number}"


def _links(box: _Box, vertices: Int64, loads: Float64) -> Iterator[Link]:
    """Links within the plane, those that leave it at its ends, then those to other planes."""
    for axis, (right, below) in zip(box.inside, ((1, 0), (0, 1)), strict=False):
        last = vertices.shape[1 if below else 0] - 1
        for (x, y), vertex in np.ndenumerate(vertices):
            if (y if below else x) < last:
                load = _load(box.network, axis, int(vertex), loads)
                yield Link((x, y), (x + right, y + below), load or 0.0)
        yield from _ends(box, axis, vertices, loads)
    for axis, corner in zip(box.others, CORNERS, strict=False):
        for (x, y), vertex in np.ndenumerate(vertices):
            end = (x + CORNERWARD * corner[0], y + CORNERWARD * corner[1])
            yield from _stub((x, y), end, _load(box.network, axis, int(vertex), loads))


def _ends(box: _Box, axis: int, vertices: Int64, loads: Float64) -> Iterator[Link]:
    """Where links lead out of the plane along one of its axes: half of each is drawn."""
    below = box.inside.index(axis) == 1
    lines = vertices.T if below else vertices
    last = len(lines) - 1
    for at in range(lines.shape[1]):
        load = _load(box.network, axis, int(lines[last, at]), loads)
        yield from _stub(_turned(last, at, below), _turned(last + OUTWARD, at, below), load)
        before = _next(box.network, axis, int(lines[0, at]), -1)
        if before is not None:
            load = _load(box.network, axis, before, loads)
            yield from _stub(_turned(0, at, below), _turned(-OUTWARD, at, below), load)


def _turned(along: float, beside: float, below: bool) -> tuple[float, float]:
    """Across and down of a place along an axis that goes across, or down."""
    return (beside, along) if below else (along, beside)


def _stub(
    place: tuple[float, float], end: tuple[float, float], load: float | None
) -> Iterator[Link]:
    """A line from a place; none where there is no link."""
    if load is not None:
        yield Link(place, end, load)


def _next(network: Torus, axis: int, vertex: int, step: int) -> int | None:
    """The vertex one step along an axis; None: there is none."""
    length, apart = network.dims[axis], math.prod(network.dims[axis + 1 :])
    at = vertex // apart % length
    if not 0 <= at + step < length and (length == 1 or not network.periodic[axis]):
        return None
    return vertex + ((at + step) % length - at) * apart


def _load(network: Torus, axis: int, vertex: int, loads: Float64) -> float | None:
    """The load of the link up along an axis; None: there is no link."""
    above = _next(network, axis, vertex, 1)
    return None if above is None else float(max(loads[vertex, axis, 1], loads[above, axis, 0]))


# -- a tree, or one medium -------------------------------------------------------------------------

MOST_NODES = 128
"""Around switches; of more with somebody on them as many are shown, evenly apart."""
APART = 0.7
"""Between nodes of different switches, of the way from one node to the next."""
SWITCHES = 8
"""The radius of the outermost ring is so many sides of a switch, if there is room."""
RING = 1.5
"""At least from a switch to what is below it."""


@dataclass(frozen=True, slots=True)
class _Rings:
    """Nodes on the outermost of rings around the switch that connects them all."""

    network: Tree
    nodes: Int64
    """The nodes that are shown, in their order around it."""
    levels: int
    """Levels of switches, up to that one."""
    turns: Float64
    """Shape (nodes,): where each is around it, 0 to 1."""
    radius: float

    def point(self, ring: int, turn: float) -> tuple[float, float]:
        """A place on a ring: 0 is the nodes', `levels` the centre."""
        away, angle = self._away(ring), 2 * math.pi * turn
        return self.radius + away * math.sin(angle), self.radius - away * math.cos(angle)

    def side(self, ring: int, switches: int) -> float:
        """The side of each of `switches` switches on a ring, as far as there is room."""
        room = 2 * math.pi * self._away(ring) / switches if switches > 1 else math.inf
        return max(1.0, min(self.radius / SWITCHES, room))

    def _away(self, ring: int) -> float:
        return self.radius * (self.levels - ring) / self.levels


def tree_plane(network: Tree, seats: Seats, loads: Float64) -> Plane:
    """The switches above the nodes with ranks, up to the one that connects them all."""
    rings = _rings(network, evenly(np.array(sorted(seats)), MOST_NODES))
    tiles, links = list[Tile](), list[Link]()
    for node, turn in zip(rings.nodes.tolist(), rings.turns.tolist(), strict=True):
        tiles.append(Tile(*rings.point(0, turn), seats[node].colour, seats[node].text))
    turns = dict(zip(rings.nodes.tolist(), rings.turns.tolist(), strict=True))
    for level in range(rings.levels):
        switches = network.ancestors[rings.nodes, level]  # each in the middle of its nodes
        above = {
            int(switch): float(rings.turns[switches == switch].mean())
            for switch in np.unique(switches)
        }
        links += _upward(rings, level, turns, above, loads)
        turns = above
        size = rings.side(level + 1, len(turns))
        tiles += [Tile(*rings.point(level + 1, turn), (), "", size) for turn in turns.values()]
    side = 2 * rings.radius + 1
    return Plane(_title(rings.nodes, network), side, side, tuple(tiles), tuple(links))


def _rings(network: Tree, nodes: Int64) -> _Rings:
    """Nodes of one switch side by side, a gap between switches."""
    ancestors = network.ancestors[nodes]
    order = np.lexsort((nodes, *ancestors.T))
    nodes, ancestors = nodes[order], ancestors[order]
    common = np.flatnonzero((ancestors == ancestors[0]).all(axis=0))
    levels = 1 + int(common[0]) if len(common) else ancestors.shape[1]
    new = np.diff(ancestors[:, 0]) != 0
    places = np.concatenate([[0.0], np.cumsum(1 + APART * new)])
    around = places[-1] + 1 + APART * bool(new.any())
    radius = max(float(around) / (2 * math.pi), RING * levels)
    return _Rings(network, nodes, levels, places / around, radius)


def _upward(
    rings: _Rings, level: int, below: dict[int, float], above: dict[int, float], loads: Float64
) -> Iterator[Link]:
    """Links from nodes, or switches, to the switches of a level."""
    ancestors = rings.network.ancestors
    counts = [len(ancestors), *(len(np.unique(one)) for one in ancestors.T)]
    first = 2 * sum(counts[:level])  # as link_loads numbers links
    for one, turn in below.items():
        owned = one if level == 0 else int(np.argmax(ancestors[:, level - 1] == one))
        switch = int(ancestors[owned, level])
        link = first + 2 * one
        yield Link(
            rings.point(level, turn),
            rings.point(level + 1, above[switch]),
            float(max(loads[link], loads[link + 1])),
        )


def _title(shown: Int64, network: Tree) -> str:
    nodes = len(network.ancestors)
    return f"{len(shown):,} of {nodes:,} nodes" if len(shown) < nodes else f"{nodes:,} nodes"


def medium_plane(network: Tree, seats: Seats, loads: Float64) -> Plane:
    """Nodes above and below the one medium that all their messages take."""
    nodes = evenly(np.array(sorted(seats)), MOST_NODES).tolist()
    columns = math.ceil(len(nodes) / 2)
    places = [(column, 2 * row) for row in (0, 1) for column in range(columns)]
    tiles, links = list[Tile](), [Link((-0.5, 1), (columns - 0.5, 1), medium_load(network, loads))]
    for node, (across, down) in zip(nodes, places, strict=False):
        tiles.append(Tile(across, down, seats[node].colour, seats[node].text))
        load = float(max(loads[2 * node], loads[2 * node + 1]))
        links.append(Link((across, down), (across, 1), load))
    return Plane(_title(np.array(nodes), network), columns, 3, tuple(tiles), tuple(links))


def medium_load(network: Tree, loads: Float64) -> float:
    """Bytes that all nodes send over the one medium."""
    return float(loads[: 2 * len(network.ancestors) : 2].sum())


# -- a mapping -------------------------------------------------------------------------------------


def scenes(job: Job, permutations: Sequence[Int64]) -> tuple[Scene, ...]:
    """The torus with its ranks and links; else the grid with its nodes, or the nodes' traffic.

    Args:
        job: The job and its allocation.
        permutations: Each of shape (ranks,): the slot of each rank; a scene for each.
    """
    machine, network = job.allocation.machine, job.allocation.network
    loads = [link_loads(job.pattern, machine, permutation).ravel() for permutation in permutations]
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


# -- the machine with its ranks --------------------------------------------------------------------


def machine_scene(network: Network, seats: Seats, loads: Float64, shared: bool = False) -> Scene:
    """The network, the ranks or jobs on it, and the loads of its links.

    Args:
        network: A torus as planes; a tree as nodes around their switches.
        seats: By vertex; at least one.
        loads: Shape (links,), as from link_loads.
        shared: Whether all links of a tree are one medium.
    """
    if isinstance(network, Torus):
        return torus_scene(network, seats, loads)
    plane = (medium_plane if shared else tree_plane)(network, seats, loads)
    return Scene((plane,), curve(loads[2 * np.array(sorted(seats))]))


def seats_of(job: Job, permutation: Int64) -> dict[int, Seat]:
    """The first rank at each vertex; similar colours are near in the pattern."""
    colours, vertices = _positions(job.pattern), job.allocation.vertices[permutation]
    ranks = range(len(permutation) - 1, -1, -1)
    return {int(vertices[r]): Seat(str(r), tuple(colours[r].tolist())) for r in ranks}


def seats_of_jobs(jobs: Sequence[tuple[Job, Int64]], first: int = 0) -> dict[int, Seat]:
    """The first rank at each vertex; each job has its hue, its ranks get lighter.

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
    """Shape (rows, rows): traffic from node to node; traffic within a node isn't counted."""
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
