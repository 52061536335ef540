"""Two independent samples over all cells of a curve at once: Welch's statistic, labels exchanged.

Either sample has a variance of its own, so that six blocks that scatter much and twenty-four that
scatter little don't lend each other certainty; dividing by a standard error that holds for unequal
variances keeps the level of the permutation (Janssen 1997). Tests and intervals go by the same
statistic. What whole samples differ by, as runs of different days do, no exchange of their blocks
can show: it comes from outside as a Spread, and is added.

Rows are cells, columns blocks, nan what wasn't measured, as in `permutation`.

Sources: Welch 1947; Janssen 1997 (studentised permutation); Westfall and Young 1993.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.moderation import moderated
from leadline.statistics.permutation import (
    FEWEST_REARRANGEMENTS,
    MOST_ENUMERATED,
    ROUNDING,
    Rearranged,
    Significance,
    at_both_margins,
    curve_average,
    sums,
)

ROUNDS = 3
"""Of moving the bounds of an interval to where the test, with the truth there, rejects."""


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


@lru_cache(maxsize=16)
def relabellings(first: int, second: int, seed: int) -> Floats:
    """1 where a block counts as one of the second sample, shape (labellings, first + second).

    The first row is what was observed: `first` zeros, then `second` ones.
    """
    blocks = first + second
    if math.comb(blocks, first) <= MOST_ENUMERATED:
        chosen = np.array(list(combinations(range(blocks), first)), dtype=np.intp)
    else:
        order = np.random.default_rng(seed).random((MOST_ENUMERATED, blocks))
        chosen = np.argsort(order, axis=1)[:, :first]
        chosen[0] = np.arange(first)
    labels = np.ones((len(chosen), blocks))
    np.put_along_axis(labels, chosen, 0.0, axis=1)
    labels.flags.writeable = False  # the cache's
    return labels


def unpaired_significance(
    baseline: Floats, candidate: Floats, lower: float, upper: float, seed: int, spread: Spread
) -> Significance:
    """Permuted block labels: which rows of `candidate` lie above `baseline` by more than `upper`.

    And which by less than `lower`. The samples' numbers of blocks and variances may differ. A cell
    with too few blocks (3 against 3, 1 against any): its p-values are 1.
    """
    family, own = _family(baseline, candidate), baseline.shape[1]
    observed = np.arange(family.shape[1]) >= own
    at_lower, at_upper = (
        _with(spread, _relabelled(family - margin * observed, own, seed), seed)
        for margin in (lower, upper)
    )
    return at_both_margins(at_lower, at_upper, upper - lower)


def unpaired_estimates(
    baseline: Floats, candidate: Floats, seed: int, spread: Spread
) -> tuple[Estimate, ...]:
    """By how much `candidate` lies above `baseline` in each cell, then on their average.

    The difference of the means, and all differences that the test of that cell alone wouldn't
    reject, to within what ROUNDS leave. `n` is the smaller number of blocks.
    """
    family, own = _family(baseline, candidate), baseline.shape[1]
    observed = np.arange(family.shape[1]) >= own
    numbers = [np.sum(~np.isnan(part), axis=1) for part in (family[:, :own], family[:, own:])]
    effects = _means(family[:, own:], numbers[1]) - _means(family[:, :own], numbers[0])

    def reach(truth: Floats) -> tuple[Floats, Floats]:
        """How far from the effect a difference isn't rejected, were it `truth`; the confidence."""
        shifted = family - np.nan_to_num(truth)[:, None] * observed
        return _reach(_with(spread, _relabelled(shifted, own, seed), seed))

    down, levels = reach(effects)
    up = down
    for _ in range(ROUNDS):
        (down, _), (up, levels) = reach(effects - down), reach(effects + up)
    ends = zip(effects, effects - down, effects + up, levels, np.minimum(*numbers), strict=True)
    return tuple(_estimate(*one) for one in ends)


def _reach(found: Rearranged) -> tuple[Floats, Floats]:
    """For each row how far 95 of 100 rearrangements stay within, and how many really do.

    In the unit of the values; nan where a row has too few blocks.
    """
    sizes = np.nan_to_num(np.abs(found.effect / found.error))
    left_out = int((1 - CONFIDENCE) * len(sizes) + 1e-9)
    most = np.partition(sizes, len(sizes) - 1 - left_out, axis=0)[len(sizes) - 1 - left_out]
    return most * found.error[0], np.mean(sizes <= most, axis=0)


