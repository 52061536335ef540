"""Share of a non-blocking operation that is hidden by computation.

With t the time of an operation that is started and waited for, c that of a computation, and b that
of both when the computation lies between start and wait, b - c of the operation remains visible,
and 1 - (b - c) / t of it is hidden. Source: Hoefler, Lumsdaine and Rehm 2007, whose NBCBench
introduced such measurements; the documentation of Intel's IMB-NBC, which divides by the shorter of
t and c.

All three are cells of their own, and compute as much in one launch: as long as the operation takes,
or for a given time; of an operation that takes longer, that hides c / t at most. A visit has all
three in one launch, within moments: so the share is computed visit by visit, and its median is a
block's value.
"""

from __future__ import annotations

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
"""Option that leaves the operation out."""
WORK = "work="
"""Prefix of the option for the time to compute."""


@dataclass(frozen=True, slots=True)
class HiddenShare(OnCurve, Labelled):
    """Hidden share of one operation under one configuration."""

    curve: CurveKey
    """Curve; its pattern has the option for the way to compute, e.g. "ibcast:overlapped"."""
    variant: str
    size_bytes: int
    oversubscribed: bool
    """More ranks than cores: while one rank computes, another can't."""
    hidden: Estimate
    """Hidden share, between 0 and 1, over blocks."""
    origin: Origin = Origin.MEASURED

    @property
    def share(self) -> float:
        """Hidden share, between 0 and 1."""
        return self.hidden.value

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % interval; None: too few blocks for one."""
        return self.hidden.low

    @property
    def high(self) -> float | None:
        """Upper end of the 95 % interval; None: too few blocks for one."""
        return self.hidden.high

    @property
    def blocks(self) -> int:
        """Number of blocks in which all three were measured."""
        return self.hidden.n


def computes(cell: Cell) -> bool:
    """Whether the time of `cell` is of computation, all or some, and no library's to compare.

    Some computation is as long as the cell's own library takes; a given time is every library's.
    """
    options = cell.pattern.split(":")[1:]
    fixed = any(option.startswith(WORK) for option in options)
    return ALONE in options or not (fixed or {*BESIDE}.isdisjoint(options))


def shares(alone: Floats, both: Floats, computing: Floats) -> Floats:
    """Hidden share of each visit, not clipped; nan where one of the three times is missing.

    All have one shape and are in seconds. Noise takes a share out of 0 .. 1; clipping before the
    median over visits would bias it.
    """
    return np.asarray(1 - (both - computing) / np.where(alone > 0, alone, np.nan))


def hidden_shares(run: Run, visits: Visits) -> tuple[HiddenShare, ...]:
    """Hidden shares of all operations that were measured in all three ways.

    By configuration and cell. Each visit has the weight of the most disturbed of its three cells.
    """
    known = {cell: index for index, cell in enumerate(run.cells)}
    triples: list[tuple[int, int, int]] = []
    for cell, both in known.items():
        options = cell.pattern.split(":")
        for word in {*BESIDE}.intersection(options[1:]):
            without = [option for option in options if option != word]
            without = [option for option in without if not option.startswith(WORK)]
            alone = known.get(replace(cell, pattern=":".join(without)))
            only = [ALONE if option == word else option for option in options]
            computing = known.get(replace(cell, pattern=":".join(only)))
            if alone is not None and computing is not None:
                triples.append((alone, both, computing))
    hidden: list[HiddenShare] = []
    for c, configuration in enumerate(run.configurations):
        for triple in triples:
            places = [c], [*triple]
            weights = counting(visits.weights[places].min(axis=0))
            by_block = weighted_row_medians(shares(*visits.seconds[places]), weights)
            if np.isnan(by_block).all():
                continue
            cell = run.cells[triple[1]]
            hidden.append(
                HiddenShare(
                    curve=CurveKey.of(cell, configuration),
                    variant=configuration.variant,
                    origin=configuration.origin,
                    size_bytes=cell.size_bytes,
                    oversubscribed=configuration.oversubscribed,
                    hidden=median(by_block).clipped(0, 1),
                )
            )
    return tuple(hidden)
