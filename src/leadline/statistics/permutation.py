"""Permutation tests over all cells of a curve at once, with family-wise error control.

Cells of one block share its launch and are correlated; rearranging whole blocks keeps that, so no
model of the correlation is needed. In every function a row is a cell, a column a block, and nan
marks a cell not measured in a block. The last member of a family is the average of the curve: a
small effect in all cells shows there before it shows in any one of them.

The tests are of medians. A test by signs alone would be exact for any noise, but without power at
few blocks; one by means would take a skewed scatter for a difference. So blocks count by their side
of the margin, and by their distance only up to that of the nearer quarter of them.

Sources: Westfall and Young 1993 (step-down maximum statistic); Huber 1964 (bounded scores);
Smyth 2004 (moderated t).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, pairwise, product

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.moderation import moderated

Bools = npt.NDArray[np.bool_]

MOST_ENUMERATED = 2**12
"""Number of rearrangements up to which all are taken; beyond it so many are drawn at random."""
MOST_OF_LARGE, LARGE = 2**10, 64
"""The same in a family of more than LARGE members, where each costs more."""
ROUNDING = 1e-14
"""Share of a sum of squares that rounding may leave where it should be zero."""
FEWEST_REARRANGEMENTS = 2 / (1 - CONFIDENCE)
"""Fewest rearrangements that can be significant on either side."""
ASTRAY, POWER = 0.05, 0.95
"""Share of blocks that may lie on the other side of the margin, and power required then."""
FEWEST_UNPAIRED_BLOCKS = next(n for n in range(1, 99) if 4**n / 2 > FEWEST_REARRANGEMENTS)
"""4 on each side, whose signs can be flipped in 128 ways that aren't each other's opposite."""


def tests_of(cells: int) -> int:
    """Number of tests in a curve's family: its average is one more, if it has several cells."""
    return cells + 1 if cells > 1 else 1


def fewest_blocks(tests: int) -> int:
    """Fewest paired blocks by which a cell clear of the margin is significant among `tests`.

    By a random flip of each block, the probability that any of `tests` independent members lies
    wholly on one side is then at most 5 %: 1 - (1 - 2^(1 - n))^tests. With fewer, such a cell is
    significant only where its blocks agree much better than the other members' do.

    Raises:
        ValueError: There are no tests.
    """
    return math.ceil(1 - math.log2(_level_of_each(tests)))


def ample_blocks(tests: int) -> int:
    """Blocks by which such a cell is significant in 95 % of campaigns, one block in twenty astray.

    Counted by sides alone: `k` of `n` blocks on the other side of the margin are as many as random
    flips leave there on either side with a probability of 2 P(Bin(n, 1/2) <= k), which for each of
    `tests` is to be as in fewest_blocks; `k` itself is Bin(n, 1/20).

    Raises:
        ValueError: There are no tests.
    """
    level = _level_of_each(tests)
    return next(n for n in count(1) if _power(n, level) >= POWER)


def _power(blocks: int, level: float) -> float:
    """Probability that no more blocks lie astray than are significant at `level`."""
    chance = 0.0
    for astray in range(blocks + 1):
        if 2 * _at_most(astray, blocks, 0.5) > level:
            break
        chance = _at_most(astray, blocks, ASTRAY)
    return chance


def _at_most(events: int, trials: int, chance: float) -> float:
    """P(Bin(trials, chance) <= events)."""
    return sum(
        math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(events + 1)
    )


def _level_of_each(tests: int) -> float:
    """Significance level of each of so many independent tests, of 5 % for all."""
    if tests < 1:
        raise ValueError(f"a family has at least one test, not {tests}")
    return -math.expm1(math.log(CONFIDENCE) / tests)


@dataclass(frozen=True, slots=True)
class Significance:
    """Family-wise p-values, shape (cells + 1,): one for each cell, then the curve's average."""

    above: Floats
    """p-values of the hypothesis "at most the upper margin"."""
    below: Floats
    """p-values of the hypothesis "at least the lower margin"."""
    family: int | None = None
    """Number of tests in the family; None: these."""


