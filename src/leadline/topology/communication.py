"""Communication patterns: who sends how much to whom; and grids that ranks can be cut into."""

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


def even_grids(ranks: int, ndims: int) -> Sequence[tuple[int, ...]]:
    """All grids of `ranks`, the lengths of each longest first, the most even grid first.

    UsageError: a number below 1.
    """
    if ranks < 1 or ndims < 1:
        raise UsageError(f"{ranks} ranks can't be cut along {ndims} axes; both must be at least 1")
    return sorted(_factorisations(ranks, ndims, ranks), key=evenness)


def evenness(dims: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The less the more even: the sum of lengths, of equal ones the longest."""
    return sum(dims), dims


def _factorisations(ranks: int, ndims: int, longest: int) -> Iterator[tuple[int, ...]]:
    """All products of `ndims` lengths that don't rise, the first at most `longest`."""
    if ndims == 1:
        if ranks <= longest:
            yield (ranks,)
        return
    for length in _divisors(ranks):
        if length <= longest and length**ndims >= ranks:
            for rest in _factorisations(ranks // length, ndims - 1, length):
                yield (length, *rest)


def _divisors(number: int) -> list[int]:
    low = [part for part in range(1, int(number**0.5) + 1) if number % part == 0]
    return sorted({*low, *(number // part for part in low)})
