"""Neighbours on a grid of all ranks exchange messages (native/kernels/patterns/grid.c).

A direction has a step for each axis: -1, 0 or 1. The tag of a message encodes its direction.
Neighbour collectives run on a periodic grid (native/kernels/fallback/neighbours.c).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.patterns.programs.calls import CallRows, CallStep, Program, Repetition, received, sent
from leadline.patterns.programs.point_to_point import check_even
from leadline.topology.communication import even_grids
from leadline.topology.networks import Int64

Direction = tuple[int, ...]
RanksIn = npt.NDArray[np.bool_] | bool
"""For each rank, or for all, whether it is selected."""
_TAG = 15
_NEIGHBOUR_TAGS = {"neighbor_allgather": 32748, "neighbor_alltoall": 32747}


def pair(repetition: Repetition) -> Iterator[CallStep]:
    """A message each way between the ranks of each pair: those in the same place of two halves."""
    check_even(repetition)
    grid = RankGrid(repetition, (2, repetition.ranks // 2), along=1, periodic=False)
    return grid.phase(grid.both(0))


def cyclic(repetition: Repetition) -> Iterator[CallStep]:
    """Messages to both neighbours along the first axis, or along all of two."""
    dims = repetition.dims or even_grids(repetition.ranks, 2)[0]
    axes = len(dims) if repetition.chose("axes", "all") else 1
    periodic = not repetition.chose("rings", "open")
    grid = RankGrid(repetition, dims, along=axes, periodic=periodic)
    return grid.phase([one for axis in range(axes) for one in grid.both(axis)])


def cyclic_two_step(repetition: Repetition) -> Iterator[CallStep]:
    """First with the upper neighbour where the place is even, with the lower where it is odd."""
    dims = repetition.dims or even_grids(repetition.ranks, 2)[0]
    periodic = not repetition.chose("rings", "open")
    grid = RankGrid(repetition, dims, along=1, periodic=periodic)
    down, up = grid.both(0)
    even = grid.places[0] % 2 == 0
    for first, second in ((up, down), (down, up)):
        yield CallStep(tuple(
            rows
            for make in (grid.sent, grid.received)
            for rows in (make(first, even), make(second, ~even))
        ))  # fmt: skip


def halo(repetition: Repetition) -> Iterator[CallStep]:
    """Messages to all neighbours, axis by axis; one along several goes with the last of them."""
    dims = repetition.dims or even_grids(repetition.ranks, 3)[0]
    periodic = repetition.chose("edges", "periodic")
    grid = RankGrid(repetition, dims, along=len(dims), periodic=periodic)
    most = len(dims) if repetition.chose("neighbours", "corners") else 1
    phases: list[list[Direction]] = [[] for _ in dims]
    for direction in itertools.product((-1, 0, 1), repeat=len(dims)):
        moving = [axis for axis, step in enumerate(direction) if step]
        if 1 <= len(moving) <= most:
            phases[moving[-1]].append(direction)
    if repetition.chose("steps", "at_once"):
        phases = [list(itertools.chain(*phases))]
    return itertools.chain.from_iterable(map(grid.phase, phases))


def neighbour_collective(pattern: str) -> Program:
    """All ranks send one way, then the other, along one axis after the other.

    The grid is two-dimensional and periodic, its second length the largest divisor of the number of
    ranks that isn't above its square root.
    """

    def steps(repetition: Repetition) -> Iterator[CallStep]:
        ranks, tag = repetition.ranks, _NEIGHBOUR_TAGS[pattern]
        columns = max(one for one in range(1, math.isqrt(ranks) + 1) if ranks % one == 0)
        grid = RankGrid(repetition, (ranks // columns, columns), along=2, periodic=True)
        for ahead in (*grid.both(0), *grid.both(1)):
            rows = (
                sent(*grid.legs(ahead), repetition.size_bytes, tag),
                received(*grid.legs(_opposite(ahead)), repetition.size_bytes, tag),
            )
            yield CallStep(rows, f"{pattern}: shifts")

    return steps


class RankGrid:
    """A grid of all ranks, row by row, the last axis fastest, and who sends to whom on it."""

    def __init__(
        self, repetition: Repetition, dims: tuple[int, ...], along: int, periodic: bool
    ) -> None:
        """The grid `dims`, on which messages go along its first `along` axes.

        UsageError: it has more or fewer vertices than there are ranks, or no rank has a neighbour.
        """
        text = "x".join(map(str, dims))
        if math.prod(dims) != repetition.ranks:
            raise UsageError(
                f"pattern {repetition.pattern}: its grid {text} has {math.prod(dims)} vertices, "
                f"seen {repetition.ranks} ranks; give lengths whose product is the number of ranks"
            )
        if all(length == 1 for length in dims[:along]):
            raise UsageError(
                f"pattern {repetition.pattern}: no rank of {repetition.ranks} has a neighbour on "
                f"the grid {text}, which has length 1 along each axis of its messages; give "
                "another grid, or more ranks"
            )
        self._dims, self._periodic, self._bytes = dims, periodic, repetition.size_bytes
        self._ranks = np.arange(repetition.ranks)
        self.places: Sequence[Int64] = np.unravel_index(self._ranks, dims)
        """Per axis the place of each rank, shape (ranks,)."""

    def both(self, axis: int) -> list[Direction]:
        """One step down, and one up, along `axis`."""
        return [tuple(step * (one == axis) for one in range(len(self._dims))) for step in (-1, 1)]

    def phase(self, directions: Sequence[Direction]) -> Iterator[CallStep]:
        """All ranks with neighbours in `directions` exchange messages with them at once."""
        makers = (self.sent, self.received)
        yield CallStep(tuple(make(one) for make in makers for one in directions))

    def sent(self, direction: Direction, by: RanksIn = True) -> CallRows:
        """The messages that go in `direction`."""
        return sent(*self.legs(direction, by), self._bytes, _TAG + _digits(direction))

    def received(self, direction: Direction, by: RanksIn = True) -> CallRows:
        """The messages that come from `direction`."""
        tag = _TAG + _digits(_opposite(direction))
        return received(*self.legs(direction, by), self._bytes, tag)

    def legs(self, direction: Direction, by: RanksIn = True) -> tuple[Int64, Int64]:
        """The ranks with a neighbour in `direction`, of those in `by`, and their neighbours."""
        selected = np.broadcast_to(by, self._ranks.shape)
        moved = list(self.places)
        for axis, (step, length) in enumerate(zip(direction, self._dims, strict=True)):
            place = self.places[axis] + step
            if step and length == 1:
                selected = np.zeros_like(selected)
            elif step and not self._periodic:
                selected = selected & (place >= 0) & (place < length)
            moved[axis] = place % length
        neighbours = np.ravel_multi_index(tuple(moved), self._dims)
        return self._ranks[selected], neighbours[selected]


def _opposite(direction: Direction) -> Direction:
    """The other way."""
    return tuple(-step for step in direction)


def _digits(direction: Direction) -> int:
    """The direction as a number: a digit an axis, to the base 3, the last axis' the lowest."""
    number = 0
    for step in direction:
        number = 3 * number + step + 1
    return number
