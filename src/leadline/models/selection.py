"""Which closed form: by its errors at sizes and numbers of ranks that it wasn't fitted to.

Each size, of five or more but the first and the last, is left out in turn, at all numbers of ranks,
and each number of ranks, at all sizes; breakpoints are searched anew each time. Of all forms, the
constant among them, the simplest is taken whose mean error is near the least one.

How near was simulated: launch effects, delays, 8 to 24 blocks, 10 to 42 sizes, 3 to 10 numbers of
ranks, and the noise of recorded blocks. One standard error lets a form that is too complex pass in
up to 25 of 100 sets, for the least of many errors is least by chance; REACH of them in 3.
It is the standard error of the best mean, and where blocks say how much noise there is, of noise
alone: that of paired differences, and that of errors with a few large ones among them, pass lines
through five protocols. A size left out next to a breakpoint can't be told to be of either side, so
it counts by the better one: otherwise breakpoints are given up for their two neighbours. Sizes that
share a launch share its error, so that forms in p are compared by ranks left out as well, and forms
differ only if both tell. Where no form follows the ranks, none is far from the best by them, not
even one that ignores the sizes: what is near by ranks alone must be nearly so by sizes.

Sources: Breiman, Friedman, Olshen and Stone 1984, section 3.4.3 (one standard error); Hastie,
Tibshirani and Friedman 2009, section 7.10 (leave out whole groups, select within each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from leadline.models.fitting import NormalEquations, Points, families
from leadline.models.forms import ClosedForm, Scaling, is_power_of_two
from leadline.models.residuals import between_ranks, between_sizes
from leadline.models.segments import (
    Indices,
    cheapest_cuts,
    most_pieces,
    neighbours,
    ranges_of,
)
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

CONSTANT = ClosedForm(Scaling.CONSTANT, None)
"""The base line of all forms."""
FEWEST_RANKS = 3
"""Numbers of them that tell how times grow; also of those that are powers of two, and others."""
FEWEST_WITH_ENDS = 5
"""Sizes, of which the first and the last are never left out; of fewer all are."""
MOST_PIECES, MOST_PIECES_OF_SURFACE = 6, 4
LARGEST_ERROR = np.log(10)
"""Of a logarithm: a prediction that is off tenfold is useless, and so is any worse one."""
REACH = 3.0
"""Standard errors."""
MUCH_WORSE = 1.25
"""Times the least error by sizes, and what noise explains besides: ranks don't make up for more."""
ABSOLUTE = 0.6
"""Standard deviation of the absolute value of what is normal with deviation 1."""
TINY_S, FARTHEST_LACK = 1e-15, 9.0
"""For forms that fall below nought: what lacks is taken to be tenfold at most."""
ROUNDING = 1e-9
"""Errors that differ by less are alike."""


def candidates(points: Points) -> tuple[ClosedForm, ...]:
    """The forms, in one piece, that could be told from each other by these points."""
    ranks, sizes = points.seconds.shape
    grows = tuple(Scaling) if ranks >= FEWEST_RANKS else (Scaling.CONSTANT,)
    factors = (None, *grows) if sizes > 1 else (None,)
    powers = int(is_power_of_two(points.ranks.astype(np.int64)).sum())
    apart = (False, True) if min(powers, ranks - powers) >= FEWEST_RANKS else (False,)
    return tuple(ClosedForm(a, b, 1, c) for a, b, c in product(grows, factors, apart))


@dataclass(frozen=True, eq=False)
class Folds:
    """What is left out, fold by fold."""

    by_size: Bools
    """Shape (folds, ranks, sizes): true where a point is left out with its size."""
    by_ranks: Bools
    """Likewise with its number of ranks."""

    @classmethod
    def of(cls, points: Points) -> Folds:
        """Those of interior sizes, and of all numbers of ranks where there are several."""
        ranks, sizes = points.seconds.shape
        size, rank = np.arange(sizes), np.arange(ranks)
        inner = size[1:-1] if sizes >= FEWEST_WITH_ENDS else size[: sizes if sizes > 2 else 0]
        outer = rank if ranks >= FEWEST_RANKS else rank[:0]
        present = points.present
        return cls(
            present & (size == inner[:, None])[:, None, :],
            present & (rank == outer[:, None])[:, :, None],
        )

    @property
    def left_out(self) -> Bools:
        """All of them."""
        return np.concatenate([self.by_size, self.by_ranks])

    def gathered(self, values: Floats) -> Floats:
        """Each point's value from the fold without it: (2, ranks, sizes), by size and by ranks.

        `values` are those of all folds, shape (folds, ranks, sizes); nan: it is in no fold.
        """
        middle = len(self.by_size)
        parts = (values[:middle], self.by_size), (values[middle:], self.by_ranks)
        return np.stack(
            [
                np.where(left.any(axis=0), np.sum(np.where(left, of, 0.0), axis=0), np.nan)
                for of, left in parts
            ]
        )


