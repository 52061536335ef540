"""What a model expects of another campaign, with intervals, for many points at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from leadline.models.fitting import families
from leadline.models.forms import Numbers, is_power_of_two
from leadline.models.lines import per_line
from leadline.models.model import Model, Piece, RankSet
from leadline.models.segments import Indices
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import Bools

MOST_TABULATED = 2**20
"""Ranks: up to so many, a table tells where each number is faster than sorting does."""
WIDEST = float(np.log(1e12))
"""Half an interval, in natural logarithms: whatever is wider says nothing, and stays finite."""
AT_ONCE = 2**14
"""Points: so many keep what is computed of them in a processor's own cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Arrays over the points asked for."""

    seconds: Floats
    """nan: the model is of one number of ranks, and this is another."""
    low: Floats
    """Of a new campaign's median, 95 %; nan where a model has no intervals."""
    high: Floats
    extrapolated: Bools
    """Whether the size or the number of ranks lies outside of what was fitted, where powers of two
    are apart to those of its kind, or the latter is no power of two where all fitted ones are."""

    def estimates(self, blocks: int) -> tuple[Estimate, ...]:
        """Of each point, in order; `blocks` are those that the model rests on."""
        columns = (one.ravel().tolist() for one in (self.seconds, self.low, self.high))
        return tuple(
            Estimate(value, n=blocks)
            if math.isnan(low)
            else Estimate(value, low, high, CONFIDENCE, blocks)
            for value, low, high in zip(*columns, strict=True)
        )


