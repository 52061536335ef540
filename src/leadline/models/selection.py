"""Selection of a model form by its errors at sizes and numbers of ranks that it wasn't fitted to.

Each size (of five or more, except the first and the last) is left out in turn, at all numbers of
ranks, and each number of ranks, at all sizes; breakpoints are searched again each time. Of all
forms, the constant among them, the simplest is taken whose mean error is near the least one.

How near was determined by simulation: launch effects, delays, 8 to 24 blocks, 10 to 42 sizes, 3 to
10 numbers of ranks, and the noise of recorded blocks. One standard error lets a form that is too
complex pass in up to 25 of 100 sets, as the least of many errors is least by chance; REACH standard
errors in 3. It is the standard error of the best mean, and where blocks give the noise, that of
noise alone: the standard error of paired differences, and that of errors with a few large ones
among them, accept lines through five protocols. A size left out next to a breakpoint may belong to
either side, so it counts by the better one: otherwise breakpoints are given up for their two
neighbours. Sizes that share a launch share its error, so that forms in p are compared by ranks left
out as well, and forms differ only if both criteria show it. Where no form follows the ranks, none
is far from the best by them, not even one that ignores the sizes: a form that is near by ranks
alone must be nearly so by sizes.

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
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.residuals import between_ranks, between_sizes
from leadline.models.segments import (
    Indices,
    cheapest_cuts,
    most_pieces,
    neighbours,
    ranges_of,
)
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

CONSTANT = ClosedForm(Scaling.CONSTANT, None)
"""Baseline of all forms."""
FEWEST_RANKS = 3
"""Fewest numbers of ranks that show how times grow; likewise of powers of two, and of others."""
FEWEST_WITH_ENDS = 5
"""Fewest sizes of which the first and the last are never left out; of fewer all are."""
MOST_PIECES, MOST_PIECES_OF_SURFACE = 6, 4
LARGEST_ERROR = np.log(10)
"""Largest error in logarithms: a prediction that is wrong tenfold is useless, as any worse one."""
REACH = 3.0
"""Standard errors within which a form is near the best."""
MUCH_WORSE = 1.25
"""Factor of the least error by sizes, besides noise, beyond which ranks don't make up for it."""
ABSOLUTE = 0.6
"""Standard deviation of the absolute value of a standard normal variable."""
TINY_S, FARTHEST_LACK = 1e-15, 9.0
"""Least time, and largest relative residual, for forms that fall below zero: tenfold at most."""
ROUNDING = 1e-9
"""Difference of errors below which they count as equal."""


def candidates(points: Points) -> tuple[ClosedForm, ...]:
    """Forms, in one piece, that these points could distinguish."""
    ranks, sizes = points.seconds.shape
    grows = tuple(Scaling) if ranks >= FEWEST_RANKS else (Scaling.CONSTANT,)
    factors = (None, *grows) if sizes > 1 else (None,)
    powers = int(is_power_of_two(points.ranks.astype(np.int64)).sum())
    apart = (False, True) if min(powers, ranks - powers) >= FEWEST_RANKS else (False,)
    return tuple(ClosedForm(a, b, 1, c) for a, b, c in product(grows, factors, apart))


@dataclass(frozen=True, eq=False)
class Folds:
    """Points left out, fold by fold."""

    by_size: Bools
    """Mask (folds, ranks, sizes): true where a point is left out with its size."""
    by_ranks: Bools
    """Mask of the same shape: true where a point is left out with its number of ranks."""

    @classmethod
    def of(cls, points: Points) -> Folds:
        """Folds of interior sizes, and of all numbers of ranks where there are several."""
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
        """Masks of all folds."""
        return np.concatenate([self.by_size, self.by_ranks])

    def gathered(self, values: Floats) -> Floats:
        """Each point's value from the fold without it: (2, ranks, sizes), by size and by ranks.

        `values` are of all folds, shape (folds, ranks, sizes); nan: the point is in no fold.
        """
        middle = len(self.by_size)
        parts = (values[:middle], self.by_size), (values[middle:], self.by_ranks)
        return np.stack(
            [
                np.where(left.any(axis=0), np.sum(np.where(left, part, 0.0), axis=0), np.nan)
                for part, left in parts
            ]
        )


