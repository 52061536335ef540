"""Overhead of a library over the raw transport that limits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from leadline.backends.kinds import limits
from leadline.compare.sides import Side, comparable, paired
from leadline.compare.verdict import Rows
from leadline.record.run import Cell
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Overhead:
    """Ratio of a library's time to a raw transport's at the smallest payload measured."""

    pattern: str
    ranks: int
    size_bytes: int
    variant: str
    effect: Estimate
    raw: str
    """Backend that is the limit: shm, or tcp for a library that sends through TCP."""


def overheads_of(
    sides: Sequence[Side], cells: Sequence[Cell], curves: Sequence[Rows]
) -> tuple[Overhead, ...]:
    """Overhead of each library over the raw transports that limit it, on as many ranks.

    Both are measured. A raw transport whose ranks aren't placed in their order is a limit of
    nothing else. `curves` are the rows of `cells` that differ in size alone.
    """
    overheads: list[Overhead] = []
    for raw, side in product(sides, sides):
        library, transport = side.configuration, raw.configuration
        if (
            not limits(transport.backend, library.backend, library.transport)
            or transport.placement
            or transport.key != library.key
            or not comparable(raw, side)
        ):
            continue
        for rows in curves:
            both = rows[raw.measured(rows) & side.measured(rows)]
            if both.size == 0:
                continue
            # the smallest size above zero that both have; zero where there is no other
            row = min(both, key=lambda row: (cells[row].size_bytes == 0, cells[row].size_bytes))
            # with more ranks than cores none: a larger size would show less of the library
            if raw.circumstances[row].crowded or side.circumstances[row].crowded:
                continue
            overhead = Overhead(
                cells[row].pattern,
                transport.ranks,
                cells[row].size_bytes,
                side.label,
                paired(raw, side, np.array([row])).estimate(np.arange(1)).exp(),
                transport.backend,
            )
            overheads.append(overhead)
    return tuple(overheads)
