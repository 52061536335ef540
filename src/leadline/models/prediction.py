"""Predictions of another campaign by a model, with intervals, for many points at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.models.fitting import families
from leadline.models.forms import Numbers
from leadline.models.lines import per_line
from leadline.models.model import Model, RankSet
from leadline.models.residuals import between_ranks, knots_of
from leadline.models.segments import Indices
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import Bools

MOST_TABULATED = 2**20
"""Most ranks up to which a table of them is faster than sorting."""
WIDEST = float(np.log(1e12))
"""Largest half width of an interval in natural logarithms, which keeps it finite."""
ROUNDING = 1e-9
"""Relative difference of times below which they count as equal."""
BETWEEN_SIZES, BETWEEN_RANKS, OUTSIDE = WHERE = range(3)
"""Kinds of points: at numbers of ranks fitted, at those in between, or outside."""
AT_ONCE = 2**14
"""Points computed at once: so many keep the arrays in a processor's own cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Arrays over the points asked for."""

    seconds: Floats
    """nan: the model is of one number of ranks, and this is another."""
    low: Floats
    """Lower bound of a new campaign's median, 95 %; nan where a model has no intervals."""
    high: Floats
    extrapolated: Bools
    """Whether the size or the number of ranks lies outside of what was fitted, where powers of two
    are apart to those of its kind, or the latter is no power of two where all fitted ones are."""
    floored: Bools
    """Whether the form falls below the shortest time of its piece, which is used instead."""

    def estimates(self, blocks: int) -> tuple[Estimate, ...]:
        """Estimate of each point, in order; `blocks` are those that the model is based on."""
        columns = (array.ravel().tolist() for array in (self.seconds, self.low, self.high))
        return tuple(
            Estimate(value, n=blocks)
            if math.isnan(low)
            else Estimate(value, low, high, CONFIDENCE, blocks)
            for value, low, high in zip(*columns, strict=True)
        )


