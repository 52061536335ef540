"""Change points of a series: a test of every stretch of it against drift, then of its parts.

A machine drifts: neighbouring runs are similar, and a series wanders without anything having been
changed. Compared with values in random order, every second such series has a "change". Here a
stretch with a level of its own is compared with a drifting series without one, a first-order
autoregression: the statistic is the logarithm of the likelihood ratio, whatever the persistence on
either side, and its distribution is that of simulated series that drift as much as the one
observed.

Stretches, not mere splits, find a level that lasted for a while and went back. The p-value allows
for trying all of them. Stray values are clipped first.

Values are normal about their levels, persistence is the coefficient of the autoregression, and
series are rows, shape (series, n).

Sources: Olshen, Venkatraman, Lucito and Wigler 2004 (circular binary segmentation); Bai 1997
(placing changes again); Fearnhead and Rigaill 2019 (why the weight of a stray value must be
bounded); Cochrane and Orcutt 1949 (regression with autocorrelated errors); Davison and Hinkley
1997, section 8.2 (parametric bootstrap of a series); Kendall 1954 (bias of the coefficient).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats

FEWEST_VALUES = 12
"""Fewest values of a series that can show a change: in fewer, drift and steps look the same."""
FARTHEST = 3.0
"""Standard deviations, by the median absolute deviation, that a value may deviate by."""


def drawn_in(values: Floats) -> Floats:
    """`values` clipped to FARTHEST standard deviations from their median.

    A stray value then weighs no more than a true change. More than half equal: unchanged.
    """
    middle = np.median(values)
    deviation = 1.4826 * np.median(np.abs(values - middle))  # of a normal distribution
    if deviation == 0:
        return values
    reach = FARTHEST * deviation
    return np.clip(values, middle - reach, middle + reach)


def strongest_stretch(values: Floats, seed: int = 0) -> tuple[int, int, float]:
    """First index of the stretch that differs most, the first after it, and the p-value.

    The p-value is that of the hypothesis that the level never changes except by drift. Fewer than
    FEWEST_VALUES, or all equal: (0, n, 1.0).
    """
    n = values.size
    if n < FEWEST_VALUES or np.ptp(values) == 0:
        return 0, n, 1.0
    step = strongest_step(values[None])
    first, end = stretches(n)[step.stretch[0]]
    persistence = less_biased(float(step.persistence[0]), n)
    return first, end, chance_of(step.statistic[0], n, persistence, seed)


def change_points(values: Floats, alpha: float, seed: int = 0) -> tuple[int, ...]:
    """Indices, rising, of the values with which a new level begins.

    The strongest stretch is cut out as long as the p-value is at most `alpha`, and so are those of
    the parts; so a series without a change gets one with that probability. Each place is then
    searched again between its neighbours (Bai 1997), as further levels mislead the first cuts.
    """
    series = drawn_in(values) if values.size else values
    starts = tuple(_changes(series, 0, alpha, seed))
    bounds = (0, *starts, values.size)
    return tuple(
        first + best_split(series[first:end])
        for first, end in zip(bounds[:-2], bounds[2:], strict=True)
    )


def best_split(values: Floats) -> int:
    """Number of values, of two or more, after which the mean changes most."""
    n = values.size
    before = np.arange(1, n)
    sums = np.cumsum(values - values.mean())[:-1]
    return int(np.argmax(np.abs(sums) / np.sqrt(before * (n - before) / n))) + 1


def _changes(values: Floats, origin: int, alpha: float, seed: int) -> Iterator[int]:
    """Change points of a part of the series that begins at `origin`, by recursion."""
    first, end, p = strongest_stretch(values, seed)
    if p > alpha:
        return
    cuts = [cut for cut in (first, end) if 0 < cut < values.size]
    for start, stop in zip([0, *cuts], [*cuts, values.size], strict=True):
        if start:
            yield origin + start
        yield from _changes(values[start:stop], origin + start, alpha, seed)


# -- stretches of drifting series ------------------------------------------------------------------

PERSISTENCES = (-0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9)
"""Persistences at which the likelihood is computed; it is interpolated in between."""
SIMULATED = (-0.2, 0.0, 0.2, 0.4, 0.6, 0.75, 0.9)
"""Persistences of the series that an observed one is compared with; interpolated in between."""
DRAWN = 4_000
"""Number of simulated series for each of these."""
SHORTEST = 3
"""Fewest values of a level: fewer are stray values."""
MOST_BOUNDS = 40
"""Most places that a level may begin or end at; longer series are searched in steps."""
SIGNIFICANT = 3.84
"""Upper 5 % point of chi-squared with one degree of freedom."""


@dataclass(frozen=True, slots=True)
class Step:
    """Stretch of each series that most likely has a level of its own."""

    stretch: npt.NDArray[np.intp]
    """Index into `stretches`, shape (series,)."""
    statistic: Floats
    """Twice the log likelihood ratio of a level of its own to none."""
    persistence: Floats
    """Most likely persistence if there is no such level."""


def stretches(n: int) -> tuple[tuple[int, int], ...]:
    """First index and end of all stretches of `n` values that may have a level of their own.

    The values outside are SHORTEST at least as well. A stretch to the end is the complement of one
    from the beginning, and left out.
    """
    bounds = range(0, n + 1, max(1, math.ceil(n / MOST_BOUNDS)))
    return tuple(
        (first, end)
        for first in bounds
        for end in bounds
        if SHORTEST <= end - first <= n - SHORTEST and (end < n or first == 0)
    )


def whitened(series: Floats, persistence: float) -> Floats:
    """Innovations: part of each value that doesn't follow from the one before; of one variance."""
    rest = series.copy()
    rest[..., 1:] -= persistence * series[..., :-1]
    rest[..., 0] *= math.sqrt(1 - persistence**2)
    return rest