@dataclass(frozen=True, eq=False)
class Contender:
    """Form with its errors where it wasn't fitted; arrays have the shape (2, ranks, sizes).

    The first part is with the size left out, the second with the number of ranks; nan: neither.
    """

    form: ClosedForm
    errors: Floats
    """Logarithm of predicted over measured time."""
    lesser: Floats
    """The same by the better one of the two pieces that a size left out lies between, as it alone
    could have shown to which one it belongs."""
    lacking: Floats
    """Residual interpolated from those beside the point, over the predicted time."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard errors of the logarithms of medians, estimated from blocks."""

    own: float
    """Part that a point doesn't share with the other sizes of its launches."""
    shared: float
    """Part that it shares with them."""


def trials(points: Points) -> Iterator[Contender]:
    """Contenders: all candidates that can be fitted whatever is left out."""
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
            solution, cost = equations[rows.tobytes()].solved(form.terms)
            costs = costs + cost
            coefficients.append((rows, solution))
        yield from _cut(_Fits(points, form, folds, present, coefficients), costs)


@dataclass(frozen=True, eq=False)
class _Fits:
    """Fits of a form's terms to all ranges in all folds."""

    points: Points
    form: ClosedForm
    folds: Folds
    present: Bools
    """Mask of the sizes in each fold, shape (folds, sizes)."""
    coefficients: Sequence[tuple[Bools, Floats]]
    """Mask of the ranks of each family, and its coefficients (terms, folds, ranges)."""

    def predicted(self, firsts: Indices, piece: Indices) -> Floats:
        """Times by the `piece` of each fold and size, shape (folds, ranks, sizes)."""
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
        """Residuals interpolated from those beside each point, over these times; same shape."""
        known = self.points.present & ~self.folds.left_out
        residuals = np.where(known, np.nan_to_num(self.points.seconds) - predicted, 0.0)
        middle = len(self.folds.by_size)
        along_sizes, along_ranks = self._weights_of_others
        positive = np.maximum(predicted, TINY_S)
        by_size = np.einsum("sj,fpj->fps", along_sizes, residuals[:middle]) / positive[:middle]
        shares = residuals[middle:] / positive[middle:]
        by_ranks = np.einsum("pq,fqs->fps", along_ranks, shares)
        return np.asarray(np.clip(np.concatenate([by_size, by_ranks]), -1, FARTHEST_LACK))

    @cached_property
    def _weights_of_others(self) -> tuple[Floats, Floats]:
        """Weights of the residuals of all other sizes, and of all other numbers of ranks."""
        sizes, ranks = self.points.sizes_bytes, self.points.ranks.astype(np.int64)
        return (
            _from_others(lambda kept, at: between_sizes(sizes[at], sizes[kept]), sizes.size),
            _from_others(
                lambda kept, at: between_ranks(self.form, ranks[at], ranks[kept]), ranks.size
            ),
        )


def _from_others(weights: Callable[[Indices, Indices], Floats], count: int) -> Floats:
    """Rows of `weights`, each at one of `count` points by all others: (points, points)."""
    rows = np.zeros((count, count))
    for at in range(count if count > 1 else 0):
        kept = np.delete(np.arange(count), at)
        rows[at, kept] = weights(kept, np.array([at]))[0]
    return rows


def _cut(fits: _Fits, costs: Floats) -> Iterator[Contender]:
    """Contenders of the form in one piece, two and so on."""
    sizes = fits.points.sizes_bytes
    most = MOST_PIECES if fits.points.ranks.size == 1 else MOST_PIECES_OF_SURFACE
    before, after = neighbours(fits.present)
    fold = np.arange(len(before))[:, None]
    place = np.arange(sizes.size)[:, None]
    width = np.maximum(sizes[after] - sizes[before], 1.0)
    share = ((sizes - sizes[before]) / width)[:, None]
    cheapest = cheapest_cuts(costs, sizes.size, most_pieces(sizes.size, most))
    for pieces, (least, firsts) in enumerate(cheapest, 1):
        if not np.isfinite(least).all():
            continue
        cuts = firsts[:, 1:]
        lower = np.sum(place >= after[fold, cuts][:, None], axis=2)
        upper = np.sum(place > before[fold, cuts - 1][:, None], axis=2)
        below, above = (fits.predicted(firsts, piece) for piece in (lower, upper))
        # on the straight line between the two neighbours, as predictions between pieces are
        ends = [np.take_along_axis(below, at[:, None], axis=2) for at in (before, after)]
        between = (1 - share) * ends[0] + share * ends[1]
        chosen = np.where((lower == upper)[:, None], below, between)
        errors = [
            fits.folds.gathered(_log_errors(fits.points, times)) for times in (chosen, below, above)
        ]
        lesser = np.where(np.abs(errors[1]) <= np.abs(errors[2]), errors[1], errors[2])
        lacking = fits.folds.gathered(fits.lacking(chosen))
        yield Contender(replace(fits.form, pieces=pieces), errors[0], lesser, lacking)


