"""Estimates and intervals that assume no distribution; pure functions over arrays of blocks.

Missing values are nan and are left out. Where the number of values can't support an interval at the
confidence asked for there is none. Tests over several cells at once are in `permutation`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from leadline.statistics.estimate import Estimate

Floats = npt.NDArray[np.float64]

CONFIDENCE = 0.95


def weighted_row_medians(values: Floats, weights: Floats) -> Floats:
    """The weighted median over the last axis: half of the weight lies on either side.

    Where a value ends the lower half exactly it is averaged with the next, so that equal weights
    give the median. Shapes are equal; nan and what weighs nothing is left out, nothing left: nan.
    """
    if values.shape[-1] == 0:
        return np.full(values.shape[:-1], np.nan)
    order = np.argsort(values, axis=-1)  # nan comes last
    ordered = np.take_along_axis(values, order, axis=-1)
    counted = np.take_along_axis(np.where(np.isnan(values), 0.0, weights), order, axis=-1)
    below = np.cumsum(counted, axis=-1)
    half = below[..., -1:] / 2
    slack = 1e-9 * half  # of rounding
    middle = [np.argmax(below >= half - slack, axis=-1), np.argmax(below > half + slack, axis=-1)]
    low, high = (np.take_along_axis(ordered, at[..., None], axis=-1)[..., 0] for at in middle)
    return np.where(half[..., 0] > 0, (low + high) / 2, np.nan)


@lru_cache(maxsize=256)
def sign_distribution(n: int) -> Floats:
    """The chance that k = 0 .. n of n values lie below their median: binomial, exact for any noise.

    At n = 0 none does.
    """
    ways = [math.comb(n, k) / 2**n for k in range(n + 1)]
    return np.array(ways, dtype=np.float64)


@lru_cache(maxsize=256)
def rank_sum_distribution(n: int, m: int) -> Floats:
    """The chance of each Mann-Whitney count u = 0 .. n m of n and m values of one distribution.

    Exact: counts the choices of n among n + m ranks by their sum. At n = 0 or m = 0, u is 0.
    Source: Mann and Whitney 1947.
    """
    ways = np.zeros((n + 1, n * m + 1))
    ways[0, 0] = 1
    for rank in range(n + m):  # the j-th lowest chosen rank, from 0, adds rank - j to u
        for chosen in range(min(rank + 1, n), 0, -1):
            gain = rank - chosen + 1
            if gain <= n * m:
                ways[chosen, gain:] += ways[chosen - 1, : n * m + 1 - gain]
    chances: Floats = ways[n] / ways[n].sum()
    return chances


def _depth(chances: Floats, confidence: float) -> tuple[int, float]:
    """How many of the ordered values an interval may leave out, and the confidence achieved.

    The inversion that all rank intervals share: `chances` is the symmetric distribution of how
    many of the values lie below the true one; the k-th lowest and the k-th highest are the bounds,
    k as large as `confidence` allows, and 1 - 2 P(count < k) is achieved. k = 0: no interval.
    """
    tails = 2 * np.cumsum(chances)
    k = int(np.searchsorted(tails, 1 - confidence + 1e-12, side="right"))
    return k, 1 - float(tails[k - 1]) if k else 1.0


def _present(values: npt.ArrayLike) -> Floats:
    array = np.asarray(values, dtype=np.float64).ravel()
    return array[~np.isnan(array)]


def median(values: npt.ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The median of `values`, between interpolated order statistics.

    Half of what could have been drawn lies on either side of it, however lopsided the noise is. At
    95 % the interval covers it in 94 to 95.5 % from 6 values on, whether they are normal,
    lognormal, exponential or hold outliers. n = 0: the value is nan; n < 6: no interval of 95 %;
    ties: it covers at least as often as it says.
    Source: Hettmansperger and Sheather 1986; Nyblom 1992.
    """
    return median_rows(np.asarray(values, dtype=np.float64).reshape(1, -1), confidence)[0]


def median_rows(values: Floats, confidence: float = CONFIDENCE) -> tuple[Estimate, ...]:
    """`median` of each row of `values`, shape (rows, blocks), many times faster."""
    ordered = np.sort(values, axis=1)  # nan comes last
    known = np.sum(~np.isnan(values), axis=1)
    found = [Estimate(math.nan)] * len(values)
    for n in set(known.tolist()) - {0}:
        rows = np.flatnonzero(known == n)
        estimates = _between_neighbours(ordered[rows, :n], confidence)
        for row, estimate in zip(rows.tolist(), estimates, strict=True):
            found[row] = estimate
    return tuple(found)


