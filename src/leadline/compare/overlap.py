"""Which share of a non-blocking operation computation hides.

With t the time of an operation that is started and waited for, c that of a computation, and b that
of both when the computation lies between start and wait, b - c of the operation is left to see, and
1 - (b - c) / t of it is hidden. Source: Hoefler, Lumsdaine and Rehm 2007, whose NBCBench introduced
such measurements; the documentation of Intel's IMB-NBC, which divides by the shorter of t and c.

All three are cells of their own, and compute as much in one launch: as long as the operation takes,
or for a time that was given; of an operation that takes longer, that hides c / t at most. A visit
has all three in one launch, within moments: so the share is taken visit by visit, and its median is
a block's value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.medians import Visits, counting
from leadline.compare.origins import Labelled
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Cell, Origin, Run
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats, median, weighted_row_medians

BESIDE = ("overlapped", "tested")
"""Options of a pattern: computation between start and wait, without and with tests meanwhile."""
ALONE = "computing"
"""The option that leaves the operation out."""
WORK = "work="
"""Begins the option that says for how long to compute."""


@dataclass(frozen=True, slots=True)
class HiddenShare(OnCurve, Labelled):
    """How much of one operation under one configuration is hidden."""

    curve: CurveKey
    """Its pattern has the option that says how, e.g. "ibcast:overlapped"."""
    variant: str
    size_bytes: int
    oversubscribed: bool
    """More ranks than cores: what one rank computes, another can't meanwhile."""
    hidden: Estimate
    """The share, between 0 and 1, over blocks."""
    origin: Origin = Origin.MEASURED

    @property
    def share(self) -> float:
        """How much is hidden."""
        return self.hidden.value

    @property
    def low(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.hidden.low

    @property
    def high(self) -> float | None:
        """None: too few blocks for a 95 % interval."""
        return self.hidden.high

    @property
    def blocks(self) -> int:
        """In which all three were measured."""
        return self.hidden.n


def computes(cell: Cell) -> bool:
    """Whether the time of `cell` is no library's to compare: of computation, all or some.

    Some is as long as the cell's own library takes; where a time was given, it is every library's.
    """
    options = _options(cell)
    fixed = any(option.startswith(WORK) for option in options)
    return ALONE in options or not (fixed or {*BESIDE}.isdisjoint(options))


def _options(cell: Cell) -> list[str]:
    return cell.pattern.split(":")[1:]


def _computing(cell: Cell, word: str) -> Cell:
    """`cell` without the operation, beside which it computes in the way of `word`."""
    options = [ALONE if option == word else option for option in cell.pattern.split(":")]
    return replace(cell, pattern=":".join(options))


def _alone(cell: Cell, word: str) -> Cell:
    """`cell` without the computation."""
    options = [
        option
        for option in cell.pattern.split(":")
        if option != word and not option.startswith(WORK)
    ]
    return replace(cell, pattern=":".join(options))


def shares(alone: Floats, both: Floats, computing: Floats) -> Floats:
    """The hidden share of each visit, not clipped; nan where one of the three is missing.

    All have one shape and are in seconds. Noise takes a share out of 0 .. 1; clipping before the
    median over visits would bias it.
    """
    return np.asarray(1 - (both - computing) / np.where(alone > 0, alone, np.nan))


def hidden_shares(run: Run, visits: Visits) -> tuple[HiddenShare, ...]:
    """Of every operation that was measured in all three ways, by configuration and cell.

    Each visit counts as the most disturbed of its three.
    """
    known = {cell: index for index, cell in enumerate(run.cells)}
    triples = list(_triples(known))
    return tuple(
        HiddenShare(
            curve=CurveKey.of(run.cells[both], configuration),
            variant=configuration.variant,
            origin=configuration.origin,
            size_bytes=run.cells[both].size_bytes,
            oversubscribed=configuration.oversubscribed,
            hidden=median(values).clipped(0, 1),
        )
        for c, configuration in enumerate(run.configurations)
        for alone, both, computing in triples
        if not np.isnan(values := _of_blocks(visits, c, (alone, both, computing))).all()
    )


def _of_blocks(visits: Visits, configuration: int, cells: tuple[int, int, int]) -> Floats:
    """The share hidden in each block: `cells` are the operation, both, and the computation."""
    three = [configuration], list(cells)
    weights = counting(visits.weights[three].min(axis=0))
    return weighted_row_medians(shares(*visits.seconds[three]), weights)


def _triples(known: dict[Cell, int]) -> Iterator[tuple[int, int, int]]:
    """(operation, both, computation) of every operation whose three cells are known."""
    for cell, both in known.items():
        for word in {*BESIDE}.intersection(_options(cell)):
            alone = known.get(_alone(cell, word))
            computing = known.get(_computing(cell, word))
            if alone is not None and computing is not None:
                yield alone, both, computing
