"""Whether blocks lean on the ones before them, by one coefficient for all cells of a curve.

Tests and intervals take blocks for exchangeable. Where a machine's mood outlasts a block, they tell
less than as many that lean on nothing. Whether they do is held against the same blocks in random
order, whole columns at a time, so that no model of how cells go together is needed; ranks keep
stray blocks from deciding it. As elsewhere a row is a cell, a column a block, nan what is missing.

Sources: Wald and Wolfowitz 1943 (serial correlation in random order); Marriott and Pope 1954 (its
bias); Wilks 1997 (effective sample size); Davison and Hinkley 1997, section 8.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import CONFIDENCE, Floats

ORDERS = 400
"""At random, that the one observed is held against."""
SIGNIFICANT = 1 - CONFIDENCE
"""Of random orders as many may lean as much: at 10 % calm pairs pay with twice the power."""
FEWEST_BLOCKS = 6
"""Fewer say nothing of a coefficient."""
LARGEST = 0.7
"""Coefficient that is allowed for: few blocks may seem to have any."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """Of what a block is off its level, the share by which the next is off on average."""

    coefficient: float = 0.0
    """Lag-1 autocorrelation of ranks, pooled over cells, without the bias of few blocks."""
    chance: float = 1.0
    """How often blocks in random order lean as much."""

    @property
    def told(self) -> bool:
        """Whether it is more than chance."""
        return self.chance <= SIGNIFICANT

    @property
    def share(self) -> float:
        """The coefficient as it is allowed for; 0 where it is chance."""
        return min(max(self.coefficient, 0.0), LARGEST) if self.told else 0.0

    @property
    def widening(self) -> float:
        """By what a standard error exceeds that of blocks in random order; 1 where it is chance."""
        return math.sqrt((1 + self.share) / (1 - self.share))


def leaning_of(values: Floats) -> Leaning:
    """How far the columns of `values` lean on the ones before; fewer than 6: not at all."""
    blocks = values.shape[1]
    if blocks < FEWEST_BLOCKS:
        return Leaning()
    scores = _scores(values)
    products = scores.T @ scores / max(np.any(scores != 0, axis=1).sum(), 1)
    order = _orders(blocks)
    serial = products[order[:, :-1], order[:, 1:]].sum(axis=1)
    chance = float(np.mean(serial >= serial[0] - 1e-12))  # less rounding
    return Leaning((blocks * float(serial[0]) + 1) / (blocks - 4), chance)


@lru_cache(maxsize=64)
def _orders(blocks: int) -> npt.NDArray[np.intp]:
    """Shape (ORDERS, blocks); the first is the one observed."""
    rows = np.tile(np.arange(blocks), (ORDERS, 1))
    rows[1:] = np.random.default_rng(blocks).permuted(rows[1:], axis=1)
    return rows


def _scores(values: Floats) -> Floats:
    """Each row's ranks about their mean, of length 1; 0 where missing or where all are alike."""
    below = (values[:, :, None] > values[:, None, :]).sum(axis=2)
    above = (values[:, :, None] < values[:, None, :]).sum(axis=2)
    ranks = np.asarray(below - above, dtype=np.float64)  # ties in the middle, missing at 0
    length = np.linalg.norm(ranks, axis=1, keepdims=True)
    scores: Floats = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    return scores