@lru_cache(maxsize=64)
def _directions(n: int, persistence: float) -> tuple[Floats, Floats]:
    """Whitened constant, shape (n,), and levels of stretches orthogonal to it; unit vectors."""
    constant = whitened(np.ones(n), persistence)
    constant /= np.linalg.norm(constant)
    inside = np.zeros((len(stretches(n)), n))
    for row, (first, end) in zip(inside, stretches(n), strict=True):
        row[first:end] = 1
    levels = whitened(inside, persistence)
    levels -= np.outer(levels @ constant, constant)
    levels /= np.linalg.norm(levels, axis=1, keepdims=True)
    return constant, levels


def strongest_step(series: Floats) -> Step:
    """Most likely stretch of each of `series`, none of them constant, and its statistic."""
    n = series.shape[1]
    without, within, where = [], [], []
    for persistence in PERSISTENCES:
        constant, levels = _directions(n, persistence)
        rest = whitened(series, persistence)
        rest -= np.outer(rest @ constant, constant)
        squares = np.sum(rest**2, axis=1)
        gains = (rest @ levels.T) ** 2
        where.append(gains.argmax(axis=1))
        least = np.maximum(squares - gains.max(axis=1), squares * 1e-12)  # rounding
        without.append(_deviance(squares, persistence, n))
        within.append(_deviance(least, persistence, n))
    best = np.argmin(within, axis=0)
    return Step(
        np.choose(best, where),
        np.min(without, axis=0) - np.min(within, axis=0),
        _lowest(np.array(without)),
    )


def _deviance(squares: Floats, persistence: float, n: int) -> Floats:
    """Minus twice the log likelihood at the best variance, up to a constant."""
    deviance: Floats = n * np.log(squares) - math.log(1 - persistence**2)
    return deviance


def _lowest(deviances: Floats) -> Floats:
    """Minimum of the parabola through the least of `deviances` and those beside it.

    Shape (series,) from shape (persistences, series), by PERSISTENCES.
    """
    grid = np.array(PERSISTENCES)
    middle = np.clip(deviances.argmin(axis=0), 1, len(grid) - 2)
    places = np.stack([middle - 1, middle, middle + 1])
    (a, b, c), (fa, fb, fc) = grid[places], np.take_along_axis(deviances, places, axis=0)
    left, right = (b - a) * (fb - fc), (b - c) * (fb - fa)
    curved = np.abs(left - right) > np.finfo(np.float64).tiny
    shift = np.where(curved, ((b - a) * left - (b - c) * right) / 2, 0.0)
    lowest: Floats = b - np.divide(shift, left - right, out=np.zeros_like(b), where=curved)
    return np.clip(lowest, grid[0], grid[-1])


def simulated(number: int, n: int, persistence: float, seed: int) -> Floats:
    """Simulated series without a step, of variance 1, shape (number, n)."""
    series = np.random.default_rng(seed).standard_normal((number, n))
    series[:, 0] /= math.sqrt(1 - persistence**2)
    for at in range(1, n):
        series[:, at] += persistence * series[:, at - 1]
    series *= math.sqrt(1 - persistence**2)
    return series


@lru_cache(maxsize=64)
def _statistics_of_chance(n: int, persistence: float, seed: int) -> Floats:
    """Statistics of simulated series without a step, rising."""
    return np.sort(strongest_step(simulated(DRAWN, n, persistence, seed)).statistic)


def less_biased(persistence: float, n: int) -> float:
    """Estimate of the persistence of a series of `n` values, 4 or more, corrected for bias.

    As its level is estimated too, a series seems to have less autocorrelation than it has: on
    average by (1 + 3 a) / n, a being the truth. The part that grows with a is corrected. The rest
    is left: correcting it as well makes steps harder to find in few independent values, where 3.5
    of 100 are false already.
    Source: Kendall 1954.
    """
    return persistence / (1 - 3 / n) if persistence > 0 else persistence


def chance_of(statistic: float, n: int, persistence: float, seed: int) -> float:
    """Probability of such a statistic for a series of `n` values that drifts so, without a step."""
    above = int(np.searchsorted(SIMULATED, persistence))
    near = SIMULATED[max(above - 1, 0) : above + 1]
    chances = []
    for grid_point in near:
        statistics = _statistics_of_chance(n, grid_point, seed)
        more = DRAWN - int(np.searchsorted(statistics, statistic))
        chances.append((more + 1) / (DRAWN + 1))
    return float(np.interp(persistence, near, chances))


def persistence_about(values: Floats, starts: Sequence[int]) -> tuple[float, bool]:
    """Persistence of a series about levels that begin at 0 and at `starts`; whether significant.

    Independent values have 0 on average; a series that alternates has less.
    """
    levels = np.zeros((len(starts) + 1, values.size))
    for row, first, end in zip(levels, (0, *starts), (*starts, values.size), strict=True):
        row[first:end] = 1
    deviances = []
    for persistence in PERSISTENCES:
        rest, design = whitened(values, persistence), whitened(levels, persistence).T
        fitted = design @ np.linalg.lstsq(design, rest, rcond=None)[0]
        squares = np.maximum(np.sum((rest - fitted) ** 2), np.finfo(np.float64).tiny)
        deviances.append(_deviance(squares, persistence, values.size))
    gained = deviances[PERSISTENCES.index(0.0)] - min(deviances)
    likeliest = float(_lowest(np.array(deviances)[:, None])[0])
    return likeliest, bool(gained > SIGNIFICANT and likeliest > 0)