@dataclass(frozen=True, eq=False)
class Contender:
    """How a form does where it wasn't fitted; arrays of shape (2, ranks, sizes).

    The first of each is with the size left out, the second with the number of ranks; nan: neither.
    """

    form: ClosedForm
    errors: Floats
    """Logarithm of predicted over measured time."""
    lesser: Floats
    """Likewise by the better one of the two pieces that a size left out lies between: which one
    it belongs to it alone could have told."""
    lacking: Floats
    """What straight lines between the residuals beside it say that it lacks, over the predicted
    time."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard errors of the logarithms of medians, by their blocks."""

    own: float
    """What a point doesn't share with the other sizes of its launches."""
    shared: float
    """What it does."""


def trials(points: Points) -> Iterator[Contender]:
    """Those of all candidates that can be fitted whatever is left out."""
    folds = Folds.of(points)
    if not len(folds.left_out):
        return
    counted = points.present & ~folds.left_out
    weights = np.where(counted, 1 / np.nan_to_num(points.seconds, nan=1.0) ** 2, 0.0)
    scalings = tuple(Scaling) if points.ranks.size >= FEWEST_RANKS else (Scaling.CONSTANT,)
    present = np.any(counted, axis=1)
    possible = ranges_of(present.shape[1]).may_be_piece(present)
    equations = {
        rows.tobytes(): NormalEquations.of(points, weights * rows[:, None], scalings)
        for form in candidates(points)
        for _, rows in families(form, points.ranks)
    }
    for form in candidates(points):
        sets = [rows for _, rows in families(form, points.ranks)]
        costs, coefficients = np.where(possible, 0.0, np.inf), []
        for rows in sets:
            found, cost = equations[rows.tobytes()].solved(form.terms)
            costs = costs + cost
            coefficients.append((rows, found))
        yield from _cut(_Fits(points, form, folds, present, coefficients), costs)


@dataclass(frozen=True, eq=False)
class _Fits:
    """Of a form's terms to all ranges in all folds."""

    points: Points
    form: ClosedForm
    folds: Folds
    present: Bools
    """(folds, sizes)."""
    coefficients: Sequence[tuple[Bools, Floats]]
    """Of each family its rows, and (terms, folds, ranges)."""

    def predicted(self, firsts: Indices, piece: Indices) -> Floats:
        """Shape (folds, ranks, sizes), by the `piece` of each fold and size."""
        fold = np.arange(len(firsts))[:, None]
        sizes = self.points.sizes_bytes.size
        ends = np.concatenate([firsts[:, 1:] - 1, np.full((len(firsts), 1), sizes - 1)], axis=1)
        number = ranges_of(sizes).number[firsts[fold, piece], ends[fold, piece]]
        design = self.points.design(self.form.terms)
        seconds = np.empty((len(firsts), *design.shape[:2]))
        for rows, coefficients in self.coefficients:
            chosen = coefficients[:, fold, number]
            seconds[:, rows] = np.einsum("pnt,tfn->fpn", design[rows], chosen)
        return seconds

    def lacking(self, predicted: Floats) -> Floats:
        """What residuals beside each point add to these times, over them; shapes are the same."""
        known = self.points.present & ~self.folds.left_out
        residuals = np.where(known, np.nan_to_num(self.points.seconds) - predicted, 0.0)
        middle = len(self.folds.by_size)
        along_sizes, along_ranks = self._beside
        positive = np.maximum(predicted, TINY_S)
        by_size = np.einsum("sj,fpj->fps", along_sizes, residuals[:middle]) / positive[:middle]
        shares = residuals[middle:] / positive[middle:]
        by_ranks = np.einsum("pq,fqs->fps", along_ranks, shares)
        return np.asarray(np.clip(np.concatenate([by_size, by_ranks]), -1, FARTHEST_LACK))

    @cached_property
    def _beside(self) -> tuple[Floats, Floats]:
        """What residuals weigh at each size, and number of ranks, from those of the others."""
        sizes, ranks = self.points.sizes_bytes, self.points.ranks.astype(np.int64)
        return (
            _from_others(lambda kept, at: between_sizes(sizes[at], sizes[kept]), sizes.size),
            _from_others(
                lambda kept, at: between_ranks(self.form, ranks[at], ranks[kept]), ranks.size
            ),
        )


def _from_others(weights: Callable[[Indices, Indices], Floats], count: int) -> Floats:
    """Rows of `weights`, each at one of `count` points by all others: (points, points)."""
    found = np.zeros((count, count))
    for at in range(count if count > 1 else 0):
        kept = np.delete(np.arange(count), at)
        found[at, kept] = weights(kept, np.array([at]))[0]
    return found


