"""Tests over all cells of a curve at once by rearranging whole blocks; family-wise control.

Cells of one block share its launch and are correlated; moving whole blocks keeps that, so no
model of the correlation is needed. In every function a row is a cell, a column a block, and nan
marks a cell not measured in a block. The last member of a family is the average of the curve: a
small effect in all cells shows there before it shows in any one of them.

What is tested of a cell is its median. A test by signs alone would be exact for any noise, but
blind at few blocks; one by means would take a lopsided scatter for a difference. So blocks count by
their side of the margin, and by their distance only as far as the nearer quarter of them reach.

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
"""Up to so many rearrangements all are taken, else so many at random."""
MOST_OF_LARGE, LARGE = 2**10, 64
"""Likewise in a family of more than so many members, where each costs more."""
ROUNDING = 1e-14
"""Of a sum of squares, what may be left of it where nothing should be."""
FEWEST_REARRANGEMENTS = 2 / (1 - CONFIDENCE)
"""Fewer can't be significant on either side."""
ASTRAY, POWER = 0.05, 0.95
"""Of blocks, that may lie on the other side of the margin; and how often a cell is to show then."""
FEWEST_UNPAIRED_BLOCKS = next(n for n in range(1, 99) if 4**n / 2 > FEWEST_REARRANGEMENTS)
"""4 on each side, whose signs can be flipped in 128 ways that aren't each other's opposite."""


def tests_of(cells: int) -> int:
    """How many members a curve's family has: its average is one more, of several cells."""
    return cells + 1 if cells > 1 else 1


def fewest_blocks(tests: int) -> int:
    """How many paired blocks let a cell that lies clear of the margin show among `tests` members.

    So many that, by a random flip of each block, the chance that any of `tests` independent members
    comes to lie wholly on one side is at most 5 %: 1 - (1 - 2^(1 - n))^tests. With fewer, such a
    cell shows only where its blocks agree much better than the other members' do. ValueError for
    no tests.
    """
    return math.ceil(1 - math.log2(_level_of_each(tests)))


def ample_blocks(tests: int) -> int:
    """How many let such a cell show in 95 of 100 campaigns although a block in twenty lies astray.

    Counted by sides alone: `k` of `n` blocks on the other side of the margin are as many as random
    flips leave there on either side with a chance of 2 P(Bin(n, 1/2) <= k), which for each of
    `tests` is to be as in fewest_blocks; `k` itself is Bin(n, 1/20). ValueError for no tests.
    """
    level = _level_of_each(tests)
    return next(n for n in count(1) if _shown(n, level) >= POWER)


def _shown(blocks: int, level: float) -> float:
    """How often at most so many blocks lie astray as still show at `level`."""
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
    """What each of so many independent tests may have of the 5 %."""
    if tests < 1:
        raise ValueError(f"a family has at least one test, not {tests}")
    return -math.expm1(math.log(CONFIDENCE) / tests)


@dataclass(frozen=True, slots=True)
class Significance:
    """Family-wise p-values, shape (cells + 1,): one for each cell, then the curve's average."""

    above: Floats
    """Of the hypothesis "at most the upper margin"."""
    below: Floats
    """Of the hypothesis "at least the lower margin"."""
    family: int | None = None
    """How many tests the family has; None: these."""


@lru_cache(maxsize=16)
def sign_flips(blocks: int, seed: int, most: int = MOST_ENUMERATED) -> Floats:
    """Signs +1 or -1, shape (flips, blocks); the first row is all +1, what was observed."""
    if 2**blocks <= most:
        flips = np.array(list(product((1.0, -1.0), repeat=blocks)))
    else:
        flips = np.random.default_rng(seed).choice((1.0, -1.0), size=(most, blocks))
        flips[0] = 1
    flips.flags.writeable = False  # the cache's
    return flips