def _between_neighbours(ordered: Floats, confidence: float) -> Iterator[Estimate]:
    """`median` of rows without missing values, which rise."""
    n = ordered.shape[1]
    depth, share = _interpolation(n, confidence)
    middles = ((ordered[:, (n - 1) // 2] + ordered[:, n // 2]) / 2).tolist()
    if depth == 0:
        return (Estimate(middle, n=n) for middle in middles)
    low = (1 - share) * ordered[:, depth - 1] + share * ordered[:, depth]
    high = (1 - share) * ordered[:, -depth] + share * ordered[:, -depth - 1]
    rows = zip(middles, low.tolist(), high.tolist(), strict=True)
    return (Estimate(*row, confidence, n) for row in rows)


@lru_cache(maxsize=256)
def _interpolation(n: int, confidence: float) -> tuple[int, float]:
    """Between which order statistics from either end a median's bound lies, and how far inwards.

    Depth k, whose interval covers more often than asked for, and a share of the way to k + 1, whose
    interval covers less often. Depth 0: no interval.
    """
    depth, covered = _depth(sign_distribution(n), confidence)
    if depth == 0:
        return 0, 0.0
    excess = (covered - confidence) / (2 * float(sign_distribution(n)[depth]))
    excess = max(excess, 0.0)  # rounding
    return depth, (n - depth) * excess / (depth + (n - 2 * depth) * excess)


def _centres(ordered: Floats, n: int, depth: int, level: float) -> Estimate:
    """The median of `ordered`, between its values `depth` from either end."""
    middle = float(ordered[(ordered.size - 1) // 2] + ordered[ordered.size // 2]) / 2
    if depth == 0:
        return Estimate(middle, n=n)
    return Estimate(middle, float(ordered[depth - 1]), float(ordered[-depth]), level, n)


def shift(
    baseline: npt.ArrayLike, candidate: npt.ArrayLike, confidence: float = CONFIDENCE
) -> Estimate:
    """By how much `candidate` lies above `baseline`, two independent samples.

    The median of all differences with the exact Mann-Whitney interval; `n` is the smaller sample's.
    Either empty: the value is nan; fewer than 4 against 4 (or the like): no interval of 95 %; ties:
    it covers at least as often as it says.
    Source: Hollander, Wolfe and Chicken 2014, sections 4.2 and 4.3.
    """
    before, after = _present(baseline), _present(candidate)
    n = min(before.size, after.size)
    if n == 0:
        return Estimate(math.nan)
    differences = np.sort((after[:, None] - before[None, :]).ravel())
    depth = _depth(rank_sum_distribution(before.size, after.size), confidence)
    return _centres(differences, n, *depth)


def bootstrap_quantile(
    blocks: Sequence[Floats],
    quantile: float,
    seed: int,
    confidence: float = CONFIDENCE,
    resamples: int = 500,
) -> Estimate:
    """A quantile of all blocks' values together, resampling blocks first, then values inside.

    Percentile interval; with few blocks it covers a little less often than it says (0.92 to 0.93
    at 6 to 8 blocks). No value: it is nan; one block: no interval; ties need no care.
    Source: Kalibera and Jones 2013, section 6; Davison and Hinkley 1997, section 3.8.
    """
    filled = [present for block in blocks if (present := _present(block)).size]
    if not filled:
        return Estimate(math.nan)
    value = float(np.quantile(np.concatenate(filled), quantile))
    if len(filled) == 1:
        return Estimate(value, n=1)
    rng = np.random.default_rng(seed)
    drawn = [_resampled_quantile(filled, quantile, rng) for _ in range(resamples)]
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, float(low), float(high), confidence, len(filled))


def _resampled_quantile(
    blocks: Sequence[Floats], quantile: float, rng: np.random.Generator
) -> float:
    chosen = (blocks[i] for i in rng.integers(len(blocks), size=len(blocks)))
    values = [block[rng.integers(block.size, size=block.size)] for block in chosen]
    return float(np.quantile(np.concatenate(values), quantile))
