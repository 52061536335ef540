"""NAS MG on grids divided among ranks (native/kernels/applications/mg).

Level k has 2^k points along each axis. A point is a number; a layer of ghosts lies around each
rank's box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.patterns.programs.calls import CallRows, CallStep, Program, Repetition, received, sent
from leadline.patterns.programs.collective import Collective
from leadline.patterns.programs.collectives import CALLED, called_steps
from leadline.patterns.programs.one_sided import put_with_flag, waited
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

LEVELS = {"S": 5, "W": 7, "A": 8, "B": 8, "C": 9}
"""The level of the finest grid, by class."""
MOST_RANKS = 64
NUMBER_BYTES = 8
AXES = 3
_TAG_DOWN, _TAG_UP = 1, 2
_GHOST_BYTES = 4 * NUMBER_BYTES
"""Memory moved for each number of a face: two faces, each read and written."""


class Operator(Enum):
    """What is computed at the points of a grid: operations at each, and numbers read or written."""

    RESTRICTED = (24, 1)
    """To this grid."""
    RESTRICTED_FROM = (0, 1)
    PROLONGATED = (2, 1)
    CORRECTED = (3, 2)
    RESIDUAL = (13, 3)
    SMOOTHED = (15, 3)


GhostExchange = Callable[[Int64, Int64, Int64, int], Iterator[CallStep]]
"""All ranks' faces of so many bytes to their lower and upper neighbours, and theirs."""


def iterating(exchange: GhostExchange) -> Program:
    """One iteration: a V-cycle, then the residual of the finest grid."""

    def iterate(repetition: Repetition) -> Iterator[CallStep]:
        return Grids(repetition, exchange).iterate()

    return iterate


def by_messages(ranks: Int64, lower: Int64, upper: Int64, size_bytes: int) -> Iterator[CallStep]:
    """All faces under way together."""
    yield CallStep((
        sent(ranks, lower, size_bytes, _TAG_DOWN),
        sent(ranks, upper, size_bytes, _TAG_UP),
        received(ranks, lower, size_bytes, _TAG_UP),
        received(ranks, upper, size_bytes, _TAG_DOWN),
    ))  # fmt: skip


def by_puts(ranks: Int64, lower: Int64, upper: Int64, size_bytes: int) -> Iterator[CallStep]:
    """Each put with a flag that the neighbour waits for."""
    yield put_with_flag(ranks, lower, size_bytes)
    yield put_with_flag(ranks, upper, size_bytes)
    yield waited(ranks, lower)
    yield waited(ranks, upper)


@dataclass(frozen=True, slots=True)
class Level:
    """A grid as every rank has it."""

    number: int
    points: tuple[int, ...]
    """Lengths of a rank's box along each axis."""
    divided: bool
    """Whether neighbours have the ghosts."""

    def face_bytes(self, axis: int) -> int:
        """Bytes of a layer across `axis`, with the ghosts along the axes before it."""
        along = (self.points[one] + 2 * (one < axis) for one in range(AXES) if one != axis)
        return NUMBER_BYTES * math.prod(along)


class Grids:
    """The grids of a class as ranks share them, and what is done on them."""

    def __init__(self, repetition: Repetition, exchange: GhostExchange) -> None:
        """Ranks along x, y and z: halved along z, y, x, z, ... until each has its box.

        UsageError: their number isn't a power of two, or too large.
        """
        ranks, name = repetition.ranks, repetition.options.get("class", next(iter(LEVELS)))
        if not is_power_of_two(ranks) or ranks > MOST_RANKS:
            raise UsageError(
                f"pattern {repetition.pattern}:{name} takes a power of two of ranks, at most "
                f"{MOST_RANKS}, seen {ranks}; give {min(MOST_RANKS, 1 << ranks.bit_length() - 1)}"
            )
        halvings = ranks.bit_length() - 1
        along_x = halvings // 3
        along_y = (halvings - along_x) // 2
        self._along = 1 << along_x, 1 << along_y, 1 << halvings - along_x - along_y
        self._finest, self._gathered = LEVELS[name], max(self._along).bit_length() - 1
        self._algorithms, self._exchange = repetition.algorithms, exchange
        self._ranks = np.arange(ranks)

    def iterate(self) -> Iterator[CallStep]:
        """What all ranks call in one iteration."""
        for number in range(self._finest, 1, -1):  # down to the coarsest
            gathers = number - 1 == self._gathered
            coarse = self._part(number - 1) if gathers else self._level(number - 1)
            yield self._computed(coarse, Operator.RESTRICTED)
            yield self._computed(self._level(number), Operator.RESTRICTED_FROM)
            if gathers:  # all ranks' parts to all of them
                blocks = np.full(len(self._ranks), NUMBER_BYTES * math.prod(coarse.points))
                called = CALLED["allgather"]
                op = Collective(len(self._ranks), 0, blocks, called.tag)
                yield from called_steps(called, self._algorithms, op)
            yield from self._fill_ghosts(self._level(number - 1))
        yield from self._smooth(self._level(1))
        for number in range(2, self._finest):  # and up again
            level = self._level(number)
            yield self._computed(level, Operator.PROLONGATED)
            yield from self._find_residual(level)
            yield from self._smooth(level)
        top = self._level(self._finest)
        yield self._computed(top, Operator.CORRECTED)
        yield from self._find_residual(top)
        yield from self._smooth(top)
        yield from self._find_residual(top)

    def _level(self, number: int) -> Level:
        """A level as each rank has it: its box of it, or all of it once it is gathered."""
        divided = number > self._gathered and len(self._ranks) > 1
        return self._part(number) if divided else Level(number, (1 << number,) * AXES, False)

    def _part(self, number: int) -> Level:
        """A rank's box of a grid, also where it has all of it besides."""
        return Level(number, tuple((1 << number) // ranks for ranks in self._along), True)

    def _smooth(self, level: Level) -> Iterator[CallStep]:
        yield self._computed(level, Operator.SMOOTHED)
        yield from self._fill_ghosts(level)

    def _find_residual(self, level: Level) -> Iterator[CallStep]:
        yield self._computed(level, Operator.RESIDUAL)
        yield from self._fill_ghosts(level)

    def _computed(self, level: Level, operator: Operator) -> CallStep:
        """What an operator computes at each point of a rank's box."""
        flop, touches = operator.value
        points = math.prod(level.points)
        return self._worked(flop * points, touches * points * NUMBER_BYTES)

    def _worked(self, flop: int, size_bytes: int) -> CallStep:
        return CallStep((CallRows(CallKind.WORK, self._ranks, -1, size_bytes, flop),))

    def _fill_ghosts(self, level: Level) -> Iterator[CallStep]:
        """Axis by axis; along those that aren't divided a rank has them itself."""
        for axis in range(AXES * level.divided):
            if self._along[axis] > 1:
                size_bytes = level.face_bytes(axis)
                moved = self._worked(0, _GHOST_BYTES * (size_bytes // NUMBER_BYTES))
                yield moved
                yield from self._exchange(
                    self._ranks, self._neighbours(axis, -1), self._neighbours(axis, 1), size_bytes
                )
                yield moved

    def _neighbours(self, axis: int, steps: int) -> Int64:
        """Shape (ranks,): each rank's neighbour, around the ends; the first axis is the fastest."""
        places = list(np.unravel_index(self._ranks, self._along, order="F"))
        places[axis] = (places[axis] + steps) % self._along[axis]
        return np.ravel_multi_index(tuple(places), self._along, order="F")