def _estimate(effect: float, low: float, high: float, level: float, n: int) -> Estimate:
    if n == 0:
        return Estimate(math.nan)
    if math.isnan(low) or math.isnan(high):
        return Estimate(float(effect), n=int(n))
    return Estimate(float(effect), float(low), float(high), float(level), int(n))


def _family(baseline: Floats, candidate: Floats) -> Floats:
    """Both side by side, and below the cells their average, over the same cells everywhere."""
    together = np.hstack([baseline, candidate])
    return np.vstack([together, curve_average(together)])


def _means(values: Floats, numbers: npt.NDArray[np.intp]) -> Floats:
    """Of each row, nan where it is empty."""
    means: Floats = np.nansum(values, axis=1) / np.where(numbers > 0, numbers, np.nan)
    return means


def _relabelled(family: Floats, first: int, seed: int) -> Rearranged:
    """The second sample's mean less the first's, of each row under each labelling."""
    labels = relabellings(first, family.shape[1] - first, seed)
    present, filled = (~np.isnan(family)).astype(np.float64), np.nan_to_num(family)
    enough = _enough(present, first)
    number = np.maximum(present.sum(axis=1), 2)
    everywhere = np.sum(filled**2, axis=1) / number - (filled.sum(axis=1) / number) ** 2
    effects, squared_errors = [], []
    for sample in (1 - labels, labels):
        n = np.where(enough, sums(sample, present), np.nan)
        mean = sums(sample, filled) / np.maximum(n, 1)
        whole = sums(sample, filled**2)
        squares = np.maximum(whole - n * mean**2, ROUNDING * whole)
        variance = np.where(n > 1, squares / np.maximum(n - 1, 1), everywhere)
        freedom = np.where(n[0] > 1, n[0] - 1, np.nan)
        effects.append(np.where(n > 0, mean, np.nan))
        squared_errors.append(moderated(variance * freedom, freedom) / np.maximum(n, 1))
    error = np.sqrt(np.maximum(squared_errors[0] + squared_errors[1], np.finfo(np.float64).tiny))
    return Rearranged(effects[1] - effects[0], error)


def _with(spread: Spread, blocks: Rearranged, seed: int) -> Rearranged:
    """What blocks may show, and beside it what whole samples may differ by.

    Each is as uncertain as it is by itself (Behrens and Fisher's problem): the blocks' difference
    in standard errors keeps the distribution that the labels give it, and counts as many of them
    as were observed, less those that the spread has in it. The first row stays what was observed.
    Few labellings are taken several times, to meet many draws.
    """
    if not spread.modes.any():
        return blocks
    repeats = math.ceil(MOST_ENUMERATED / len(blocks.effect))
    own = np.sqrt(np.maximum(blocks.error[0] ** 2 - 2 * spread.of_blocks, 0))
    scaled = np.tile(blocks.effect / blocks.error * own, (repeats, 1))
    total = np.sqrt(own**2 + 2 * spread.sizes**2)
    effect = scaled + level_differences(spread, len(scaled), seed)
    effect[0] = blocks.effect[0]
    return Rearranged(effect, np.broadcast_to(total, effect.shape))


def _squared_error(family: Floats) -> Floats:
    """Of the mean of each row; 0 for a single block, which says nothing of its scatter."""
    number = np.sum(~np.isnan(family), axis=1)
    mean = np.nanmean(family, axis=1, keepdims=True)
    squares = np.nansum((family - mean) ** 2, axis=1)
    error: Floats = squares / np.maximum(number - 1, 1) / number
    return error


def _enough(present: Floats, first: int) -> npt.NDArray[np.bool_]:
    """Which rows have blocks that can be exchanged in enough ways."""
    n, m = present[:, :first].sum(axis=1), present[:, first:].sum(axis=1)
    possible = [math.comb(int(a + b), int(a)) for a, b in zip(n, m, strict=True)]
    return np.asarray((np.array(possible) >= FEWEST_REARRANGEMENTS) & (np.minimum(n, m) > 1))