def predict(model: Model, ranks: npt.ArrayLike, sizes_bytes: npt.ArrayLike) -> Prediction:
    """Predictions at numbers of ranks, 2 or more, and sizes, 0 or more; shapes broadcast.

    Within what was fitted a share of the form's residuals beside a point is added. A size between
    two pieces lies on the straight line between their ends, and its interval holds both (of 48
    recorded curves with every other size held out nine tenths deviate by at most 14 %, by the
    nearer piece 16 %). Outside of what was fitted noise and misfit are multiplied by 1 + the
    distance in octaves.
    """
    at_ranks, sizes = np.asarray(ranks, dtype=np.int64), np.asarray(sizes_bytes, dtype=np.float64)
    shape = np.broadcast_shapes(at_ranks.shape, sizes.shape)
    # the numbers of ranks, rising, and the place of each one among them
    most = int(at_ranks.max(initial=0))
    if at_ranks.size < AT_ONCE or most > MOST_TABULATED:
        numbers, places = np.unique(at_ranks, return_inverse=True)
        places = places.reshape(at_ranks.shape)
    else:
        seen = np.zeros(most + 1, dtype=np.bool_)
        seen[at_ranks] = True
        numbers, places = np.flatnonzero(seen), (np.cumsum(seen) - 1)[at_ranks]
    row = np.broadcast_to(places, shape).ravel()
    flat = np.broadcast_to(sizes, shape).ravel()
    curves = _Curves.of(model, numbers)
    seconds, low, high = (np.empty(flat.size) for _ in range(3))
    outside, floored = (np.empty(flat.size, dtype=np.bool_) for _ in range(2))
    for start in range(0, flat.size, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        predicted = curves.at(row[part], flat[part])
        seconds[part], low[part], high[part], outside[part], floored[part] = predicted
    return Prediction(
        seconds.reshape(shape),
        low.reshape(shape),
        high.reshape(shape),
        outside.reshape(shape),
        floored.reshape(shape),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Curves:
    """Model at some numbers of ranks: straight lines in the size at each, stretch by stretch.

    Stretches lie between successive sizes fitted, and outside of these. Arrays over lines have the
    shape (ranks x lines,), with the lines of one number of ranks together: first those of all
    stretches, then two for each stretch between two pieces, the extensions of both.
    """

    model: Model
    startup: Floats
    """Time of each line at zero bytes."""
    per_byte: Floats
    least: Floats
    """Shortest time where the piece of each line was fitted: the line isn't followed below it. For
    shorter messages than any fitted it is the start-up, where there is one."""
    variance: tuple[Floats, Floats, Floats]
    """Variance of each line at m bytes: factors of 1, m and m^2."""
    ranks_outside: Floats
    """Distance in octaves of each number of ranks from those that its family was fitted to."""
    kinds: Indices
    """Kind of each number of ranks, one of WHERE, which selects its misfit."""
    edges: Floats
    """Beginning of each stretch but the first."""
    sides: Indices
    """Index of the first of the two additional lines of each stretch; 0: it lies in one piece."""

    @classmethod
    def of(cls, model: Model, ranks: Numbers) -> _Curves:
        """Curves at `ranks`, which rise."""
        sizes = np.array(model.sizes_bytes, dtype=np.float64)
        pieces = [_lines(model, ranks, k) for k in range(len(model.pieces[0][1]))]
        begins = [piece.least_bytes for piece in model.pieces[0][1]]
        of_size = (np.searchsorted(begins, sizes, side="right") - 1).tolist()
        gaps = np.flatnonzero(np.diff(of_size))
        lacking = _lacking(model, ranks)
        stretches = _stretches([pieces[k] for k in of_size], gaps, sizes, lacking)
        sides = []
        for gap in gaps.tolist():  # the pieces on either side, raised by what they lack there
            for place in (gap, gap + 1):
                line = pieces[of_size[place]]
                sides.append(np.concatenate([line[:1] + lacking[:, place], line[1:]]))
        startup, per_byte, least, *variance = np.stack([*stretches, *sides], axis=-1).reshape(6, -1)
        edges, places = knots_of(sizes), np.zeros(len(stretches), dtype=np.intp)
        edges[gaps + 1] = np.nextafter(edges[gaps + 1], np.inf)
        places[gaps + 2] = len(stretches) + 2 * np.arange(gaps.size)
        nearest, fitted = ranks.copy(), _fitted_to(model)
        for family, rows in families(model.form, ranks):
            nearest[rows] = np.clip(ranks[rows], fitted[family].min(), fitted[family].max())
        octaves = np.asarray(np.abs(np.log2(ranks / nearest)))
        unlike = (octaves > 0) | (model.of_powers_alone & ~is_power_of_two(ranks))
        between = np.where(np.isin(ranks, model.ranks), BETWEEN_SIZES, BETWEEN_RANKS)
        kinds = np.where(unlike, OUTSIDE, between)
        sums = (variance[0], variance[1], variance[2])
        return cls(model, startup, per_byte, least, sums, octaves, kinds, edges, places)

    def at(self, row: Indices, sizes: Floats) -> tuple[Floats, Floats, Floats, Bools, Bools]:
        """Seconds, both bounds, what is extrapolated and floored; `row` indexes the ranks."""
        stretch = np.searchsorted(self.edges, sizes, side="right")
        each = self.startup.size // self.kinds.size
        line = row * each + stretch
        octaves, kinds = self._octaves(row, sizes, line)
        seconds, factor, floored = self._timed(line, sizes, octaves, kinds)
        low, high = seconds / factor, seconds * factor
        between = np.flatnonzero(self.sides[stretch])
        if between.size:
            sides = row[between] * each + self.sides[stretch[between]]
            points = sizes[between], octaves[between], kinds[between]
            near = [self._timed(sides + k, *points) for k in (0, 1)]
            times = seconds[between]
            low[between] = np.minimum.reduce([times, *(side / by for side, by, _ in near)])
            high[between] = np.maximum.reduce([times, *(side * by for side, by, _ in near)])
        return seconds, low, high, kinds == OUTSIDE, floored

    def _timed(
        self, line: Indices, sizes: Floats, octaves: Floats, kinds: Indices
    ) -> tuple[Floats, Floats, Bools]:
        """Time, factor by which a median may differ from it, and whether it is floored."""
        followed = self.startup[line] + self.per_byte[line] * sizes
        seconds = np.maximum(followed, self.least[line])
        floored = followed < seconds * (1 - ROUNDING)
        scatter = self.model.scatter
        if scatter is None:
            return seconds, np.full(seconds.shape, np.nan), floored
        misfits = scatter.between_sizes, scatter.between_ranks, scatter.outside
        squares = np.array([scatter.noise**2 + misfit.deviation**2 for misfit in misfits])
        quantiles = np.array([misfit.quantile for misfit in misfits])
        constant, linear, square = (factor[line] for factor in self.variance)
        fit = np.maximum(constant + (linear + square * sizes) * sizes, 0.0) / seconds**2
        beyond = squares[kinds] * (1 + octaves) ** 2
        apart = scatter.runs_apart
        another = 0.0 if apart is None else (apart.quantile * apart.deviation) ** 2
        # twice: the run fitted deviates from the machine's level as another does
        reach = np.sqrt(quantiles[kinds] ** 2 * (fit + beyond) + 2 * another)
        factor = np.exp(np.minimum(reach, WIDEST))
        return seconds, factor, floored

    def _octaves(self, row: Indices, sizes: Floats, line: Indices) -> tuple[Floats, Indices]:
        """Distance in octaves of each point from what was fitted, and its kind, one of WHERE.

        For a shorter message the distance is that of its time, for it has a start-up as well.
        """
        least, most = self.model.sizes_bytes[0], self.model.sizes_bytes[-1]
        octaves, kinds = self.ranks_outside[row], self.kinds[row]
        longer, shorter = np.flatnonzero(sizes > most), np.flatnonzero(sizes < least)
        if longer.size:
            octaves[longer] += np.log2(sizes[longer] / max(most, 1))
            kinds[longer] = OUTSIDE
        if shorter.size:
            start, slope, floor = (
                array[line[shorter]] for array in (self.startup, self.per_byte, self.least)
            )
            times = [np.maximum(start + slope * at, floor) for at in (sizes[shorter], least)]
            octaves[shorter] += np.log2(np.maximum(times[1] / times[0], 1.0))
            kinds[shorter] = OUTSIDE
        return octaves, kinds


def _stretches(
    of_size: list[Floats], gaps: Indices, sizes: Floats, lacking: Floats
) -> list[Floats]:
    """Lines from each size to the next, as `_lines` gives them, and two at either end.

    `of_size` are the lines of each size's piece; what is `lacking` at the sizes is added.
    """
    inner = of_size[:-1]
    for gap in gaps.tolist():  # straight from one piece's end to the next one's beginning
        sides = ((of_size[gap], sizes[gap]), (of_size[gap + 1], sizes[gap + 1]))
        below, above = (np.maximum(line[0] + line[1] * size, line[2]) for line, size in sides)
        slope = (above - below) / (sizes[gap + 1] - sizes[gap])
        startup, least = below - slope * sizes[gap], np.minimum(below, above)
        low, high = (startup + slope * sizes[k] + lacking[:, k] for k in (gap, gap + 1))
        least = np.maximum(np.minimum(least, np.minimum(low, high)), 0.0)
        unknown = np.full(slope.shape, np.nan)  # the interval is that of both pieces
        inner[gap] = np.stack([startup, slope, least, *([unknown] * 3)])
    first, startup = of_size[0], of_size[0][:1]
    shorter = np.concatenate([first[:2], np.where(startup > 0, startup, first[2:3]), first[3:]])
    knots, values = knots_of(sizes), np.pad(lacking, ((0, 0), (1, 1)))
    slopes = np.diff(values) / np.diff(knots)
    startups = values[:, :-1] - slopes * knots[:-1]
    within = [
        np.concatenate([piece[:1] + startup, piece[1:2] + slope, piece[2:]])
        for piece, startup, slope in zip(
            [shorter, *inner, of_size[-1]], startups.T, slopes.T, strict=True
        )
    ]
    return [shorter, *within, of_size[-1]]


def _lines(model: Model, ranks: Numbers, k: int) -> Floats:
    """The k-th piece at each of `ranks`: start-up, per byte, least time, three of variance.

    The least time is the shortest one of the piece at the points that it was fitted to, with its
    residuals.
    """
    sizes, pieces, fitted = np.array(model.sizes_bytes), dict(model.pieces), _fitted_to(model)
    lines = np.empty((6, ranks.size))
    for family, rows in families(model.form, ranks):
        piece = pieces[family][k]
        columns = (sizes >= piece.least_bytes) & (sizes <= piece.most_bytes)
        times = _form_at(model, fitted[family]) + _lacking(model, fitted[family])
        positive = times[:, columns][times[:, columns] > 0]
        weights = per_line(model.form, ranks[rows])
        coefficients = np.array([coefficient.value.value for coefficient in piece.coefficients])
        covariance = piece.covariance if piece.covariance.size else np.diag(coefficients) * np.nan
        line = weights @ coefficients
        spread = weights @ covariance @ weights.transpose(0, 2, 1)
        lines[:2, rows] = line.T
        lines[2, rows] = float(positive.min()) if positive.size else 0.0
        lines[3:, rows] = spread[:, 0, 0], 2 * spread[:, 0, 1], spread[:, 1, 1]
    if len(model.ranks) == 1:
        lines[:, ranks != model.ranks[0]] = np.nan
    return lines


def _fitted_to(model: Model) -> Mapping[RankSet, Numbers]:
    """Numbers of ranks that each family was fitted to."""
    ranks = np.array(model.ranks, dtype=np.int64)
    return {family: ranks[rows] for family, rows in families(model.form, ranks)}


def _lacking(model: Model, ranks: Numbers) -> Floats:
    """Residuals added at each of `ranks` and the sizes fitted, in seconds.

    Between numbers of ranks they are shares of the form, since times on one number may be many
    times those on another.
    """
    fitted, residuals = np.array(model.ranks, dtype=np.int64), model.residuals
    if residuals is None:
        return np.zeros((ranks.size, len(model.sizes_bytes)))
    form = _form_at(model, fitted)
    share = np.where(form > 0, residuals.seconds / np.where(form > 0, form, 1.0), 0.0)
    beside = between_ranks(model.form, ranks, fitted) @ share
    lacking = residuals.between_ranks * beside * np.maximum(_form_at(model, ranks), 0.0)
    known = np.isin(ranks, fitted)
    lacking[known] = residuals.seconds[np.searchsorted(fitted, ranks[known])]
    return np.asarray(lacking)


def _form_at(model: Model, ranks: Numbers) -> Floats:
    """Times of the form at `ranks` and the sizes fitted, shape (ranks, sizes)."""
    sizes, pieces = np.array(model.sizes_bytes, dtype=np.float64), dict(model.pieces)
    form_times = np.empty((ranks.size, sizes.size))
    for family, rows in families(model.form, ranks):
        weights = per_line(model.form, ranks[rows])
        for piece in pieces[family]:
            lines = weights @ np.array(
                [coefficient.value.value for coefficient in piece.coefficients]
            )
            columns = (sizes >= piece.least_bytes) & (sizes <= piece.most_bytes)
            times = lines[:, :1] + lines[:, 1:] * sizes[columns]
            form_times[np.ix_(rows, columns)] = times
    return form_times