def predict(model: Model, ranks: npt.ArrayLike, sizes_bytes: npt.ArrayLike) -> Prediction:
    """At numbers of ranks, 2 or more, and sizes, 0 or more; shapes broadcast.

    A size between two pieces lies on the straight line between their ends, and its interval holds
    both (of 48 recorded curves with every other size held out nine tenths are off by at most 14 %,
    by the nearer piece 16 %). Outside of what was fitted noise and misfit count 1 + the distance in
    octaves as much.
    """
    asked, sizes = np.asarray(ranks, dtype=np.int64), np.asarray(sizes_bytes, dtype=np.float64)
    shape = np.broadcast_shapes(asked.shape, sizes.shape)
    numbers, places = _distinct(asked)
    row = np.broadcast_to(places, shape).ravel()
    flat = np.broadcast_to(sizes, shape).ravel()
    curves = _Curves.of(model, numbers)
    seconds, low, high = (np.empty(flat.size) for _ in range(3))
    outside = np.empty(flat.size, dtype=np.bool_)
    for start in range(0, flat.size, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        found = curves.at(row[part], flat[part])
        seconds[part], low[part], high[part], outside[part] = found
    return Prediction(
        seconds.reshape(shape), low.reshape(shape), high.reshape(shape), outside.reshape(shape)
    )


def _distinct(ranks: Numbers) -> tuple[Numbers, Indices]:
    """The numbers of ranks, rising, and the place of each one among them."""
    most = int(ranks.max(initial=0))
    if ranks.size < AT_ONCE or most > MOST_TABULATED:
        numbers, places = np.unique(ranks, return_inverse=True)
        return numbers, places.reshape(ranks.shape)
    seen = np.zeros(most + 1, dtype=np.bool_)
    seen[ranks] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[ranks]


@dataclass(frozen=True, slots=True, eq=False)
class _Curves:
    """A model at some numbers of ranks: at each it is a line in the size, piece by piece.

    Arrays over lines have the shape (ranks x stretches,), those of one number of ranks together
    and between two pieces what joins them.
    """

    model: Model
    startup: Floats
    """Of each line, at zero bytes."""
    per_byte: Floats
    least: Floats
    """Of each line, the shortest time where it was fitted: outside, it isn't followed below."""
    variance: tuple[Floats, Floats, Floats]
    """Of each line at m bytes, the factors of 1, m and m^2."""
    ranks_outside: Floats
    """Of each number of ranks, by how many octaves it lies outside of those that its family was
    fitted to."""
    ranks_unlike: Bools
    """Of each number of ranks, whether it lies outside, or is no power of two as all fitted are."""
    edges: Floats
    """Two sizes of each breakpoint: the last one below, and the first one above."""

    @classmethod
    def of(cls, model: Model, ranks: Numbers) -> _Curves:
        """At `ranks`, which rise."""
        pieces = model.pieces[0][1]
        edges = [
            edge
            for below, above in pairwise(pieces)
            for edge in (np.nextafter(below.most_bytes, np.inf), above.least_bytes)
        ]
        lines = [_lines(model, ranks, k) for k in range(len(pieces))]
        for k, (below, above) in reversed(list(enumerate(pairwise(pieces), 1))):
            ends = below.most_bytes, above.least_bytes
            lines.insert(k, _chord(lines[k - 1], lines[k], *ends))
        startup, per_byte, least, *variance = np.stack(lines, axis=-1).reshape(6, -1)
        octaves = _octaves_outside(model, ranks)
        sums = (variance[0], variance[1], variance[2])
        unlike = (octaves > 0) | (model.of_powers_alone & ~is_power_of_two(ranks))
        return cls(model, startup, per_byte, least, sums, octaves, unlike, np.array(edges))

    def at(self, row: Indices, sizes: Floats) -> tuple[Floats, Floats, Floats, Bools]:
        """Seconds, both bounds, and what is extrapolated; `row` is the index of the ranks."""
        stretch = np.searchsorted(self.edges, sizes, side="right")
        line = row * (self.edges.size + 1) + stretch
        octaves, outside = self._octaves(row, sizes)
        seconds, factor = self._timed(line, sizes, octaves)
        low, high = seconds / factor, seconds * factor
        between = np.flatnonzero(stretch % 2)
        if between.size:
            near = [
                self._timed(line[between] + k, sizes[between], octaves[between]) for k in (-1, 1)
            ]
            times = seconds[between]
            low[between] = np.minimum.reduce([times, *(one / its for one, its in near)])
            high[between] = np.maximum.reduce([times, *(one * its for one, its in near)])
        return seconds, low, high, outside

    def _timed(self, line: Indices, sizes: Floats, octaves: Floats) -> tuple[Floats, Floats]:
        """The time, and by which factor a campaign's median may differ from it."""
        seconds = np.maximum(self.startup[line] + self.per_byte[line] * sizes, self.least[line])
        scatter = self.model.scatter
        if scatter is None:
            return seconds, np.full(seconds.shape, np.nan)
        constant, linear, square = (one[line] for one in self.variance)
        fit = np.maximum(constant + (linear + square * sizes) * sizes, 0.0) / seconds**2
        beyond = (scatter.noise**2 + scatter.misfit**2) * (1 + octaves) ** 2
        return seconds, np.exp(np.minimum(scatter.quantile * np.sqrt(fit + beyond), WIDEST))

    def _octaves(self, row: Indices, sizes: Floats) -> tuple[Floats, Bools]:
        """How far a point lies outside of what was fitted, and whether it does."""
        least, most = self.model.sizes_bytes[0], self.model.sizes_bytes[-1]
        octaves = self.ranks_outside[row]
        far = (sizes < least) | (sizes > most)
        if far.any():
            asked = np.maximum(sizes[far], 1.0)  # zero bytes have no logarithm
            octaves[far] += np.abs(np.log2(asked / np.clip(asked, max(least, 1), max(most, 1))))
        return octaves, far | self.ranks_unlike[row]


def _octaves_outside(model: Model, ranks: Numbers) -> Floats:
    """How far each of `ranks` lies outside of those that its family was fitted to."""
    fitted, nearest = _fitted_to(model), ranks.copy()
    for family, rows in families(model.form, ranks):
        nearest[rows] = np.clip(ranks[rows], fitted[family].min(), fitted[family].max())
    return np.asarray(np.abs(np.log2(ranks / nearest)))


def _fitted_to(model: Model) -> Mapping[RankSet, Numbers]:
    """The numbers of ranks of each family."""
    ranks = np.array(model.ranks, dtype=np.int64)
    return {family: ranks[rows] for family, rows in families(model.form, ranks)}


def _chord(below: Floats, above: Floats, last: int, first: int) -> Floats:
    """The straight line from one piece's end to the other's beginning, as `_lines` gives them."""
    ends = [
        np.maximum(line[0] + line[1] * size, line[2])
        for line, size in ((below, last), (above, first))
    ]
    slope = (ends[1] - ends[0]) / (first - last)
    unknown = np.full(slope.shape, np.nan)  # the interval is that of both pieces
    least = np.minimum(ends[0], ends[1])
    return np.stack([ends[0] - slope * last, slope, least, *([unknown] * 3)])


def _lines(model: Model, ranks: Numbers, k: int) -> Floats:
    """The k-th piece at each of `ranks`: start-up, per byte, least time, three of variance."""
    pieces, fitted = dict(model.pieces), _fitted_to(model)
    found = np.empty((6, ranks.size))
    for family, rows in families(model.form, ranks):
        piece = pieces[family][k]
        weights = per_line(model.form, ranks[rows])
        coefficients = np.array([one.value.value for one in piece.coefficients])
        covariance = piece.covariance if piece.covariance.size else np.diag(coefficients) * np.nan
        line = weights @ coefficients
        spread = weights @ covariance @ weights.transpose(0, 2, 1)
        found[:2, rows] = line.T
        found[2, rows] = _least(model, piece, coefficients, fitted[family])
        found[3:, rows] = spread[:, 0, 0], 2 * spread[:, 0, 1], spread[:, 1, 1]
    if len(model.ranks) == 1:
        found[:, ranks != model.ranks[0]] = np.nan
    return found


def _least(model: Model, piece: Piece, coefficients: Floats, ranks: Numbers) -> float:
    """The shortest time of a piece at the corners of what was fitted, in between it is longer."""
    corners = per_line(model.form, ranks[[0, -1]]) @ coefficients
    times = corners[:, :1] + corners[:, 1:] * np.array([piece.least_bytes, piece.most_bytes])
    positive = times[times > 0]
    return float(positive.min()) if positive.size else 0.0
