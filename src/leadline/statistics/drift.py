"""Series whose values lean on the ones before them: a first-order autoregression about levels.

A machine drifts: neighbouring runs are alike, and a series wanders without anything having been
changed. Held against values in random order, every second such series has a "change". Here a step
is held against a drifting series without one: the statistic is the logarithm of the likelihood
ratio of a stretch with a level of its own, whatever the persistence on either side, and it is
compared with the same statistic of simulated series that drift as much as the one observed.

Values are normal about their levels, persistence is the coefficient of the autoregression, and
series are rows, shape (series, n).

Sources: Cochrane and Orcutt 1949 (regression with such errors); Davison and Hinkley 1997, section
8.2 (parametric bootstrap of a series); Kendall 1954 (bias of the coefficient); Olshen,
Venkatraman, Lucito and Wigler 2004 (stretches).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from leadline.statistics.intervals import Floats

PERSISTENCES = (-0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9)
"""That the likelihood is taken at; in between it is interpolated."""
SIMULATED = (-0.2, 0.0, 0.2, 0.4, 0.6, 0.75, 0.9)
"""Persistences of the series that an observed one is compared with; in between likewise."""
DRAWN = 4_000
"""Simulated series of each."""
SHORTEST = 3
"""Values of a level: fewer are stray ones."""
MOST_BOUNDS = 40
"""Places that a level may begin or end at; longer series are searched in steps, then refined."""
SIGNIFICANT = 3.84
"""The upper 5 % of chi-squared with one degree of freedom."""


@dataclass(frozen=True, slots=True)
class Step:
    """The stretch that most likely has a level of its own, of each series."""

    stretch: npt.NDArray[np.intp]
    """Index into `stretches`, shape (series,)."""
    statistic: Floats
    """Twice the log likelihood ratio of its level to none."""
    persistence: Floats
    """Most likely where there is no such level."""


def stretches(n: int) -> tuple[tuple[int, int], ...]:
    """First value and end of all stretches that may have a level of their own, of `n` values.

    What is left outside has SHORTEST values as well. A stretch to the end is the rest of one from
    the beginning, and left out.
    """
    bounds = range(0, n + 1, max(1, math.ceil(n / MOST_BOUNDS)))
    return tuple(
        (first, end)
        for first in bounds
        for end in bounds
        if SHORTEST <= end - first <= n - SHORTEST and (end < n or first == 0)
    )


def whitened(series: Floats, persistence: float) -> Floats:
    """What of each value doesn't follow from the one before; all of one variance."""
    rest = series.copy()
    rest[..., 1:] -= persistence * series[..., :-1]
    rest[..., 0] *= math.sqrt(1 - persistence**2)
    return rest


@lru_cache(maxsize=64)
def _directions(n: int, persistence: float) -> tuple[Floats, Floats]:
    """The whitened constant, shape (n,), and what each stretch's level adds to it; unit vectors."""
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
    """The likeliest stretch of each of `series`, none of them constant, and how likely it is."""
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
    """Minus twice the log likelihood, but for a constant, at the best variance."""
    deviance: Floats = n * np.log(squares) - math.log(1 - persistence**2)
    return deviance


def _lowest(deviances: Floats) -> Floats:
    """Where the parabola through the least of `deviances` and those beside it is least.

    Shape (series,) of shape (persistences, series), by PERSISTENCES.
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
    """Series without a step, of variance 1, shape (number, n)."""
    series = np.random.default_rng(seed).standard_normal((number, n))
    series[:, 0] /= math.sqrt(1 - persistence**2)
    for at in range(1, n):
        series[:, at] += persistence * series[:, at - 1]
    series *= math.sqrt(1 - persistence**2)
    return series


@lru_cache(maxsize=64)
def _statistics_of_chance(n: int, persistence: float, seed: int) -> Floats:
    """Of simulated series, rising."""
    return np.sort(strongest_step(simulated(DRAWN, n, persistence, seed)).statistic)


def less_biased(persistence: float, n: int) -> float:
    """What a series of `n` values, 4 or more, likelier has where `persistence` is found.

    As its level is estimated too, a series seems to lean less on itself than it does: on average by
    (1 + 3 a) / n, a being the truth. What of it grows with a is undone. The rest is left: undone as
    well it makes steps harder to find in few values that lean on nothing, where 3.5 of 100 are
    false already.
    Source: Kendall 1954.
    """
    return persistence / (1 - 3 / n) if persistence > 0 else persistence


def chance_of(statistic: float, n: int, persistence: float, seed: int) -> float:
    """How often a series of `n` values that drifts so, without a step, has such a statistic."""
    above = int(np.searchsorted(SIMULATED, persistence))
    near = SIMULATED[max(above - 1, 0) : above + 1]
    chances = []
    for one in near:
        chance = _statistics_of_chance(n, one, seed)
        more = DRAWN - int(np.searchsorted(chance, statistic))
        chances.append((more + 1) / (DRAWN + 1))
    return float(np.interp(persistence, near, chances))


def persistence_about(values: Floats, starts: Sequence[int]) -> tuple[float, bool]:
    """Of a series about the levels that begin at 0 and at `starts`; whether it isn't chance.

    Values that lean on nothing have 0 on average; a series that alternates has less.
    """
    levels = np.zeros((len(starts) + 1, values.size))
    for row, first, end in zip(levels, (0, *starts), (*starts, values.size), strict=True):
        row[first:end] = 1
    deviances = []
    for persistence in PERSISTENCES:
        rest, known = whitened(values, persistence), whitened(levels, persistence).T
        fitted = known @ np.linalg.lstsq(known, rest, rcond=None)[0]
        squares = np.maximum(np.sum((rest - fitted) ** 2), np.finfo(np.float64).tiny)
        deviances.append(_deviance(squares, persistence, values.size))
    gained = deviances[PERSISTENCES.index(0.0)] - min(deviances)
    found = float(_lowest(np.array(deviances)[:, None])[0])
    return found, bool(gained > SIGNIFICANT and found > 0)
