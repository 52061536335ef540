"""Pieces of a model at one number of ranks: straight lines in the message size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.models.forms import ClosedForm, Numbers
from leadline.models.model import Model, Piece, RankSet
from leadline.models.scatter import student_quantile
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats


@dataclass(frozen=True, slots=True)
class Line:
    """Line startup_s + slope_s_per_byte m."""

    least_bytes: int
    """Smallest size fitted."""
    most_bytes: int
    """Largest size fitted."""
    startup_s: float
    slope_s_per_byte: float
    covariance: Floats
    """Covariance of start-up and slope, shape (2, 2); nan: there are no intervals."""

    def at(self, size_bytes: float) -> float:
        """Time at this size, in seconds."""
        return self.startup_s + self.slope_s_per_byte * size_bytes

    def spread(self, startup: float, slope: float) -> float:
        """Standard error of `startup` times the start-up plus `slope` times the slope."""
        factors = np.array([startup, slope])
        return float(np.sqrt(np.maximum(factors @ self.covariance @ factors, 0.0)))


def lines(model: Model, ranks: int) -> tuple[Line, ...]:
    """Pieces of `model` at `ranks`, by size."""
    weights = per_line(model.form, np.array([ranks]))[0]
    at_ranks = []
    for piece in pieces_at(model, ranks):
        startup, slope = weights @ np.array(
            [coefficient.value.value for coefficient in piece.coefficients]
        )
        known = piece.covariance.size > 0
        covariance = weights @ piece.covariance @ weights.T if known else np.full((2, 2), np.nan)
        at_ranks.append(
            Line(piece.least_bytes, piece.most_bytes, float(startup), float(slope), covariance)
        )
    return tuple(at_ranks)


def per_line(form: ClosedForm, ranks: Numbers) -> Floats:
    """Weights of the coefficients in start-up and slope, shape (ranks, 2, terms)."""
    weights = np.zeros((ranks.size, 2, len(form.terms)))
    for t, term in enumerate(form.terms):
        weights[:, int(term.per_byte), t] = term.scaling.of(ranks.astype(np.float64))
    return weights


def pieces_at(model: Model, ranks: int) -> tuple[Piece, ...]:
    """Pieces of the family that `ranks` belongs to."""
    family = RankSet.POWERS_OF_TWO if is_power_of_two(ranks) else RankSet.OTHERS
    return next(pieces for which, pieces in model.pieces if which in (RankSet.ALL, family))


def estimate(model: Model, value: float, spread: float) -> Estimate:
    """Estimate of a sum of coefficients whose standard error is `spread`."""
    if model.scatter is None or math.isnan(spread):
        return Estimate(value, n=model.blocks)
    return Estimate.around(value, half_width(model, spread), CONFIDENCE, model.blocks)


def half_width(model: Model, spread: float) -> float:
    """Half width of the interval of a sum of coefficients with standard error `spread`.

    0: there are no intervals.
    """
    return student_quantile(model.blocks - 1) * spread if model.has_intervals else 0.0


def positive_estimate(model: Model, value: float, relative_spread: float) -> Estimate:
    """Estimate of a number above zero, whose logarithm has this standard error."""
    return estimate(model, math.log(value), relative_spread).exp()
