"""Neighbour collectives on the grid of all ranks (native/kernels/fallback/grid.c)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.repetition import Program, Repetition

_TAGS = {"neighbor_allgather": 32748, "neighbor_alltoall": 32747}


def shifting(pattern: str) -> Program:
    """All ranks send one way, then the other, in one dimension after the other."""
    return partial(_shifts, pattern, _TAGS[pattern])


def _shifts(name: str, tag: int, of: Repetition) -> Iterator[CallStep]:
    ranks = np.arange(of.ranks)
    columns = _shorter_side(of.ranks)
    rows = of.ranks // columns
    row, column = ranks // columns, ranks % columns
    for axis in range(1 if columns == 1 else 2):
        for way in (-1, 1):
            ahead, behind = (
                (row + step) % rows * columns + column
                if axis == 0
                else row * columns + (column + step) % columns
                for step in (way, -way)
            )
            yield CallStep(
                (sent(ranks, ahead, of.size_bytes, tag),
                 received(ranks, behind, of.size_bytes, tag)),
                operation=f"{name}: shifts",
            )  # fmt: skip


def _shorter_side(ranks: int) -> int:
    """The largest divisor that isn't above the square root."""
    return max(one for one in range(1, math.isqrt(ranks) + 1) if ranks % one == 0)
