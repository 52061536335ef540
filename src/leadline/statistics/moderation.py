"""Moderated variances: shrinkage of variances of few blocks towards a common one.

Where all cells scatter alike, each variance is shrunk to the common one; where some are disturbed
and some are calm, hardly at all. The amount follows from the variances themselves.

Source: Smyth 2004, section 6.2: the prior's variance and freedom by the moments of log variances.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from leadline.statistics.intervals import Floats

_STEPS = 8
"""Steps of the recurrences, before the asymptotic series take over."""
_HALVES = np.geomspace(1e-3, 1e4, 2001)
"""Half the degrees of freedom at which the inverse of trigamma is tabulated."""
_LEAST_LOGARITHM = np.finfo(np.float64).tiny


def digamma(x: Floats) -> Floats:
    """Derivative of log gamma, to 1e-9, for x > 0.

    Source: Abramowitz and Stegun 1964, 6.3.5 and 6.3.18.
    """
    far = x + _STEPS
    below = np.sum([1 / (x + k) for k in range(_STEPS)], axis=0)
    series = 1 / 12 - (1 / 120 - 1 / (252 * far**2)) / far**2
    return np.asarray(np.log(far) - 1 / (2 * far) - series / far**2 - below)


def trigamma(x: Floats) -> Floats:
    """Derivative of digamma, to 1e-9, for x > 0.

    Source: Abramowitz and Stegun 1964, 6.4.6 and 6.4.12.
    """
    far = x + _STEPS
    below = np.sum([1 / (x + k) ** 2 for k in range(_STEPS)], axis=0)
    series = 1 / 6 - (1 / 30 - 1 / (42 * far**2)) / far**2
    return np.asarray(1 / far + 1 / (2 * far**2) + series / far**3 + below)


@lru_cache(maxsize=1)
def _table() -> tuple[Floats, Floats, Floats]:
    """Rising logarithms of trigamma(h), then log h and digamma(h) - log h there."""
    falling = np.log(trigamma(_HALVES))
    offset = digamma(_HALVES) - np.log(_HALVES)
    return falling[::-1], np.log(_HALVES)[::-1], offset[::-1]


def prior(variances: Floats, freedom: Floats) -> tuple[Floats, Floats]:
    """Common variance and its degrees of freedom, shape (sets, 1) each.

    Estimated from positive `variances`, shape (sets, cells), two cells at least, with `freedom`
    degrees of freedom, shape (cells,). Where these differ no more than their freedom explains, the
    common variance has 20,000 degrees of freedom, practically infinite.
    """
    half = freedom / 2
    logs = np.log(variances) - digamma(half) + np.log(half)
    excess = logs.var(axis=1, ddof=1, keepdims=True) - trigamma(half).mean()
    known, log_half, offset = _table()
    at = np.log(np.maximum(excess, _LEAST_LOGARITHM))
    prior_variance = np.exp(logs.mean(axis=1, keepdims=True) + np.interp(at, known, offset))
    return prior_variance, 2 * np.exp(np.interp(at, known, log_half))


def moderated(squares: Floats, freedom: Floats, alone: int = 1) -> Floats:
    """Variances, shape (sets, rows), each cell's shrunk towards the cells' common one.

    `squares` are sums of squared deviations, `freedom` their degrees of freedom, shape (rows,),
    nan: too few blocks. Each set has a prior of its own, so a test that applies it to every
    rearrangement stays exact. The last `alone` rows keep their own variances, as averages do, which
    scatter less, and so does a cell that is the only other.
    """
    squares = np.maximum(squares, _LEAST_LOGARITHM)
    variances = squares / freedom
    cells = np.flatnonzero(~np.isnan(variances[0, : variances.shape[1] - alone]))
    if cells.size > 1:
        common, weight = prior(variances[:, cells], freedom[cells])
        total = weight * common + squares[:, cells]
        variances[:, cells] = total / (weight + freedom[cells])
    return variances
