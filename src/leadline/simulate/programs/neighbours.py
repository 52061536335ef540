"""Neighbour collectives on the periodic grid of all ranks.

See native/kernels/fallback/neighbours.c.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.grids import RankGrid, opposite_of
from leadline.simulate.programs.repetition import Program, Repetition

_TAGS = {"neighbor_allgather": 32748, "neighbor_alltoall": 32747}


def shifting(pattern: str) -> Program:
    """All ranks send one way, then the other, in one dimension after the other."""
    return partial(_shifts, f"{pattern}: shifts", _TAGS[pattern])


def _shifts(operation: str, tag: int, of: Repetition) -> Iterator[CallStep]:
    columns = _shorter_side(of.ranks)
    grid = RankGrid(of, (of.ranks // columns, columns), along=2, periodic=True)
    for ahead in (*grid.both(0), *grid.both(1)):
        rows = (
            sent(*grid.legs(ahead), of.size_bytes, tag),
            received(*grid.legs(opposite_of(ahead)), of.size_bytes, tag),
        )
        yield CallStep(rows, operation)


def _shorter_side(ranks: int) -> int:
    """The largest divisor that isn't above the square root."""
    return max(one for one in range(1, math.isqrt(ranks) + 1) if ranks % one == 0)