@lru_cache(maxsize=16)
def sign_flips(blocks: int, seed: int, most: int = MOST_ENUMERATED) -> Floats:
    """Signs +1 or -1, shape (flips, blocks); the first row is all +1, the observed order."""
    if 2**blocks <= most:
        flips = np.array(list(product((1.0, -1.0), repeat=blocks)))
    else:
        flips = np.random.default_rng(seed).choice((1.0, -1.0), size=(most, blocks))
        flips[0] = 1
    flips.flags.writeable = False  # it is cached
    return flips


def step_down(statistics: Floats) -> Floats:
    """Family-wise p-values, shape (members,), of `statistics`, shape (rearrangements, members).

    Row 0 is the observed one. A member is compared with the largest of itself and of all that are
    less extreme; p-values never decrease on the way down. Ties count as at least as extreme.
    Source: Westfall and Young 1993, algorithm 4.1.
    """
    observed: Floats = statistics[0]
    descending = np.argsort(-observed, kind="stable")
    largest = np.maximum.accumulate(statistics[:, descending[::-1]], axis=1)[:, ::-1]
    slack = 1e-9 * np.maximum(np.abs(observed[descending]), 1)
    chances = (largest >= observed[descending] - slack).mean(axis=0)
    p_values = np.empty_like(observed)
    p_values[descending] = np.maximum.accumulate(chances)
    return p_values


def curve_average(values: Floats) -> Floats:
    """Mean over cells in each block, shape (blocks,), always over the same cells; else nan.

    As `curve_averages`, for a single sample.
    """
    return curve_averages([values])[0]


def curve_averages(samples: Sequence[Floats]) -> list[Floats]:
    """Mean over cells in each block of each sample, over the same cells in all; else nan.

    Blocks that lack more than half of the cells are left out first, then cells that more than half
    of a sample's other blocks lack. A cell that a block still lacks is put at its level in the
    sample, plus the mean deviation of the block's other cells from theirs: averaging only the cells
    that are there would mistake a missing cell for a change.
    """
    present = [~np.isnan(sample) for sample in samples]
    measured = np.all([mask.any(axis=1) for mask in present], axis=0)
    kept = [mask[measured].sum(axis=0) * 2 >= max(measured.sum(), 1) for mask in present]
    often = [
        mask[:, blocks].sum(axis=1) * 2 >= blocks.sum()
        for mask, blocks in zip(present, kept, strict=True)
    ]
    cells = measured & np.all(often, axis=0)
    averages = []
    for sample, blocks in zip(samples, kept, strict=True):
        average: Floats = np.full(sample.shape[1], np.nan)
        if blocks.any() and cells.any():
            chosen = sample[np.ix_(cells, blocks)]
            levels = np.nanmedian(chosen, axis=1, keepdims=True)
            number = np.sum(~np.isnan(chosen), axis=0)
            deviations = np.nansum(chosen - levels, axis=0)
            average[blocks] = levels.mean() + deviations / np.where(number > 0, number, np.nan)
        averages.append(average)
    return averages


