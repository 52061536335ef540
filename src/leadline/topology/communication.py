"""Communication patterns: who sends how much to whom."""

from __future__ import annotations

import math
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


@dataclass(frozen=True, slots=True)
class Messages:
    """How many there are where every rank of a grid sends one to each of its neighbours."""

    all_ranks: int
    busiest_rank: int
    """Of the rank with most neighbours."""


def messages_on(grid: Grid) -> Messages:
    """Those of `grid`; none along axes of weight 0."""
    axes = list(zip(grid.dims, map(_steps, grid.dims, grid.periodic), grid.weights, strict=True))
    ranks = math.prod(grid.dims)
    if grid.diagonals:
        return Messages(
            math.prod(length + steps for length, (steps, _), _ in axes) - ranks,
            math.prod(1 + most for _, (_, most), _ in axes) - 1,
        )
    return Messages(
        sum(steps * ranks // length for length, (steps, _), weights in axes if any(weights)),
        sum(most for _, (_, most), weights in axes if any(weights)),
    )


def _steps(length: int, periodic: bool) -> tuple[int, int]:
    """Both ways along an axis, of all its places and at most of one."""
    if length == 1:
        return 0, 0
    return (2 * length, 2) if periodic else (2 * (length - 1), min(length - 1, 2))
