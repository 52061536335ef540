"""Two independent samples over all cells of a curve at once: Welch's statistic, signs flipped.

Either sample has a variance of its own in each cell, so that six blocks that scatter much and
twenty-four that scatter little don't lend each other certainty. What the statistic would be were
there no difference is found by flipping the signs of blocks' distances from their own sample's
mean, whole blocks at a time: that keeps what each cell scatters in either sample, and what cells of
a block share. Exchanging blocks between samples would even out what they scatter, and had any of 12
cells of 1 % against 7 %, and of 7 % against 1 %, called different in 19 of 100 where 5 were meant.
Tests and intervals go by the same statistic, the test over many cells with variances that these
lend each other (`moderation`). What whole samples differ by, as runs of different days do, no
rearrangement of their blocks can show: it comes from outside as a Spread, and is added.

Rows are cells, columns blocks, nan what wasn't measured, as in `permutation`.

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
    """How far whole samples lie apart of which nothing differs: the levels of runs."""

    modes: Floats
    """Shape (modes, cells + 1), the average last: independent standard normal weights of the modes
    add up to how far a level is off."""
    freedom: float
    """Degrees of freedom that it was estimated with; infinite where it was stated."""
    of_blocks: Floats
    """Of the variance of a level, shape (cells + 1,), what the scatter of its blocks accounts for:
    levels that were recorded have it in them."""

    @classmethod
    def stated(cls, spread: float, cells: int) -> Spread:
        """Standard deviation `spread` of the log level in each of `cells` and in their average.

        Cells are taken to stray independently, which costs the test over many most.
        """
        return cls(spread * np.eye(cells + 1), math.inf, np.zeros(cells + 1))

    @classmethod
    def recorded(cls, groups: Sequence[Sequence[Floats]]) -> Spread:
        """Of samples, shape (cells, blocks) with no cell empty, in groups of which nothing differs.

        Groups of one sample say nothing. ValueError where no group has two.
        """
        several = [group for group in groups if len(group) > 1]
        freedom = sum(len(group) - 1 for group in several)
        if not freedom:
            raise ValueError("no two samples are of one group")
        families = [[np.vstack([one, curve_average(one)]) for one in group] for group in several]
        levels = [np.array([np.nanmean(one, axis=1) for one in group]) for group in families]
        deviations = np.vstack([group - group.mean(axis=0) for group in levels])
        scatter = np.mean([_squared_error(one) for group in families for one in group], axis=0)
        modes = np.asarray(np.linalg.qr(deviations, mode="r"))  # as many as members at most
        return cls(modes / math.sqrt(freedom), float(freedom), scatter)

    @property
    def sizes(self) -> Floats:
        """The standard deviation in each cell, then of the average."""
        total: Floats = np.sqrt(np.sum(self.modes**2, axis=0))
        return total


@lru_cache(maxsize=4)
def level_differences(spread: Spread, number: int, seed: int) -> Floats:
    """By how much two levels may differ, shape (number, cells + 1).

    An estimate from few samples is as uncertain here as it was: divided by a variance that is
    drawn along with it, a difference has Student's t distribution, and cells stray together
    as they were seen to.
    """
    rng = np.random.default_rng(seed)

    def levels() -> Floats:
        return sums(rng.standard_normal((number, len(spread.modes))), spread.modes.T)

    differences = math.sqrt(2) * levels()
    if math.isfinite(spread.freedom):
        squares = sum(levels() ** 2 for _ in range(round(spread.freedom))) / spread.freedom
        differences *= spread.sizes / np.sqrt(np.maximum(squares, np.finfo(np.float64).tiny))
    differences.flags.writeable = False  # the cache's
    return differences


def unpaired_significance(
    baseline: Floats, candidate: Floats, lower: float, upper: float, seed: int, spread: Spread
) -> Significance:
    """Which rows of `candidate` lie above `baseline` by more than `upper`, which below `lower`.

    The samples' numbers of blocks and variances may differ. A cell with fewer blocks than
    FEWEST_UNPAIRED_BLOCKS in either: its p-values are 1.
    """
    found = _with(spread, _flipped(baseline, candidate, seed, alone=1), seed)
    at_lower, at_upper = (_less(found, margin) for margin in (lower, upper))
    return at_both_margins(at_lower, at_upper, upper - lower)


def unpaired_estimates(
    baseline: Floats, candidate: Floats, seed: int, spread: Spread
) -> tuple[Estimate, ...]:
    """By how much `candidate` lies above `baseline` in each cell, then on their average.

    The difference of the means, and all differences that the test of that cell alone wouldn't
    reject: a cell's interval is the same whatever was measured beside it. `n` is the smaller number
    of blocks.
    """
    found = _with(spread, _flipped(baseline, candidate, seed, alone=len(baseline) + 1), seed)
    before, after = _families(baseline, candidate)
    effects = _means(after) - _means(before)
    reaches, levels = _reach(found)
    numbers = np.minimum(*(np.sum(~np.isnan(one), axis=1) for one in (before, after)))
    rows = zip(effects, effects - reaches, effects + reaches, levels, numbers, strict=True)
    return tuple(_estimate(*one) for one in rows)


def _less(found: Rearranged, margin: float) -> Rearranged:
    """What was observed, less `margin`, beside what chance shows."""
    effect = found.effect.copy()
    effect[0] -= margin
    return Rearranged(effect, found.error)


def _reach(found: Rearranged) -> tuple[Floats, Floats]:
    """For each row how far 95 of 100 rearrangements stay within, and how many really do.

    In the unit of the values; nan where a row has too few blocks.
    """
    sizes = np.nan_to_num(np.abs(found.effect[1:] / found.error[1:]))
    left_out = int((1 - CONFIDENCE) * len(sizes) + 1e-9)
    most = np.partition(sizes, len(sizes) - 1 - left_out, axis=0)[len(sizes) - 1 - left_out]
    return most * found.error[0], np.mean(sizes <= most, axis=0)


def _estimate(effect: float, low: float, high: float, level: float, n: int) -> Estimate:
    if n == 0:
        return Estimate(math.nan)
    if math.isnan(low) or math.isnan(high):
        return Estimate(float(effect), n=int(n))
    return Estimate(float(effect), float(low), float(high), float(level), int(n))


def _families(baseline: Floats, candidate: Floats) -> tuple[Floats, Floats]:
    """Either with the average of its cells below them, over the same cells everywhere."""
    before, after = curve_averages([baseline, candidate])
    return np.vstack([baseline, before]), np.vstack([candidate, after])


def _means(values: Floats) -> Floats:
    """Of each row, nan where it is empty."""
    numbers = np.sum(~np.isnan(values), axis=1)
    means: Floats = np.nansum(values, axis=1) / np.where(numbers > 0, numbers, np.nan)
    return means


def _flipped(baseline: Floats, candidate: Floats, seed: int, alone: int) -> Rearranged:
    """The difference of the means: first as observed, then under each flip of signs.

    The last `alone` rows keep their own variances, the others lend each other theirs. That serves
    the largest of all rows. For a row by itself it doesn't: over the common variance its flips
    spread as its own distances happen to, and not by Student's t, so that intervals of 95 % held
    the truth in 92. nan where either sample has fewer than FEWEST_UNPAIRED_BLOCKS in a row.
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
    """The mean of each row, and its squared error, shape (flips, rows).

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
    """What blocks may show, and beside it what whole samples may differ by.

    Each is as uncertain as it is by itself (Behrens and Fisher's problem): the blocks' difference
    in standard errors keeps the distribution that the flips give it, and counts as many of them as
    were observed, less those that the spread has in it. The first row stays what was observed. Few
    flips are taken several times, to meet many draws.
    """
    if not spread.modes.any():
        return blocks
    chance = blocks.effect[1:] / blocks.error[1:]
    own = np.sqrt(np.maximum(blocks.error[0] ** 2 - 2 * spread.of_blocks, 0))
    scaled = np.tile(chance * own, (math.ceil(MOST_ENUMERATED / len(chance)), 1))
    total = np.sqrt(own**2 + 2 * spread.sizes**2)
    effect = np.vstack([blocks.effect[:1], scaled + level_differences(spread, len(scaled), seed)])
    return Rearranged(effect, np.broadcast_to(total, effect.shape))


def _squared_error(family: Floats) -> Floats:
    """Of the mean of each row; 0 for a single block, which says nothing of its scatter."""
    number = np.sum(~np.isnan(family), axis=1)
    mean = np.nanmean(family, axis=1, keepdims=True)
    squares = np.nansum((family - mean) ** 2, axis=1)
    error: Floats = squares / np.maximum(number - 1, 1) / number
    return error
