"""What a model expects of another campaign, with intervals, for many points at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.models.fitting import families
from leadline.models.forms import Numbers, is_power_of_two
from leadline.models.lines import per_line
from leadline.models.model import Model, Piece, RankSet
from leadline.models.residuals import between_ranks, knots_of
from leadline.models.segments import Indices
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import Bools

MOST_TABULATED = 2**20
"""Ranks: up to so many, a table tells where each number is faster than sorting does."""
WIDEST = float(np.log(1e12))
"""Half an interval, in natural logarithms: whatever is wider says nothing, and stays finite."""
ROUNDING = 1e-9
"""Of a time: shares that differ by less are alike."""
BETWEEN_SIZES, BETWEEN_RANKS, OUTSIDE = WHERE = range(3)
"""Where a point lies: at numbers of ranks fitted, at those in between, or outside."""
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
    floored: Bools
    """Whether the form falls below the shortest time of its piece, which stands in its place."""

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

    Within what was fitted a share of what the form lacks beside a point is added. A size between
    two pieces lies on the straight line between their ends, and its interval holds both (of 48
    recorded curves with every other size held out nine tenths are off by at most 14 %, by the
    nearer piece 16 %). Outside of what was fitted noise and misfit count 1 + the distance in
    octaves as much.
    """
    asked, sizes = np.asarray(ranks, dtype=np.int64), np.asarray(sizes_bytes, dtype=np.float64)
    shape = np.broadcast_shapes(asked.shape, sizes.shape)
    numbers, places = _distinct(asked)
    row = np.broadcast_to(places, shape).ravel()
    flat = np.broadcast_to(sizes, shape).ravel()
    curves = _Curves.of(model, numbers)
    seconds, low, high = (np.empty(flat.size) for _ in range(3))
    outside, floored = (np.empty(flat.size, dtype=np.bool_) for _ in range(2))
    for start in range(0, flat.size, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        found = curves.at(row[part], flat[part])
        seconds[part], low[part], high[part], outside[part], floored[part] = found
    return Prediction(
        seconds.reshape(shape),
        low.reshape(shape),
        high.reshape(shape),
        outside.reshape(shape),
        floored.reshape(shape),
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
    """A model at some numbers of ranks: at each straight lines in the size, stretch by stretch.

    Stretches lie between successive sizes fitted, and outside of these. Arrays over lines have the
    shape (ranks x lines,), those of one number of ranks together: first those of all stretches,
    then two for each stretch between two pieces, what either would be there.
    """

    model: Model
    startup: Floats
    """Of each line, at zero bytes."""
    per_byte: Floats
    least: Floats
    """Of each line, the shortest time where its piece was fitted: it isn't followed below. Of
    shorter messages than any fitted it is the start-up, where there is one."""
    variance: tuple[Floats, Floats, Floats]
    """Of each line at m bytes, the factors of 1, m and m^2."""
    ranks_outside: Floats
    """Of each number of ranks, by how many octaves it lies outside of those that its family was
    fitted to."""
    kinds: Indices
    """Of each number of ranks, whose misfit it has: of WHERE."""
    edges: Floats
    """Where each stretch but the first begins."""
    sides: Indices
    """Of each stretch the first of its two lines more; 0: it lies in one piece."""

    @classmethod
    def of(cls, model: Model, ranks: Numbers) -> _Curves:
        """At `ranks`, which rise."""
        sizes = np.array(model.sizes_bytes, dtype=np.float64)
        pieces = [_lines(model, ranks, k) for k in range(len(model.pieces[0][1]))]
        begins = [piece.least_bytes for piece in model.pieces[0][1]]
        of_size = (np.searchsorted(begins, sizes, side="right") - 1).tolist()
        gaps = np.flatnonzero(np.diff(of_size))
        lacking = _lacking(model, ranks)
        stretches = _stretches([pieces[k] for k in of_size], gaps, sizes, lacking)
        sides = [
            _raised(pieces[of_size[place]], lacking[:, place])
            for gap in gaps.tolist()
            for place in (gap, gap + 1)
        ]
        startup, per_byte, least, *variance = np.stack([*stretches, *sides], axis=-1).reshape(6, -1)
        edges, places = knots_of(sizes), np.zeros(len(stretches), dtype=np.intp)
        edges[gaps + 1] = np.nextafter(edges[gaps + 1], np.inf)
        places[gaps + 2] = len(stretches) + 2 * np.arange(gaps.size)
        octaves = _octaves_outside(model, ranks)
        sums, kinds = (variance[0], variance[1], variance[2]), _kinds(model, ranks, octaves)
        return cls(model, startup, per_byte, least, sums, octaves, kinds, edges, places)

    def at(self, row: Indices, sizes: Floats) -> tuple[Floats, Floats, Floats, Bools, Bools]:
        """Seconds, both bounds, what is extrapolated and floored; `row` is the index of ranks."""
        stretch = np.searchsorted(self.edges, sizes, side="right")
        each = self.startup.size // self.kinds.size
        line = row * each + stretch
        octaves, kinds = self._octaves(row, sizes, line)
        seconds, factor, floored = self._timed(line, sizes, octaves, kinds)
        low, high = seconds / factor, seconds * factor
        between = np.flatnonzero(self.sides[stretch])
        if between.size:
            sides = row[between] * each + self.sides[stretch[between]]
            at = sizes[between], octaves[between], kinds[between]
            near = [self._timed(sides + k, *at) for k in (0, 1)]
            times = seconds[between]
            low[between] = np.minimum.reduce([times, *(one / its for one, its, _ in near)])
            high[between] = np.maximum.reduce([times, *(one * its for one, its, _ in near)])
        return seconds, low, high, kinds == OUTSIDE, floored

    def _timed(
        self, line: Indices, sizes: Floats, octaves: Floats, kinds: Indices
    ) -> tuple[Floats, Floats, Bools]:
        """The time, the factor by which a median may differ from it, and whether it is floored."""
        followed = self.startup[line] + self.per_byte[line] * sizes
        seconds = np.maximum(followed, self.least[line])
        floored = followed < seconds * (1 - ROUNDING)
        scatter = self.model.scatter
        if scatter is None:
            return seconds, np.full(seconds.shape, np.nan), floored
        misfits = scatter.between_sizes, scatter.between_ranks, scatter.outside
        squares = np.array([scatter.noise**2 + one.deviation**2 for one in misfits])
        quantiles = np.array([one.quantile for one in misfits])
        constant, linear, square = (one[line] for one in self.variance)
        fit = np.maximum(constant + (linear + square * sizes) * sizes, 0.0) / seconds**2
        beyond = squares[kinds] * (1 + octaves) ** 2
        apart = scatter.runs_apart
        another = 0.0 if apart is None else (apart.quantile * apart.deviation) ** 2
        # twice: the run fitted strays from the machine's level as another does
        reach = np.sqrt(quantiles[kinds] ** 2 * (fit + beyond) + 2 * another)
        factor = np.exp(np.minimum(reach, WIDEST))
        return seconds, factor, floored

    def _octaves(self, row: Indices, sizes: Floats, line: Indices) -> tuple[Floats, Indices]:
        """How far a point lies outside of what was fitted, and whose misfit it has.

        A shorter message lies as far outside as it takes less time, for it has a start-up as well.
        """
        least, most = self.model.sizes_bytes[0], self.model.sizes_bytes[-1]
        octaves, kinds = self.ranks_outside[row], self.kinds[row]
        longer, shorter = np.flatnonzero(sizes > most), np.flatnonzero(sizes < least)
        if longer.size:
            octaves[longer] += np.log2(sizes[longer] / max(most, 1))
            kinds[longer] = OUTSIDE
        if shorter.size:
            start, slope, floor = (
                one[line[shorter]] for one in (self.startup, self.per_byte, self.least)
            )
            times = [np.maximum(start + slope * at, floor) for at in (sizes[shorter], least)]
            octaves[shorter] += np.log2(np.maximum(times[1] / times[0], 1.0))
            kinds[shorter] = OUTSIDE
        return octaves, kinds


def _kinds(model: Model, ranks: Numbers, octaves: Floats) -> Indices:
    """Of WHERE, for each number of ranks."""
    unlike = (octaves > 0) | (model.of_powers_alone & ~is_power_of_two(ranks))
    fitted = np.isin(ranks, model.ranks)
    return np.where(unlike, OUTSIDE, np.where(fitted, BETWEEN_SIZES, BETWEEN_RANKS))


def _lacking(model: Model, ranks: Numbers) -> Floats:
    """What residuals add at each of `ranks` and the sizes fitted, in seconds.

    Between numbers of ranks they are shares of the form, since times of one may be many times
    another's.
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
    """The form's times at `ranks` and the sizes fitted, shape (ranks, sizes)."""
    sizes, pieces = np.array(model.sizes_bytes, dtype=np.float64), dict(model.pieces)
    found = np.empty((ranks.size, sizes.size))
    for family, rows in families(model.form, ranks):
        weights = per_line(model.form, ranks[rows])
        for piece in pieces[family]:
            lines = weights @ np.array([one.value.value for one in piece.coefficients])
            columns = (sizes >= piece.least_bytes) & (sizes <= piece.most_bytes)
            times = lines[:, :1] + lines[:, 1:] * sizes[columns]
            found[np.ix_(rows, columns)] = times
    return found


def _stretches(
    of_size: list[Floats], gaps: Indices, sizes: Floats, lacking: Floats
) -> list[Floats]:
    """Lines from each size to the next, as `_lines` gives them, and two at either end.

    `of_size` are those of each size's piece; what is `lacking` at the sizes is added.
    """
    inner = of_size[:-1]
    for gap in gaps.tolist():
        inner[gap] = _chord(of_size[gap], of_size[gap + 1], sizes[gap], sizes[gap + 1])
        line = inner[gap]
        low, high = (line[0] + line[1] * sizes[k] + lacking[:, k] for k in (gap, gap + 1))
        line[2] = np.maximum(np.minimum(line[2], np.minimum(low, high)), 0.0)
    first, startup = of_size[0], of_size[0][:1]
    shorter = np.concatenate([first[:2], np.where(startup > 0, startup, first[2:3]), first[3:]])
    ends = [shorter], [of_size[-1]]
    knots, values = knots_of(sizes), np.pad(lacking, ((0, 0), (1, 1)))
    slopes = np.diff(values) / np.diff(knots)
    startups = values[:, :-1] - slopes * knots[:-1]
    within = [
        np.concatenate([piece[:1] + startup, piece[1:2] + slope, piece[2:]])
        for piece, startup, slope in zip(
            ends[0] + inner + ends[1], startups.T, slopes.T, strict=True
        )
    ]
    return ends[0] + within + ends[1]


def _raised(line: Floats, by: Floats) -> Floats:
    """Lines as `_lines` gives them, by so many seconds each."""
    return np.concatenate([line[:1] + by, line[1:]])


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


def _chord(below: Floats, above: Floats, last: float, first: float) -> Floats:
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
        found[2, rows] = _least(model, piece, fitted[family])
        found[3:, rows] = spread[:, 0, 0], 2 * spread[:, 0, 1], spread[:, 1, 1]
    if len(model.ranks) == 1:
        found[:, ranks != model.ranks[0]] = np.nan
    return found


def _least(model: Model, piece: Piece, ranks: Numbers) -> float:
    """The shortest time of a piece at the points that it was fitted to, with its residuals."""
    sizes = np.array(model.sizes_bytes)
    columns = (sizes >= piece.least_bytes) & (sizes <= piece.most_bytes)
    times = (_form_at(model, ranks) + _lacking(model, ranks))[:, columns]
    positive = times[times > 0]
    return float(positive.min()) if positive.size else 0.0
