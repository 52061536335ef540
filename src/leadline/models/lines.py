"""A piece at one number of ranks: a straight line in the message size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.models.algorithms import is_power_of_two
from leadline.models.model import Model, Piece, RankSet
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
        return float(np.sqrt(factors @ self.covariance @ factors))


def lines(model: Model, ranks: int) -> tuple[Line, ...]:
    """The pieces of `model` at `ranks`, by size."""
    return tuple(_line(piece, ranks) for piece in pieces_at(model, ranks))


def pieces_at(model: Model, ranks: int) -> tuple[Piece, ...]:
    """Those of the family that `ranks` belongs to."""
    family = RankSet.POWERS_OF_TWO if is_power_of_two(ranks) else RankSet.OTHERS
    return next(pieces for which, pieces in model.pieces if which in (RankSet.ALL, family))


def _line(piece: Piece, ranks: int) -> Line:
    terms = [one.term for one in piece.coefficients]
    values = np.array([one.value.value for one in piece.coefficients])
    scalings = np.concatenate([term.scaling.of(np.array([float(ranks)])) for term in terms])
    per_byte = np.array([term.per_byte for term in terms])
    both = np.array([np.where(per_byte, 0.0, scalings), np.where(per_byte, scalings, 0.0)])
    startup, slope = both @ values
    known = piece.covariance.size > 0
    covariance = both @ piece.covariance @ both.T if known else np.full((2, 2), np.nan)
    return Line(piece.least_bytes, piece.most_bytes, float(startup), float(slope), covariance)


def estimate(model: Model, value: float, spread: float) -> Estimate:
    """A sum of coefficients with its standard error."""
    if model.scatter is None or math.isnan(spread):
        return Estimate(value, n=model.blocks)
    reach = model.scatter.quantile * spread
    return Estimate(value, value - reach, value + reach, CONFIDENCE, model.blocks)


def positive_estimate(model: Model, value: float, relative_spread: float) -> Estimate:
    """Of a number above zero, whose logarithm has this standard error."""
    return estimate(model, math.log(value), relative_spread).exp()
