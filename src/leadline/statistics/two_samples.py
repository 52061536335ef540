"""Comparison of two independent samples over all cells of a curve: Welch's statistic, sign flips.

Either sample has a variance of its own in each cell, so that six blocks that scatter much and
twenty-four that scatter little don't share a variance. The distribution under the null hypothesis
is found by flipping the signs of blocks' distances from their own sample's mean, whole blocks at a
time: that keeps the scatter of each cell in either sample, and the correlation between cells of a
block. Exchanging blocks between samples would even out their scatter, and reported any of 12 cells
of 1 % against 7 %, and of 7 % against 1 %, as different in 19 of 100 where 5 were meant. Tests and
intervals use the same statistic, the test over many cells with moderated variances (`moderation`).
Differences between whole samples, as between runs of different days, can't be shown by any
rearrangement of their blocks: they are given as a Spread, and added.

Rows are cells, columns blocks, nan is not measured, as in `permutation`.

Sources: Welch 1947; Liu 1988, Davidson and Flachaire 2008 (the wild bootstrap, by signs); Westfall
and Young 1993.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.moderation import moderated
from leadline.statistics.permutation import (
    FEWEST_UNPAIRED_BLOCKS,
    MOST_ENUMERATED,
    ROUNDING,
    Rearranged,
    Significance,
    at_both_margins,
    curve_average,
    curve_averages,
    sign_flips,
    sums,
)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Variation between whole samples that don't differ otherwise: the levels of runs."""

    modes: Floats
    """Modes, shape (modes, cells + 1), the average last: the deviation of a level is their sum with
    independent standard normal weights."""
    freedom: float
    """Degrees of freedom of the estimate; infinite where it was stated."""
    of_blocks: Floats
    """Part of the variance of a level, shape (cells + 1,), due to the scatter of its blocks, which
    recorded levels contain."""

    @classmethod
    def stated(cls, spread: float, cells: int) -> Spread:
        """Spread of standard deviation `spread` of the log level in each cell, and on average.

        Cells are assumed to deviate independently, the worst case for the test over many.
        """
        return cls(spread * np.eye(cells + 1), math.inf, np.zeros(cells + 1))

    @classmethod
    def recorded(cls, groups: Sequence[Sequence[Floats]]) -> Spread:
        """Spread of samples, shape (cells, blocks), in groups that differ in nothing.

        No cell is empty. Groups of one sample don't count.

        Raises:
            ValueError: No group has two samples.
        """
        several = [group for group in groups if len(group) > 1]
        freedom = sum(len(group) - 1 for group in several)
        if not freedom:
            raise ValueError("no two samples are of one group")
        levels, errors = [], []
        for group in several:
            means = []
            for sample in group:
                family = np.vstack([sample, curve_average(sample)])
                number = np.sum(~np.isnan(family), axis=1)
                mean = np.nanmean(family, axis=1)
                squares = np.nansum((family - mean[:, None]) ** 2, axis=1)
                means.append(mean)
                # of the mean, squared; 0 for a single block, which says nothing of its scatter
                errors.append(squares / np.maximum(number - 1, 1) / number)
            levels.append(np.array(means))
        deviations = np.vstack([group - group.mean(axis=0) for group in levels])
        scatter = np.mean(errors, axis=0)
        modes = np.asarray(np.linalg.qr(deviations, mode="r"))  # as many as members at most
        return cls(modes / math.sqrt(freedom), float(freedom), scatter)

    @property
    def sizes(self) -> Floats:
        """Standard deviation in each cell, then of the average."""
        total: Floats = np.sqrt(np.sum(self.modes**2, axis=0))
        return total


@lru_cache(maxsize=4)
def level_differences(spread: Spread, number: int, seed: int) -> Floats:
    """Differences that two levels may have, shape (number, cells + 1).

    The uncertainty of an estimate from few samples is kept: divided by a variance that is drawn
    along with it, a difference has Student's t distribution, and cells deviate together as they
    were observed to.
    """
    rng = np.random.default_rng(seed)

    def levels() -> Floats:
        return sums(rng.standard_normal((number, len(spread.modes))), spread.modes.T)

    differences = math.sqrt(2) * levels()
    if math.isfinite(spread.freedom):
        squares = sum(levels() ** 2 for _ in range(round(spread.freedom))) / spread.freedom
        differences *= spread.sizes / np.sqrt(np.maximum(squares, np.finfo(np.float64).tiny))
    differences.flags.writeable = False  # it is cached
    return differences


def unpaired_significance(
    baseline: Floats, candidate: Floats, lower: float, upper: float, seed: int, spread: Spread
) -> Significance:
    """Significance of `candidate` minus `baseline` being above `upper`, or below `lower`.

    The samples' numbers of blocks and variances may differ. A cell with fewer blocks than
    FEWEST_UNPAIRED_BLOCKS in either: its p-values are 1.
    """
    rearranged = _with(spread, _flipped(baseline, candidate, seed, alone=1), seed)
    at_lower, at_upper = (
        Rearranged(rearranged.effect.copy(), rearranged.error) for _ in (lower, upper)
    )
    at_lower.effect[0] -= lower  # the observed effect, less the margin
    at_upper.effect[0] -= upper
    return at_both_margins(at_lower, at_upper, upper - lower)


