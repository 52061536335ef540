"""What a picture of a machine is made of, as plain numbers: tiles, lines between them, loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leadline.topology.networks import Float64, Int64

MOST_POINTS = 1000
"""Of a curve of loads, evenly apart."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A place in the picture."""

    across: float
    down: float
    colour: tuple[float, ...]
    """One to three numbers from 0 to 1 to be made a colour; none: nobody's place."""
    text: str
    size: float = 1.0
    """Of its sides, as against other tiles'."""


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
    """A machine with those who are on it."""

    planes: tuple[Plane, ...]
    loads: tuple[tuple[int, float], ...]
    """How many links, or nodes, have at least which load: a falling curve."""
    axes: tuple[str, ...] = ()
    """Of a torus: across, down, then those whose links are drawn at the corners of places."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is on a node."""

    text: str
    colour: tuple[float, ...]
    """As a Tile's."""


Seats = Mapping[int, Seat]
"""By vertex of a network."""


def curve(loads: Float64) -> tuple[tuple[int, float], ...]:
    """How many have at least which load."""
    falling = np.sort(loads)[::-1]
    return tuple(
        (int(i) + 1, float(falling[i])) for i in evenly(np.arange(len(falling)), MOST_POINTS)
    )


def evenly(numbers: Int64, most: int) -> Int64:
    """At most so many of `numbers`, the first and the last and others evenly apart."""
    if len(numbers) <= most:
        return numbers
    return numbers[np.unique(np.linspace(0, len(numbers) - 1, most).astype(np.int64))]
