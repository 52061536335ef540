"""Neighbours on a grid of all ranks exchange messages (native/kernels/patterns/grid.c).

A direction has a step for each axis: -1, 0 or 1. The tag of a message tells its direction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.simulate.programs.calls import CallRows, CallStep, received, sent
from leadline.simulate.programs.point_to_point import check_even
from leadline.simulate.programs.repetition import Repetition
from leadline.topology.communication import even_grids
from leadline.topology.networks import Int64

Direction = tuple[int, ...]
RanksIn = npt.NDArray[np.bool_] | bool
"""Of each rank, or of all, whether it is meant."""
_TAG = 15


def pair(of: Repetition) -> Iterator[CallStep]:
    """A message each way between the ranks of each pair: those in the same place of two halves."""
    check_even(of)
    grid = RankGrid(of, (2, of.ranks // 2), along=1, periodic=False)
    return grid.phase(grid.both(0))


def cyclic(of: Repetition) -> Iterator[CallStep]:
    """Messages to both neighbours along the first axis, or along all of two."""
    dims = of.dims or even_grids(of.ranks, 2)[0]
    axes = len(dims) if of.chose("axes", "all") else 1
    grid = RankGrid(of, dims, along=axes, periodic=not of.chose("rings", "open"))
    return grid.phase([one for axis in range(axes) for one in grid.both(axis)])


def cyclic_two_step(of: Repetition) -> Iterator[CallStep]:
    """First with the upper neighbour where the place is even, with the lower where it is odd."""
    dims = of.dims or even_grids(of.ranks, 2)[0]
    grid = RankGrid(of, dims, along=1, periodic=not of.chose("rings", "open"))
    down, up = grid.both(0)
    even = grid.places[0] % 2 == 0
    for first, second in ((up, down), (down, up)):
        yield CallStep(tuple(
            rows
            for make in (grid.sent, grid.received)
            for rows in (make(first, even), make(second, ~even))
        ))  # fmt: skip


def halo(of: Repetition) -> Iterator[CallStep]:
    """Messages to all neighbours, axis by axis; one along several goes with the last of them."""
    dims = of.dims or even_grids(of.ranks, 3)[0]
    axes = range(len(dims))
    grid = RankGrid(of, dims, along=len(dims), periodic=of.chose("edges", "periodic"))
    most = len(dims) if of.chose("neighbours", "corners") else 1
    steps = [one for one in itertools.product((-1, 0, 1), repeat=len(dims)) if any(one)]
    steps = [one for one in steps if sum(map(abs, one)) <= most]
    phases = [[one for one in steps if _last_axis(one) == axis] for axis in axes]
    if of.chose("steps", "at_once"):
        phases = [list(itertools.chain(*phases))]
    return itertools.chain.from_iterable(map(grid.phase, phases))


def _last_axis(direction: Direction) -> int:
    return max(axis for axis, step in enumerate(direction) if step)


class RankGrid:
    """A grid of all ranks, row by row, the last axis fastest, and who sends to whom on it."""

    def __init__(self, of: Repetition, dims: tuple[int, ...], along: int, periodic: bool) -> None:
        _check(of, dims, along)
        self._dims, self._periodic, self._bytes = dims, periodic, of.size_bytes
        self._ranks = np.arange(of.ranks)
        self.places: Sequence[Int64] = np.unravel_index(self._ranks, dims)
        """Along each axis, of each rank."""

    def both(self, axis: int) -> list[Direction]:
        """One step down, and one up, along `axis`."""
        return [tuple(step * (one == axis) for one in range(len(self._dims))) for step in (-1, 1)]

    def phase(self, directions: Sequence[Direction]) -> Iterator[CallStep]:
        """All that have a neighbour in one of `directions` exchange messages with it at once."""
        makers = (self.sent, self.received)
        yield CallStep(tuple(make(one) for make in makers for one in directions))

    def sent(self, direction: Direction, by: RanksIn = True) -> CallRows:
        """The messages that go in `direction`."""
        return sent(*self.legs(direction, by), self._bytes, _TAG + _digits(direction))

    def received(self, direction: Direction, by: RanksIn = True) -> CallRows:
        """The messages that come from `direction`."""
        tag = _TAG + _digits(opposite_of(direction))
        return received(*self.legs(direction, by), self._bytes, tag)

    def legs(self, direction: Direction, by: RanksIn = True) -> tuple[Int64, Int64]:
        """The ranks with a neighbour in `direction`, of those in `by`, and their neighbours."""
        found = np.broadcast_to(by, self._ranks.shape)
        moved = list(self.places)
        for axis, (step, length) in enumerate(zip(direction, self._dims, strict=True)):
            place = self.places[axis] + step
            if step and length == 1:
                found = np.zeros_like(found)
            elif step and not self._periodic:
                found = found & (place >= 0) & (place < length)
            moved[axis] = place % length
        return self._ranks[found], np.ravel_multi_index(tuple(moved), self._dims)[found]


def opposite_of(direction: Direction) -> Direction:
    """The other way."""
    return tuple(-step for step in direction)


def _digits(direction: Direction) -> int:
    """The direction as a number: a digit an axis, to the base 3, the last axis' the lowest."""
    number = 0
    for step in direction:
        number = 3 * number + step + 1
    return number


def _check(of: Repetition, dims: tuple[int, ...], along: int) -> None:
    text = "x".join(map(str, dims))
    if math.prod(dims) != of.ranks:
        raise UsageError(
            f"pattern {of.pattern}: its grid {text} has {math.prod(dims)} vertices, seen "
            f"{of.ranks} ranks; give lengths whose product is the number of ranks"
        )
    if all(length == 1 for length in dims[:along]):
        raise UsageError(
            f"pattern {of.pattern}: no rank of {of.ranks} has a neighbour on the grid {text}, "
            "which has length 1 along each axis of its messages; give another grid, or more ranks"
        )
