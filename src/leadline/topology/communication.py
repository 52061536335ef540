"""Communication patterns: who sends how much to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from leadline.topology.networks import Float64, Int64


@dataclass(frozen=True, slots=True)
class Grid:
    """A Cartesian grid; ranks are row-major over `dims`, the last index fastest."""

    dims: tuple[int, ...]
    periodic: tuple[bool, ...]
    """An axis of length 2 that is periodic has both neighbours, one of length 1 none."""
    weights: tuple[tuple[float, float], ...]
    """For each axis what a rank sends to its lower and to its upper neighbour."""
    diagonals: bool
    """Whether ranks also send to neighbours along several axes at once."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Directed edges as compressed sparse rows."""

    starts: Int64
    """Shape (ranks + 1,): where each rank's edges begin."""
    neighbours: Int64
    """Shape (edges,): to whom."""
    weights: Float64
    """Shape (edges,): how much."""


Communication: TypeAlias = Grid | Graph
