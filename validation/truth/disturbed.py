"""How often verdicts are right where ranks of one side alone waited for cores, as records say.

A campaign has 12 cells in blocks of one or several visits. Both sides of a visit share the
machine's mood (5 %), and of each cell the log ratio spreads by 0.01 to 0.08 from visit to visit. A
slice that is struck lost 50 to 90 % of its time; its batches are longer by as much, and so fewer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from leadline.compare.medians import spared, undisturbed
from leadline.compare.verdict import Paired, Verdict, judge
from leadline.statistics.intervals import Floats
from validation.rates import FALSE, Simulation

THRESHOLD, CELLS, BATCHES = 0.02, 12, 60
LOWEST, HIGHEST = 0.01, 0.08
"""Of the cells' spreads."""
MOOD = 0.05
LEAST_LOST, MOST_LOST = 0.5, 0.9
"""Of a struck slice's time."""
BLOCKS = (8, 12, 16)
SHARES = (0.0, 0.2, 0.4)
"""Of the candidate's slices that are struck."""
FOUND = (0.95, 1.0)
"""The goal of 5 % over a curve."""


@dataclass(frozen=True, slots=True)
class Struck:
    """Of which campaigns so many slices are struck."""

    share: float
    blocks: int
    visits: int = 1

    def campaign(self, rng: np.random.Generator, ratio: float) -> Paired:
        """The baseline in calm and the candidate, in truth `ratio` times as long."""
        shape = (2, CELLS, self.blocks, self.visits)
        spreads = np.exp(rng.uniform(math.log(LOWEST), math.log(HIGHEST), (CELLS, 1, 1)))
        times: Floats = spreads / math.sqrt(2) * rng.standard_normal(shape)
        times += MOOD * rng.standard_normal(shape[1:])
        lost = rng.uniform(LEAST_LOST, MOST_LOST, shape[1:])
        lost = np.where(rng.random(shape[1:]) < self.share, lost, 0)
        times[1] += math.log(ratio) - np.log1p(-lost)
        waited = np.stack([np.zeros(shape[1:]), lost])
        batches = (BATCHES * (1 - waited)).astype(np.int64)
        weights = np.where(spared(waited), undisturbed(batches, waited), 0)
        return Paired(times[0], times[1], weights)


def _found(case: Struck, ratio: float, number: int, seed: int) -> float:
    """The share of campaigns in which the candidate is slower anywhere."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(number):
        contrast = case.campaign(rng, ratio)
        judged = judge(contrast, contrast.estimates(), THRESHOLD, 0)
        found += Verdict.SLOWER in [one.verdict for one in judged]
    return found / number


def called_slower(case: Struck, number: int) -> float:
    """The share of campaigns, all cells just at the threshold, of which any is called slower."""
    return _found(case, 1 + THRESHOLD, number, seed=case.blocks)


def found_over_curve(case: Struck, number: int) -> float:
    """How often 5 % over the curve is found."""
    return _found(case, 1.05, number, seed=case.blocks)


def simulations() -> Iterator[Simulation]:
    """Of as many campaigns as trials."""
    for share in SHARES:
        for blocks in BLOCKS:
            for visits in (1, 3):
                what = f"disturbed: {share:.0%} of one side, {visits} a block, {blocks} blocks"
                false = partial(called_slower, Struck(share, blocks, visits))
                yield Simulation(what, FALSE, 400, false)
    for share in SHARES:
        what = f"disturbed: 5 % over a curve found, {share:.0%} of one side, 12 blocks"
        yield Simulation(what, FOUND, 400, partial(found_over_curve, Struck(share, 12)))