def bounded(distances: Floats) -> Floats:
    """`distances` from a margin, bounded by the nearer quarter of each row, of 3 at least.

    Values beyond count by their side alone. Near the median noise is about as dense on either side,
    whatever its tails: so flipping signs keeps its level, which it doesn't at the mean. The bound
    is the same under every flip. By the nearer third, one library with exponential noise is
    reported as slower in 8 % from 12 blocks on, by the nearer quarter in 6 %.
    """
    if distances.shape[1] == 0:
        return distances
    number = np.sum(~np.isnan(distances), axis=1, keepdims=True)
    place = np.minimum(np.maximum(-(-number // 4), 3), np.maximum(number, 1)) - 1
    reach = np.take_along_axis(np.sort(np.abs(distances), axis=1), place, axis=1)  # nan comes last
    return np.clip(distances, -reach, reach)


def paired_significance(
    differences: Floats, lower: float, upper: float, seed: int, widening: float = 1.0
) -> Significance:
    """Significance of medians above `upper`, or below `lower`, by sign flips of whole blocks.

    Exact where differences are symmetric about their median, as those of two configurations that
    share a block are where nothing disturbs one of them; nearly so where they are skewed
    (`bounded`). Fewer than 6 blocks of a cell: its p-values are 1. The observed effect is divided
    by `widening`, as autocorrelated blocks have larger errors than any flip of them shows.
    """
    of_curve = paired_significances([differences], lower, upper, seed, [widening])[0]
    return replace(of_curve, family=None)


def paired_significances(
    curves: Sequence[Floats],
    lower: float,
    upper: float,
    seed: int,
    widenings: Sequence[float] | None = None,
) -> tuple[Significance, ...]:
    """`paired_significance` of several curves of differences as one family.

    All are over the same blocks, whose signs are flipped in all curves together, so that what the
    curves have in common (those of three libraries in pairs, each) they have in every
    rearrangement: the probability of any false one among all is 5 %, even if it is selected by what
    was observed. No curve: none. `widenings` are the curves'; None: 1 each.
    """
    if not curves:
        return ()
    family = np.vstack([*curves, *map(curve_average, curves)])
    most = MOST_OF_LARGE if len(family) > LARGE else MOST_ENUMERATED
    flips = sign_flips(family.shape[1], seed, most)
    each = np.ones(len(curves)) if widenings is None else np.array(widenings)
    wider = np.append(np.repeat(each, [len(curve) for curve in curves]), each)
    at_lower, at_upper = (
        _flipped(bounded(family - margin), flips, len(curves)) for margin in (lower, upper)
    )
    for rearranged in (at_lower, at_upper):
        rearranged.effect[0] /= wider
    p_values = at_both_margins(at_lower, at_upper, upper - lower)
    first = np.cumsum([0, *map(len, curves)])
    members = [
        np.append(np.arange(*ends), first[-1] + place)
        for place, ends in enumerate(pairwise(first.tolist()))
    ]
    tests = sum(tests_of(len(curve)) for curve in curves)
    return tuple(Significance(p_values.above[own], p_values.below[own], tests) for own in members)


@dataclass(frozen=True, slots=True)
class Rearranged:
    """Effects and their standard errors, shape (rearrangements, rows); nan: too few blocks."""

    effect: Floats
    error: Floats


def at_both_margins(lower: Rearranged, upper: Rearranged, width: float) -> Significance:
    """p-values of both sides, the larger of those with the truth at either margin.

    `lower` and `upper` are effects minus that margin, rearranged as if the margin were the truth;
    the margins lie `width` apart. Both sides are tested in every rearrangement, so the family-wise
    error holds over both, without paying twice where the margins are far apart. The observed effect
    is tested as seen from the margin that it lies beyond: bounded from the other one, blocks that
    scatter as widely as the margins lie apart wouldn't reach there.
    """
    at_upper = np.hstack([upper.effect / upper.error, (-width - upper.effect) / upper.error])
    at_lower = np.hstack([(lower.effect - width) / lower.error, -lower.effect / lower.error])
    above, below = np.split(np.arange(at_upper.shape[1]), 2)
    at_lower[0, above], at_upper[0, below] = at_upper[0, above], at_lower[0, below]
    p_values = (step_down(np.nan_to_num(t, nan=-np.inf)) for t in (at_upper, at_lower))
    largest: Floats = np.maximum(*p_values)
    return Significance(largest[above], largest[below])


def _flipped(family: Floats, flips: Floats, averages: int) -> Rearranged:
    """Mean of each row under each flip; the last `averages` rows are curves' averages."""
    number = np.sum(~np.isnan(family), axis=1)
    number = np.where(2.0**number >= FEWEST_REARRANGEMENTS, number, np.nan)
    filled = np.nan_to_num(family)
    mean = sums(flips, filled) / number
    whole = np.sum(filled**2, axis=1)
    squares = np.maximum(whole - number * mean**2, ROUNDING * whole)
    return Rearranged(mean, standard_error(squares, number - 1, 1 / number, averages))


def sums(weights: Floats, family: Floats) -> Floats:
    """Weighted sums over blocks, shape (rearrangements, rows)."""
    total: Floats = np.einsum("ab,rb->ar", weights, family)  # BLAS would start threads
    return total


def standard_error(squares: Floats, freedom: Floats, inverse: Floats, averages: int = 1) -> Floats:
    """Standard error of effects, from sums of squares.

    `inverse` is the factor from variance to squared error.
    """
    error = moderated(squares, freedom, averages) * inverse
    return np.sqrt(np.maximum(error, np.finfo(np.float64).tiny))
