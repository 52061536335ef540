"""Communication patterns: who sends how much to whom; and grids that ranks can be arranged in."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from leadline.errors import UsageError
from leadline.topology.networks import Float64, Int64


@dataclass(frozen=True, slots=True)
class Grid:
    """A Cartesian grid; ranks are row-major over `dims`, the last index fastest."""

    dims: tuple[int, ...]
    periodic: tuple[bool, ...]
    """An axis of length 2 that is periodic has both neighbours, one of length 1 none."""
    weights: tuple[tuple[float, float], ...]
    """For each axis the amounts that a rank sends to its lower and to its upper neighbour."""
    diagonals: bool
    """Whether ranks also send to neighbours along several axes at once."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Directed edges as compressed sparse rows."""

    starts: Int64
    """Shape (ranks + 1,): where each rank's edges begin."""
    neighbours: Int64
    """Shape (edges,): the receiving rank."""
    weights: Float64
    """Shape (edges,): the amount."""


Communication: TypeAlias = Grid | Graph


@dataclass(frozen=True, slots=True)
class Messages:
    """Numbers of messages where every rank of a grid sends one to each of its neighbours."""

    all_ranks: int
    busiest_rank: int
    """The messages of the rank with most neighbours."""


def messages_on(grid: Grid) -> Messages:
    """The messages on `grid`; none along axes of weight 0."""
    ranks = math.prod(grid.dims)
    steps: list[int] = []  # both ways along each axis, of all its places together
    most: list[int] = []  # and of the place that has most
    for length, periodic in zip(grid.dims, grid.periodic, strict=True):
        if length == 1:
            along, busiest = 0, 0
        elif periodic:
            along, busiest = 2 * length, 2
        else:
            along, busiest = 2 * (length - 1), min(length - 1, 2)
        steps.append(along)
        most.append(busiest)
    if grid.diagonals:
        return Messages(
            math.prod(length + along for length, along in zip(grid.dims, steps, strict=True))
            - ranks,
            math.prod(1 + busiest for busiest in most) - 1,
        )
    used = [axis for axis, weights in enumerate(grid.weights) if any(weights)]
    return Messages(
        sum(steps[axis] * ranks // grid.dims[axis] for axis in used),
        sum(most[axis] for axis in used),
    )


def even_grids(ranks: int, ndims: int) -> Sequence[tuple[int, ...]]:
    """All grids of `ranks`, the most even first; the lengths of each in falling order.

    UsageError: a number below 1.
    """
    if ranks < 1 or ndims < 1:
        raise UsageError(f"{ranks} ranks can't be cut along {ndims} axes; both must be at least 1")
    return sorted(_factorisations(ranks, ndims, ranks), key=evenness)


def evenness(dims: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """A key that is lower for more even grids: the sum of lengths, then the longest."""
    return sum(dims), dims


def _factorisations(ranks: int, ndims: int, longest: int) -> Iterator[tuple[int, ...]]:
    """All products of `ndims` lengths that never rise, the first at most `longest`."""
    if ndims == 1:
        if ranks <= longest:
            yield (ranks,)
        return
    low = [part for part in range(1, int(ranks**0.5) + 1) if ranks % part == 0]
    for length in sorted({*low, *(ranks // part for part in low)}):  # all divisors
        if length <= longest and length**ndims >= ranks:
            for rest in _factorisations(ranks // length, ndims - 1, length):
                yield (length, *rest)
