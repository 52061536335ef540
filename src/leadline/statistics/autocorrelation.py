"""Autocorrelation of blocks, by one coefficient for all cells of a curve.

Tests and intervals assume exchangeable blocks. Where the state of a machine outlasts a block, they
carry less information than as many independent ones. The test compares with the same blocks in
random order, whole columns at a time, so that no model of the correlation between cells is needed;
ranks keep stray blocks from deciding it. As elsewhere a row is a cell, a column a block, and nan a
missing value.

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
"""Random orders that the observed one is compared with."""
SIGNIFICANT = 1 - CONFIDENCE
"""Largest share of random orders with as much autocorrelation: at 10 % pairs without any pay with
twice the power."""
FEWEST_BLOCKS = 6
"""Fewest blocks that a coefficient is estimated from."""
LARGEST = 0.7
"""Largest coefficient that is allowed for: few blocks may seem to have any."""


@dataclass(frozen=True, slots=True)
class Autocorrelation:
    """Share of a block's deviation from its level that the next block has on average."""

    coefficient: float = 0.0
    """Lag-1 autocorrelation of ranks, pooled over cells, without the bias of few blocks."""
    chance: float = 1.0
    """Probability that blocks in random order have as much autocorrelation."""

    @property
    def significant(self) -> bool:
        """Whether it is significant."""
        return self.chance <= SIGNIFICANT

    @property
    def share(self) -> float:
        """Coefficient as it is allowed for; 0 where it isn't significant."""
        return min(max(self.coefficient, 0.0), LARGEST) if self.significant else 0.0

    @property
    def widening(self) -> float:
        """Factor of standard errors over those of independent blocks; 1 if not significant."""
        return math.sqrt((1 + self.share) / (1 - self.share))


def autocorrelation_of(values: Floats) -> Autocorrelation:
    """Autocorrelation of the columns of `values`; fewer than 6: none."""
    blocks = values.shape[1]
    if blocks < FEWEST_BLOCKS:
        return Autocorrelation()
    # each row's ranks about their mean, of length 1; 0 where missing or where all are equal
    below = (values[:, :, None] > values[:, None, :]).sum(axis=2)
    above = (values[:, :, None] < values[:, None, :]).sum(axis=2)
    ranks = np.asarray(below - above, dtype=np.float64)  # ties in the middle, missing at 0
    length = np.linalg.norm(ranks, axis=1, keepdims=True)
    scores = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    products = scores.T @ scores / max(np.any(scores != 0, axis=1).sum(), 1)
    order = _orders(blocks)
    serial = products[order[:, :-1], order[:, 1:]].sum(axis=1)
    chance = float(np.mean(serial >= serial[0] - 1e-12))  # slack for rounding
    return Autocorrelation((blocks * float(serial[0]) + 1) / (blocks - 4), chance)


@lru_cache(maxsize=64)
def _orders(blocks: int) -> npt.NDArray[np.intp]:
    """Orders of the blocks, shape (ORDERS, blocks); the first is the observed one."""
    rows = np.tile(np.arange(blocks), (ORDERS, 1))
    rows[1:] = np.random.default_rng(blocks).permuted(rows[1:], axis=1)
    return rows
