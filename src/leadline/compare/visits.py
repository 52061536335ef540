"""What visits add up to in a block: of times and of ratios, each visit counted as it was disturbed.

A visit counts by the batches that it has undisturbed, up to ENOUGH_BATCHES: more don't make its
median better, as visits differ by more than a median of so many batches errs. Times and ratios
count visits alike, so that they can't contradict each other. In simulated campaigns in which a
third of the visits to one side were ten times slower, 90 % of their time lost to run delay, the
error of the ratio fell from 34 % to 0.6 % (bench/disturbed.py).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats, weighted_row_medians

ENOUGH_BATCHES = 15
"""Undisturbed ones, with which a visit counts in full."""
LEAST_SHARE = 0.01
"""Of its batches, that a visit keeps however disturbed it was: where all are, they count."""
LEAST_WEIGHT = 0.5
"""Of the largest in its block, and of the cell's largest share of undisturbed time: a visit that
has less is left out. The median of its batches is that of undisturbed ones only while most were."""
SHARED = 0.5
"""Of what the visits to a side count for, that a ratio visit by visit needs to rest on."""


def undisturbed(batches: npt.NDArray[np.int64], waited: Floats) -> Floats:
    """What visits count for, by their batches and the share of time that a rank waited for a core.

    Told by the cause alone: a slow visit without run delay counts like any other.
    """
    return np.minimum(batches * _undisturbed_shares(waited), ENOUGH_BATCHES)


def spared(waited: Floats) -> npt.NDArray[np.bool_]:
    """Which visits to a cell, shape (..., blocks, visits), bear comparison with its best.

    Those with LEAST_WEIGHT or more of the undisturbed share of the cell's best, in whatever block.
    A block that has none would say how long its side waited: where it has a single visit there is
    no better one to take its place, and what disturbed one side alone would pass for its time.
    """
    shares = np.nan_to_num(_undisturbed_shares(waited))
    best = shares.max(axis=(-2, -1), keepdims=True, initial=0)
    return np.asarray(shares >= LEAST_WEIGHT * best)


def _undisturbed_shares(waited: Floats) -> Floats:
    return np.clip(1 - waited, LEAST_SHARE, 1)


def counting(weights: Floats) -> Floats:
    """`weights`, shape (..., visits), 0 where it is less than LEAST_WEIGHT of its block's largest.

    Among as many clean visits on either side of a median even the least weight decides between the
    two, and disturbance only ever lengthens: medians would err to one side.
    """
    largest = weights.max(axis=-1, keepdims=True, initial=0)
    return np.where(weights < LEAST_WEIGHT * largest, 0, weights)


def block_log_ratios(baseline: Floats, candidate: Floats, weights: Floats) -> Floats:
    """The log ratio of each block, from logarithms of visits' times, shape (..., visits).

    The weighted median of the visits' ratios, which count as the more disturbed side does.
    `weights` are the baseline's and the candidate's, shape (2, ..., visits). Where hardly a visit
    has both sides undisturbed, the sides' own weighted medians are compared instead: that costs
    precision, but one side's disturbance isn't taken for the other's time. No visit with both: nan.
    """
    ratios = candidate - baseline
    mine = counting(np.where(np.isnan([baseline, candidate]), 0, weights))
    both = np.where(np.isnan(ratios), 0, np.minimum(*mine))
    meeting = both.sum(axis=-1) >= SHARED * np.minimum(*mine.sum(axis=-1))
    by_visit = weighted_row_medians(ratios, both)
    apart = weighted_row_medians(candidate, mine[1]) - weighted_row_medians(baseline, mine[0])
    never = np.isnan(ratios).all(axis=-1)
    return np.where(never, np.nan, np.where(meeting, by_visit, apart))