def _cut(fits: _Fits, costs: Floats) -> Iterator[Contender]:
    """The form in one piece, two and so on."""
    sizes = fits.points.sizes_bytes
    most = MOST_PIECES if fits.points.ranks.size == 1 else MOST_PIECES_OF_SURFACE
    before, after = neighbours(fits.present)
    fold = np.arange(len(before))[:, None]
    place = np.arange(sizes.size)[:, None]
    found = cheapest_cuts(costs, sizes.size, most_pieces(sizes.size, most))
    for pieces, (least, firsts) in enumerate(found, 1):
        if not np.isfinite(least).all():
            continue
        cuts = firsts[:, 1:]
        lower = np.sum(place >= after[fold, cuts][:, None], axis=2)
        upper = np.sum(place > before[fold, cuts - 1][:, None], axis=2)
        below, above = (fits.predicted(firsts, piece) for piece in (lower, upper))
        between = _between(sizes, below, before, after)
        chosen = np.where((lower == upper)[:, None], below, between)
        errors = [
            fits.folds.gathered(_log_errors(fits.points, times)) for times in (chosen, below, above)
        ]
        lesser = np.where(np.abs(errors[1]) <= np.abs(errors[2]), errors[1], errors[2])
        lacking = fits.folds.gathered(fits.lacking(chosen))
        yield Contender(replace(fits.form, pieces=pieces), errors[0], lesser, lacking)


def _between(sizes: Floats, seconds: Floats, before: Indices, after: Indices) -> Floats:
    """On the straight line between the two neighbours, as predictions between pieces are."""
    width = np.maximum(sizes[after] - sizes[before], 1.0)
    share = ((sizes - sizes[before]) / width)[:, None]
    ends = [np.take_along_axis(seconds, at[:, None], axis=2) for at in (before, after)]
    return np.asarray((1 - share) * ends[0] + share * ends[1])


def _log_errors(points: Points, predicted: Floats) -> Floats:
    least = np.nan_to_num(points.seconds, nan=1.0) * np.exp(-LARGEST_ERROR)
    ratio = np.maximum(predicted, least) / points.seconds
    return np.asarray(np.minimum(np.log(ratio), LARGEST_ERROR))


def chosen(tried: Sequence[Contender], noise: Noise | None) -> Contender:
    """The simplest that is near the best; of equally simple ones the better; noise None: unknown.

    First of each form in p how many pieces, by sizes left out, then which of these, by both.
    """
    structures: dict[ClosedForm, list[Contender]] = {}
    for one in tried:
        structures.setdefault(replace(one.form, pieces=1), []).append(one)
    own = None if noise is None else noise.own
    shared = 0.0 if noise is None else noise.shared
    by_size, by_ranks = (~np.isnan(part).all() for part in tried[0].lesser)
    cut = list(tried)
    if by_size:
        cut = [_simplest(each, _near_by_size(each, own)) for each in structures.values()]
    near = _near_by_size(cut, own) if by_size else np.zeros(len(cut), dtype=np.bool_)
    if by_ranks:
        also = _near_by_ranks(cut, shared)
        near |= also & _fair_by_size(cut, np.hypot(own or 0.0, shared)) if by_size else also
    return _simplest(cut, near)


def _simplest(tried: Sequence[Contender], near: Bools) -> Contender:
    ranked = sorted(np.flatnonzero(near).tolist(), key=lambda i: _mean(tried[i].lesser))
    return min((tried[i] for i in ranked), key=lambda one: one.form.size)


def _near_by_size(tried: Sequence[Contender], noise: float | None) -> Bools:
    """Which are as good as the best by sizes left out."""
    groups = np.array([_groups(one.lesser[0], 0) for one in tried])
    ranks = tried[0].lesser.shape[1]
    most = np.inf if noise is None else ABSOLUTE * noise / np.sqrt(ranks)
    return _near(groups, 0.0, most)


def _fair_by_size(tried: Sequence[Contender], noise: float) -> Bools:
    """Which are not much worse than the best by sizes left out, all of them together."""
    means = np.array([_mean(one.lesser[0]) for one in tried])
    most = MUCH_WORSE * means.min() + REACH * ABSOLUTE * noise
    return np.asarray(means <= most + ROUNDING)


def _near_by_ranks(tried: Sequence[Contender], noise: float) -> Bools:
    """Likewise by numbers of ranks left out, of which few may all be hit by chance."""
    groups = np.array([_groups(one.lesser[1], 1) for one in tried])
    return _near(groups, ABSOLUTE * noise, np.inf)


def _near(groups: Floats, least: float, most: float) -> Bools:
    """Which means are near the least; errors scatter by `least` to `most`. (forms, groups)."""
    means, count = groups.mean(axis=1), groups.shape[1]
    deviation = groups[means.argmin()].std(ddof=1) if count > 1 else most
    reach = REACH * np.clip(deviation, least, most) / np.sqrt(count)
    return np.asarray(means <= means.min() + reach + ROUNDING)


def _groups(errors: Floats, axis: int) -> Floats:
    """The mean absolute error of each group that was left out, all points along `axis`."""
    known = ~np.isnan(errors).all(axis=axis)
    return np.asarray(np.nanmean(np.compress(known, np.abs(errors), axis=1 - axis), axis=axis))


def _mean(errors: Floats) -> float:
    return float(np.nanmean(np.abs(errors)))