def _log_errors(points: Points, predicted: Floats) -> Floats:
    """Logarithms of predicted over measured times, within LARGEST_ERROR."""
    least = np.nan_to_num(points.seconds, nan=1.0) * np.exp(-LARGEST_ERROR)
    ratio = np.maximum(predicted, least) / points.seconds
    return np.asarray(np.minimum(np.log(ratio), LARGEST_ERROR))


def chosen(tried: Sequence[Contender], noise: Noise | None) -> Contender:
    """Simplest contender that is near the best; of equally simple ones the better.

    The number of pieces of each form in p is chosen first, by sizes left out, then one of these
    forms, by sizes and by ranks. `noise` None: unknown.
    """
    structures: dict[ClosedForm, list[Contender]] = {}
    for contender in tried:
        structures.setdefault(replace(contender.form, pieces=1), []).append(contender)
    own = None if noise is None else noise.own
    shared = 0.0 if noise is None else noise.shared
    by_size, by_ranks = (~np.isnan(part).all() for part in tried[0].lesser)
    cut = list(tried)
    if by_size:
        cut = [_simplest(each, _near_by_size(each, own)) for each in structures.values()]
    near = _near_by_size(cut, own) if by_size else np.zeros(len(cut), dtype=np.bool_)
    if by_ranks:
        # few numbers of ranks may all be hit by chance: hence no less than the shared noise
        groups = np.array([_groups(contender.lesser[1], 1) for contender in cut])
        also = _near(groups, ABSOLUTE * shared, np.inf)
        if by_size:  # and not much worse than the best by sizes left out, all of them together
            means = np.array([_mean(contender.lesser[0]) for contender in cut])
            noise_by_size = np.hypot(own or 0.0, shared)
            most = MUCH_WORSE * means.min() + REACH * ABSOLUTE * noise_by_size
            also &= means <= most + ROUNDING
        near |= also
    return _simplest(cut, near)


def _simplest(tried: Sequence[Contender], near: Bools) -> Contender:
    """Simplest of those that are `near`; of equally simple ones the better."""
    ranked = sorted(np.flatnonzero(near).tolist(), key=lambda i: _mean(tried[i].lesser))
    return min((tried[i] for i in ranked), key=lambda contender: contender.form.size)


def _near_by_size(tried: Sequence[Contender], noise: float | None) -> Bools:
    """Mask of those that are as good as the best by sizes left out."""
    groups = np.array([_groups(contender.lesser[0], 0) for contender in tried])
    ranks = tried[0].lesser.shape[1]
    most = np.inf if noise is None else ABSOLUTE * noise / np.sqrt(ranks)
    return _near(groups, 0.0, most)


def _near(groups: Floats, least: float, most: float) -> Bools:
    """Mask of the means near the least; errors scatter by `least` to `most`; (forms, groups)."""
    means, count = groups.mean(axis=1), groups.shape[1]
    deviation = groups[means.argmin()].std(ddof=1) if count > 1 else most
    reach = REACH * np.clip(deviation, least, most) / np.sqrt(count)
    return np.asarray(means <= means.min() + reach + ROUNDING)


def _groups(errors: Floats, axis: int) -> Floats:
    """Mean absolute error of each group that was left out, all points along `axis`."""
    known = ~np.isnan(errors).all(axis=axis)
    return np.asarray(np.nanmean(np.compress(known, np.abs(errors), axis=1 - axis), axis=axis))


def _mean(errors: Floats) -> float:
    return float(np.nanmean(np.abs(errors)))