def step_down(statistics: Floats) -> Floats:
    """Family-wise p-values, shape (members,), of `statistics`, shape (rearrangements, members).

    Row 0 is what was observed. A member is compared with the largest of itself and of all that are
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
    """The mean over cells in each block, shape (blocks,), always over the same cells; else nan.

    As in `curve_averages`, of a single sample.
    """
    return curve_averages([values])[0]


def curve_averages(samples: Sequence[Floats]) -> list[Floats]:
    """The mean over cells in each block of each sample, over the same cells in all; else nan.

    Blocks that lack more than half of the cells are left out first, then cells that more than half
    of a sample's other blocks lack. What a block still lacks stands at the level of its cell in the
    sample, off by as much as the block's other cells are off theirs: averaging what happens to be
    there would mistake a missing cell for a change.
    """
    present = [~np.isnan(one) for one in samples]
    measured = np.all([one.any(axis=1) for one in present], axis=0)
    kept = [one[measured].sum(axis=0) * 2 >= max(measured.sum(), 1) for one in present]
    often = measured & np.all(
        [one[:, own].sum(axis=1) * 2 >= own.sum() for one, own in zip(present, kept, strict=True)],
        axis=0,
    )
    return [_averages(one, own, often) for one, own in zip(samples, kept, strict=True)]


def _averages(values: Floats, blocks: Bools, cells: Bools) -> Floats:
    """The level of `cells` in `values` plus what each of the `blocks` is off on average."""
    average: Floats = np.full(values.shape[1], np.nan)
    if blocks.any() and cells.any():
        chosen = values[np.ix_(cells, blocks)]
        levels = np.nanmedian(chosen, axis=1, keepdims=True)
        number = np.sum(~np.isnan(chosen), axis=0)
        off = np.nansum(chosen - levels, axis=0)
        average[blocks] = levels.mean() + off / np.where(number > 0, number, np.nan)
    return average


def bounded(distances: Floats) -> Floats:
    """`distances` from a margin, each row's no farther than its nearer quarter's, at least 3.

    What lies beyond counts by its side alone. Near the median noise is about as dense on either
    side, whatever its tails: so flipping signs keeps its level, which at the mean it doesn't. The
    bound is the same under every flip. By the nearer third, one library with exponential noise is
    called slower in 8 % from 12 blocks on, by the nearer quarter in 6 %.
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
    """Sign flips of whole blocks: which medians lie above `upper`, which below `lower`.

    Exact where differences are symmetric about their median, as those of two configurations that
    share a block are where nothing disturbs one of them; near it where they are skewed (`bounded`).
    Fewer than 6 blocks of a cell: its p-values are 1. `widening`: what was observed counts by so
    much less, as blocks that lean on each other err by more than any flip of them shows.
    """
    found = paired_significances([differences], lower, upper, seed, [widening])
    return replace(found[0], family=None)


def paired_significances(
    curves: Sequence[Floats],
    lower: float,
    upper: float,
    seed: int,
    widenings: Sequence[float] | None = None,
) -> tuple[Significance, ...]:
    """`paired_significance` of several curves of differences as one family.

    All are over the same blocks, whose signs are flipped in all curves together, so that what the
    curves share (those of three libraries in pairs, each) is shared in every rearrangement: any
    false one among all has a chance of 5 %, and may be chosen by what was seen. No curve: none.
    `widenings` are the curves'; None: 1 each.
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
    for one in (at_lower, at_upper):
        one.effect[0] /= wider
    found = at_both_margins(at_lower, at_upper, upper - lower)
    first = np.cumsum([0, *map(len, curves)])
    members = [
        np.append(np.arange(*ends), first[-1] + place)
        for place, ends in enumerate(pairwise(first.tolist()))
    ]
    tests = sum(tests_of(len(curve)) for curve in curves)
    return tuple(Significance(found.above[own], found.below[own], tests) for own in members)


@dataclass(frozen=True, slots=True)
class Rearranged:
    """Effects and their standard errors, shape (rearrangements, rows); nan: too few blocks."""

    effect: Floats
    error: Floats


def at_both_margins(lower: Rearranged, upper: Rearranged, width: float) -> Significance:
    """The p-values of both sides, the larger of those with the truth at either margin.

    `lower` and `upper` are effects less that margin, rearranged as if the margin were the truth;
    the margins lie `width` apart. Every rearrangement is put to both sides' tests, so the
    family-wise error holds over both, without paying twice where the margins are far apart. What
    was observed is put to them as seen from the margin that it lies beyond: bounded from the other
    one, blocks that scatter as widely as the margins lie apart wouldn't reach there.
    """
    at_upper = np.hstack([upper.effect / upper.error, (-width - upper.effect) / upper.error])
    at_lower = np.hstack([(lower.effect - width) / lower.error, -lower.effect / lower.error])
    above, below = np.split(np.arange(at_upper.shape[1]), 2)
    at_lower[0, above], at_upper[0, below] = at_upper[0, above], at_lower[0, below]
    p_values = (step_down(np.nan_to_num(one, nan=-np.inf)) for one in (at_upper, at_lower))
    largest: Floats = np.maximum(*p_values)
    return Significance(largest[above], largest[below])


def _flipped(family: Floats, flips: Floats, averages: int) -> Rearranged:
    """The mean of each row under each flip; the last `averages` rows are curves' averages."""
    number = np.sum(~np.isnan(family), axis=1)
    number = np.where(2.0**number >= FEWEST_REARRANGEMENTS, number, np.nan)
    filled = np.nan_to_num(family)
    mean = sums(flips, filled) / number
    whole = np.sum(filled**2, axis=1)
    squares = np.maximum(whole - number * mean**2, ROUNDING * whole)
    return Rearranged(mean, standard_error(squares, number - 1, 1 / number, averages))


def sums(weights: Floats, family: Floats) -> Floats:
    """Weighted sums over blocks, shape (rearrangements, rows)."""
    total: Floats = np.einsum("ab,rb->ar", weights, family)  # BLAS would start threads for this
    return total


def standard_error(squares: Floats, freedom: Floats, inverse: Floats, averages: int = 1) -> Floats:
    """Of effects, from sums of squares; `inverse` is the factor from variance to squared error."""
    error = moderated(squares, freedom, averages) * inverse
    return np.sqrt(np.maximum(error, np.finfo(np.float64).tiny))
