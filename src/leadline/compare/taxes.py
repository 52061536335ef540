"""What a library costs over the raw transport that limits it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.backends.kinds import limits
from leadline.compare.sides import Side, comparable, paired
from leadline.compare.verdict import Rows
from leadline.record.run import Cell, Configuration
from leadline.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Tax:
    """A library's time over a raw transport's at the smallest payload measured."""

    pattern: str
    ranks: int
    size_bytes: int
    variant: str
    effect: Estimate
    raw: str
    """The backend that is the limit: shm, or tcp for a library that sends through TCP."""


def taxes_of(
    sides: Sequence[Side], cells: Sequence[Cell], curves: Sequence[Rows]
) -> tuple[Tax, ...]:
    """Each library over the raw transports that limit it, on as many ranks, both measured.

    A raw transport whose ranks are laid otherwise than in their order is a limit of nothing else.

    `curves` are the rows of `cells` that differ in the size alone.
    """
    return tuple(
        tax
        for raw in sides
        for side in sides
        if _limited(side.configuration, raw.configuration)
        and not raw.configuration.placement
        and raw.configuration.key == side.configuration.key
        and comparable(raw, side)
        for rows in curves
        for tax in _tax(raw, side, rows, cells)
    )


def _limited(library: Configuration, raw: Configuration) -> bool:
    return limits(raw.backend, library.backend, library.transport)


def _tax(raw: Side, side: Side, rows: Rows, cells: Sequence[Cell]) -> Iterator[Tax]:
    """At the smallest size above zero that both have; at zero where there is no other.

    None where that doesn't count for more ranks than cores: a larger one says less of the library.
    """
    both = rows[raw.measured(rows) & side.measured(rows)]
    if both.size == 0:
        return
    row = min(both, key=lambda row: (cells[row].size_bytes == 0, cells[row].size_bytes))
    if raw.circumstances[row].crowded or side.circumstances[row].crowded:
        return
    contrast = paired(raw, side, np.array([row]))
    cell = cells[row]
    yield Tax(
        cell.pattern,
        raw.configuration.ranks,
        cell.size_bytes,
        side.label,
        contrast.estimate(np.arange(1)).exp(),
        raw.configuration.backend,
    )
