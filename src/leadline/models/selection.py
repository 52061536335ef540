"""Which closed form: by its errors at sizes and numbers of ranks that it wasn't fitted to.

Each size but the first and the last is left out in turn, at all numbers of ranks, and each number
of ranks, at all sizes; breakpoints are searched anew each time. Of all forms, the constant among
them, the simplest is taken whose mean error is within one standard error of the least.

Sources: Breiman, Friedman, Olshen and Stone 1984, section 3.4.3 (one standard error); Hastie,
Tibshirani and Friedman 2009, section 7.10 (leave out whole groups, select within each).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from leadline.models.fitting import NormalEquations, Points, families, is_power_of_two
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.segments import (
    Indices,
    Neighbours,
    cheapest_cuts,
    most_pieces,
    ranges_of,
)
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

CONSTANT = ClosedForm(Scaling.CONSTANT, None)
"""The base line of all forms."""
FEWEST_RANKS = 3
"""Numbers of them that tell how times grow; also of those that are powers of two, and others."""
MOST_PIECES, MOST_PIECES_OF_SURFACE = 6, 4
LARGEST_ERROR = np.log(10)
"""Of a logarithm: a prediction that is off tenfold is useless, and so is any worse one."""
ROUNDING = 1e-9
"""Errors that differ by less are alike."""


def candidates(points: Points) -> tuple[ClosedForm, ...]:
    """The forms, in one piece, that could be told from each other by these points."""
    ranks, sizes = points.seconds.shape
    grows = tuple(Scaling) if ranks >= FEWEST_RANKS else (Scaling.CONSTANT,)
    factors = (None, *grows) if sizes > 1 else (None,)
    powers = int(is_power_of_two(points.ranks).sum())
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
        inner = size[1:-1] if sizes > FEWEST_RANKS + 1 else size[: sizes if sizes > 2 else 0]
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
    """Logarithm of predicted over measured time, by the nearer piece."""
    lesser: Floats
    """Likewise by the better one of the two pieces that a size left out lies between: which one
    it belongs to it alone could have told."""


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


def _cut(fits: _Fits, costs: Floats) -> Iterator[Contender]:
    """The contenders of a form in one piece, two and so on."""
    sizes = fits.points.sizes_bytes
    most = MOST_PIECES if fits.points.ranks.size == 1 else MOST_PIECES_OF_SURFACE
    found = cheapest_cuts(costs, sizes.size, most_pieces(sizes.size, most))
    for pieces, (least, firsts) in enumerate(found, 1):
        if not np.isfinite(least).all():
            continue
        cuts = Neighbours.of(firsts, fits.present)
        place = np.arange(sizes.size)[:, None]
        nearer = np.sum(sizes[:, None] >= cuts.middles(sizes)[:, None], axis=2)
        errors = [
            fits.folds.gathered(_log_errors(fits.points, fits.predicted(firsts, piece)))
            for piece in (
                nearer,
                np.sum(place >= cuts.above[:, None], axis=2),
                np.sum(place > cuts.below[:, None], axis=2),
            )
        ]
        lesser = np.where(np.abs(errors[1]) <= np.abs(errors[2]), errors[1], errors[2])
        yield Contender(replace(fits.form, pieces=pieces), errors[0], lesser)


def _log_errors(points: Points, predicted: Floats) -> Floats:
    least = np.nan_to_num(points.seconds, nan=1.0) * np.exp(-LARGEST_ERROR)
    ratio = np.maximum(predicted, least) / points.seconds
    return np.asarray(np.minimum(np.log(ratio), LARGEST_ERROR))


def chosen(tried: Sequence[Contender]) -> Contender:
    """The simplest within one standard error of the best; of equally simple ones the better."""
    means = [_mean(trial.errors) for trial in tried]
    best = tried[int(np.argmin(means))]
    within = [
        (trial.form.size, mean, i)
        for i, (trial, mean) in enumerate(zip(tried, means, strict=True))
        if mean - min(means) <= _standard_error(trial, best) + ROUNDING
    ]
    return tried[min(within)[2]]


def _groups(errors: Floats) -> tuple[Floats, ...]:
    """The mean absolute error of each group that was left out: of sizes, and of ranks."""
    sizes, ranks = np.abs(errors)
    found = []
    for values, axis in ((sizes, 0), (ranks, 1)):
        known = ~np.isnan(values).all(axis=axis)
        if known.any():
            found.append(np.nanmean(np.compress(known, values, axis=1 - axis), axis=axis))
    return tuple(found)


def _mean(errors: Floats) -> float:
    """Over sizes and over ranks, either counting as much as the other."""
    return float(np.mean([group.mean() for group in _groups(errors)]))


def _standard_error(one: Contender, other: Contender) -> float:
    """Of the difference of two means, paired by what was left out."""
    parts = []
    for a, b in zip(_groups(one.errors), _groups(other.errors), strict=True):
        parts.append((a - b).var(ddof=1) / a.size if a.size > 1 else np.inf)
    return float(np.sqrt(np.sum(parts)) / len(parts))
