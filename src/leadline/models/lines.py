"""A piece at one number of ranks: a straight line in the message size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.models.forms import ClosedForm, Numbers, is_power_of_two
from leadline.models.model import Model, Piece, RankSet
from leadline.models.scatter import student_quantile
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats


@dataclass(frozen=True, slots=True)
class Line:
    """startup_s + slope_s_per_byte m."""

    least_bytes: int
    """The smallest size fitted."""
    most_bytes: int
    """The largest."""
    startup_s: float
    slope_s_per_byte: float
    covariance: Floats
    """Of the two, shape (2, 2); nan: there are no intervals."""

    def at(self, size_bytes: float) -> float:
        """Its time, in seconds."""
        return self.startup_s + self.slope_s_per_byte * size_bytes

    def spread(self, startup: float, slope: float) -> float:
        """The standard error of so many times the start-up and the slope, added."""
        factors = np.array([startup, slope])
        return float(np.sqrt(np.maximum(factors @ self.covariance @ factors, 0.0)))


def lines(model: Model, ranks: int) -> tuple[Line, ...]:
    """The pieces of `model` at `ranks`, by size."""
    weights = per_line(model.form, np.array([ranks]))[0]
    return tuple(_line(piece, weights) for piece in pieces_at(model, ranks))


def per_line(form: ClosedForm, ranks: Numbers) -> Floats:
    """What coefficients weigh in start-up and in the time of a byte: (ranks, 2, terms)."""
    found = np.zeros((ranks.size, 2, len(form.terms)))
    for t, term in enumerate(form.terms):
        found[:, int(term.per_byte), t] = term.scaling.of(ranks.astype(np.float64))
    return found


def pieces_at(model: Model, ranks: int) -> tuple[Piece, ...]:
    """Those of the family that `ranks` belongs to."""
    family = RankSet.POWERS_OF_TWO if is_power_of_two(ranks) else RankSet.OTHERS
    return next(pieces for which, pieces in model.pieces if which in (RankSet.ALL, family))


def _line(piece: Piece, weights: Floats) -> Line:
    startup, slope = weights @ np.array([one.value.value for one in piece.coefficients])
    known = piece.covariance.size > 0
    covariance = weights @ piece.covariance @ weights.T if known else np.full((2, 2), np.nan)
    return Line(piece.least_bytes, piece.most_bytes, float(startup), float(slope), covariance)


def estimate(model: Model, value: float, spread: float) -> Estimate:
    """A sum of coefficients with its standard error."""
    if model.scatter is None or math.isnan(spread):
        return Estimate(value, n=model.blocks)
    return Estimate.around(value, half_width(model, spread), CONFIDENCE, model.blocks)


def half_width(model: Model, spread: float) -> float:
    """Of the interval of coefficients whose sum has this standard error; 0: there are none."""
    return student_quantile(model.blocks - 1) * spread if model.has_intervals else 0.0


def positive_estimate(model: Model, value: float, relative_spread: float) -> Estimate:
    """Of a number above zero, whose logarithm has this standard error."""
    return estimate(model, math.log(value), relative_spread).exp()