def unpaired_estimates(
    baseline: Floats, candidate: Floats, seed: int, spread: Spread
) -> tuple[Estimate, ...]:
    """Estimates of `candidate` minus `baseline` in each cell, then on their average.

    The difference of the means, and all differences that the test of that cell alone wouldn't
    reject: a cell's interval is the same whatever was measured beside it. `n` is the smaller number
    of blocks.
    """
    rearranged = _with(spread, _flipped(baseline, candidate, seed, alone=len(baseline) + 1), seed)
    before, after = _families(baseline, candidate)
    effects = _means(after) - _means(before)
    # the distance that 95 of 100 rearrangements stay within, in the unit of the values, and the
    # share that really do; nan where a row has too few blocks
    sizes = np.nan_to_num(np.abs(rearranged.effect[1:] / rearranged.error[1:]))
    left_out = int((1 - CONFIDENCE) * len(sizes) + 1e-9)
    most = np.partition(sizes, len(sizes) - 1 - left_out, axis=0)[len(sizes) - 1 - left_out]
    reaches, levels = most * rearranged.error[0], np.mean(sizes <= most, axis=0)
    numbers = np.minimum(*(np.sum(~np.isnan(family), axis=1) for family in (before, after)))
    estimates = []
    rows = zip(effects, effects - reaches, effects + reaches, levels, numbers, strict=True)
    for effect, low, high, level, n in rows:
        if n == 0:
            estimates.append(Estimate(math.nan))
        elif math.isnan(low) or math.isnan(high):
            estimates.append(Estimate(float(effect), n=int(n)))
        else:
            bounds = float(low), float(high)
            estimates.append(Estimate(float(effect), *bounds, float(level), int(n)))
    return tuple(estimates)


def _families(baseline: Floats, candidate: Floats) -> tuple[Floats, Floats]:
    """Both samples, each with the average of its cells as the last row, over the same cells."""
    before, after = curve_averages([baseline, candidate])
    return np.vstack([baseline, before]), np.vstack([candidate, after])


def _means(values: Floats) -> Floats:
    """Mean of each row, nan where it is empty."""
    numbers = np.sum(~np.isnan(values), axis=1)
    means: Floats = np.nansum(values, axis=1) / np.where(numbers > 0, numbers, np.nan)
    return means


def _flipped(baseline: Floats, candidate: Floats, seed: int, alone: int) -> Rearranged:
    """Difference of the means: first as observed, then under each flip of signs.

    The last `alone` rows keep their own variances, the others have moderated ones. That suits the
    maximum over all rows. For a row by itself it doesn't: over the common variance its flips spread
    as its own distances happen to, and not by Student's t, so that intervals of 95 % held the truth
    in 92. nan where either sample has fewer than FEWEST_UNPAIRED_BLOCKS in a row.
    """
    before, after = _families(baseline, candidate)
    own = baseline.shape[1]
    flips = sign_flips(own + candidate.shape[1], seed)
    (low, low_error), (high, high_error) = (
        _mean_flipped(before, flips[:, :own], alone),
        _mean_flipped(after, flips[:, own:], alone),
    )
    return Rearranged(high - low, np.sqrt(np.maximum(low_error + high_error, _LEAST)))


_LEAST = np.finfo(np.float64).tiny


def _mean_flipped(family: Floats, flips: Floats, alone: int) -> tuple[Floats, Floats]:
    """Mean of each row, and its squared error, shape (flips, rows).

    First as observed, then of distances from the mean under `flips`, the first of which leaves all
    signs as they are.
    """
    number = np.sum(~np.isnan(family), axis=1)
    mean = _means(family)
    distances = np.nan_to_num(family - mean[:, None])
    number = np.where(number >= FEWEST_UNPAIRED_BLOCKS, number, np.nan)
    means = sums(flips, distances) / number
    whole = np.sum(distances**2, axis=1)
    squares = np.maximum(whole - number * means**2, ROUNDING * whole)
    means[0] = mean
    return means, moderated(squares, number - 1, alone) / number


def _with(spread: Spread, blocks: Rearranged, seed: int) -> Rearranged:
    """Effects of `blocks` with the variation between whole samples added.

    Each has its own uncertainty (Behrens and Fisher's problem): the blocks' difference in standard
    errors keeps the distribution that the flips give it, and is scaled by the observed standard
    error, less the part that the spread contains. The first row stays the observed one. If flips
    are few they are repeated, to be combined with many draws.
    """
    if not spread.modes.any():
        return blocks
    chance = blocks.effect[1:] / blocks.error[1:]
    own = np.sqrt(np.maximum(blocks.error[0] ** 2 - 2 * spread.of_blocks, 0))
    scaled = np.tile(chance * own, (math.ceil(MOST_ENUMERATED / len(chance)), 1))
    total = np.sqrt(own**2 + 2 * spread.sizes**2)
    effect = np.vstack([blocks.effect[:1], scaled + level_differences(spread, len(scaled), seed)])
    return Rearranged(effect, np.broadcast_to(total, effect.shape))
