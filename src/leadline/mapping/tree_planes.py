"""Switches with the nodes around them, and nodes at one medium."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leadline.mapping.planes import Link, Plane, Seats, Tile, evenly
from leadline.topology.networks import Float64, Int64, Tree

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
    """Those shown, in their order around it."""
    levels: int
    """Of switches, up to that one."""
    turns: Float64
    """Shape (nodes,): where each is around it, 0 to 1."""
    radius: float

    def point(self, ring: int, turn: float) -> tuple[float, float]:
        """A place on a ring: 0 is the nodes', `levels` the centre."""
        away, angle = self._away(ring), 2 * math.pi * turn
        return self.radius + away * math.sin(angle), self.radius - away * math.cos(angle)

    def side(self, ring: int, switches: int) -> float:
        """Of so many switches on a ring, for which there is room."""
        room = 2 * math.pi * self._away(ring) / switches if switches > 1 else math.inf
        return max(1.0, min(self.radius / SWITCHES, room))

    def _away(self, ring: int) -> float:
        return self.radius * (self.levels - ring) / self.levels


def tree_plane(network: Tree, seats: Seats, loads: Float64) -> Plane:
    """The switches above those who are there, up to the one that connects them all."""
    rings = _rings(network, evenly(np.array(sorted(seats)), MOST_NODES))
    tiles, links = list[Tile](), list[Link]()
    for node, turn in zip(rings.nodes.tolist(), rings.turns.tolist(), strict=True):
        tiles.append(Tile(*rings.point(0, turn), seats[node].colour, seats[node].text))
    turns = dict(zip(rings.nodes.tolist(), rings.turns.tolist(), strict=True))
    for level in range(rings.levels):
        above = _switches(rings, level)
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


def _switches(rings: _Rings, level: int) -> dict[int, float]:
    """The switches of a level, each in the middle of its nodes."""
    switches = rings.network.ancestors[rings.nodes, level]
    return {int(one): float(rings.turns[switches == one].mean()) for one in np.unique(switches)}


def _upward(
    rings: _Rings, level: int, below: dict[int, float], above: dict[int, float], loads: Float64
) -> Iterator[Link]:
    """From nodes, or switches, to the switches of a level."""
    ancestors = rings.network.ancestors
    first = _first_link(rings.network, level)
    for one, turn in below.items():
        owned = one if level == 0 else int(np.argmax(ancestors[:, level - 1] == one))
        switch = int(ancestors[owned, level])
        link = first + 2 * one
        yield Link(
            rings.point(level, turn),
            rings.point(level + 1, above[switch]),
            float(max(loads[link], loads[link + 1])),
        )


def _first_link(network: Tree, level: int) -> int:
    """Of those that lead up to a level, as link_loads numbers them."""
    below = [len(network.ancestors), *(len(np.unique(one)) for one in network.ancestors.T)]
    return 2 * sum(below[:level])


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
    """What all nodes send."""
    return float(loads[: 2 * len(network.ancestors) : 2].sum())
