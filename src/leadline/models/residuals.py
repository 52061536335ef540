"""Residuals of a form, interpolated by straight lines between the points it was fitted to.

A form is smooth and a library isn't. Where its residuals exceed the noise of the medians, those at
two points are informative about points between: predictions add a share of them. The share is that
of misfit in the variance of residuals, so that noise isn't followed; between numbers of ranks,
which may behave differently, it is no more than the best one where some were left out. Outside of
what was measured, residuals fade within an octave.

Sources: Cressie 1993, section 3.4 (universal kriging: a trend, and residuals near by, shrunk for
noise); Efron and Morris 1973 (amount of shrinkage).
"""

from __future__ import annotations

import numpy as np

from leadline.models.fitting import families
from leadline.models.forms import ClosedForm, Numbers
from leadline.statistics.intervals import Floats

_SHARES = np.linspace(0.0, 1.0, 11)


def between_sizes(at: Floats, fitted: Floats) -> Floats:
    """Weight of each residual at these sizes, shape (at, fitted): straight lines in the size."""
    return _hats(at, knots_of(fitted))


def knots_of(sizes_bytes: Floats) -> Floats:
    """Rising sizes, with one at either end from which on residuals are 0."""
    least, most = sizes_bytes[0], sizes_bytes[-1]
    return np.concatenate([[least / 2 if least else -1.0], sizes_bytes, [2 * most + 1]])


def between_ranks(form: ClosedForm, at: Numbers, fitted: Numbers) -> Floats:
    """Weight of each residual at these numbers of ranks, shape (at, fitted), within families.

    Straight lines in the logarithm; `fitted` rise. Outside, all are 0 from an octave away on.
    """
    weights = np.zeros((at.size, fitted.size))
    pairs = zip(families(form, at), families(form, fitted), strict=True)
    for (_, rows), (_, columns) in pairs:
        if rows.any() and columns.any():
            knots = np.log2(fitted[columns])
            knots = np.concatenate([[knots[0] - 1], knots, [knots[-1] + 1]])
            weights[np.ix_(rows, columns)] = _hats(np.log2(at[rows]), knots)
    return weights


def _hats(at: Floats, knots: Floats) -> Floats:
    """Hat functions of the inner knots: 1 at the knot, 0 at its neighbours, straight between."""
    inner = np.eye(knots.size)[:, 1:-1]
    return np.stack([np.interp(at, knots, unit) for unit in inner.T], axis=1)


def best_share(errors: Floats, lacking: Floats, most: float) -> float:
    """Share of residuals, at most `most`, that leaves the least mean absolute error.

    `errors` are logarithms of predicted over measured times, `lacking` shares of predicted ones;
    nan: unknown.
    """
    known = ~np.isnan(errors + lacking)
    if not known.any():
        return 0.0
    left = corrected(errors[known], lacking[known], _SHARES[:, None])
    return float(min(most, _SHARES[np.abs(left).mean(axis=1).argmin()]))


def corrected(errors: Floats, lacking: Floats, share: float | Floats) -> Floats:
    """Errors after a share of the residuals was added."""
    return np.asarray(errors + np.log(np.maximum(1 + share * lacking, 0.1)))
