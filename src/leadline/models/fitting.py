"""Least squares of relative errors, of all ranges of sizes at once and of single pieces.

A time that is off by a share of itself is off by the same on a chart with logarithmic axes, and a
megabyte doesn't outweigh a byte. Forms are linear in their coefficients, so that sums over the
points of a range, its normal equations, are all that a fit takes; they are shared by all forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from leadline.models.forms import ClosedForm, Numbers, Scaling, Term, is_power_of_two
from leadline.models.model import RankSet
from leadline.models.segments import Indices, cheapest_cuts, ranges_of
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

SINGULAR = 1e-9
"""What elimination leaves of a term that the others explain, at least, as a share of it."""
REWEIGHTINGS = 2
"""Weights by measured times let those that are short by chance count most; so by fitted ones."""


@dataclass(frozen=True, eq=False)
class Points:
    """Times over ranks and sizes."""

    ranks: Floats
    sizes_bytes: Floats
    seconds: Floats
    """Shape (ranks, sizes), nan where missing."""

    @property
    def present(self) -> Bools:
        """Where there is one."""
        return ~np.isnan(self.seconds)

    def with_seconds(self, seconds: Floats) -> Points:
        """The same with other times."""
        return replace(self, seconds=seconds)

    def design(self, terms: tuple[Term, ...]) -> Floats:
        """What each coefficient is multiplied by, shape (ranks, sizes, terms)."""
        ranks, sizes = np.meshgrid(self.ranks, self.sizes_bytes, indexing="ij")
        return np.stack([term.of(ranks, sizes) for term in terms], axis=-1)


def families(form: ClosedForm, ranks: Floats | Numbers) -> tuple[tuple[RankSet, Bools], ...]:
    """The sets of ranks that have coefficients of their own, and which of `ranks` each holds."""
    if not form.powers_apart:
        return ((RankSet.ALL, np.ones(ranks.size, dtype=np.bool_)),)
    powers = is_power_of_two(ranks.astype(np.int64))
    return (RankSet.POWERS_OF_TWO, powers), (RankSet.OTHERS, ~powers)


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """Of each range of sizes of each curve of a batch: sums that every form's fit takes."""

    scalings: tuple[Scaling, ...]
    products: Floats
    """Of two scalings times m^0, m^1, m^2: (3, scalings, scalings, batch, ranges)."""
    times: Floats
    """Of a scaling and the time, times m^0, m^1: (2, scalings, batch, ranges)."""
    squares: Floats
    """Of the time, (batch, ranges)."""

    @classmethod
    def of(cls, points: Points, weights: Floats, scalings: tuple[Scaling, ...]) -> NormalEquations:
        """`weights`, shape (batch, ranks, sizes), are 0 where a point doesn't count.

        Times of `points` may have a batch in front; batches broadcast.
        """
        ranges = ranges_of(points.sizes_bytes.size)
        scaled = np.stack([one.of(points.ranks) for one in scalings])
        weighted = weights * np.nan_to_num(points.seconds)
        powers = points.sizes_bytes ** np.arange(3)[:, None]
        products = np.einsum("sp,tp,bpn->stbn", scaled, scaled, weights)
        times = np.einsum("sp,bpn->sbn", scaled, weighted)
        squares = np.sum(weighted * np.nan_to_num(points.seconds), axis=1)
        return cls(
            scalings,
            ranges.sums(products * powers[:, None, None, None]),
            ranges.sums(times * powers[:2, None, None]),
            ranges.sums(squares),
        )

    def solved(self, terms: tuple[Term, ...]) -> tuple[Floats, Floats]:
        """Coefficients, shape (terms, batch, ranges), and residual sums of squares.

        Where a range doesn't determine them these are infinite and coefficients mean nothing.
        """
        where = [(self.scalings.index(term.scaling), int(term.per_byte)) for term in terms]
        matrix = [[self.products[e + f, s, t] for t, f in where] for s, e in where]
        right = [self.times[e, s] for s, e in where]
        coefficients, explained = _eliminated(np.array(matrix), np.array(right))
        return coefficients, np.maximum(self.squares - explained, 0.0)


def _eliminated(matrix: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Solutions of many small symmetric systems, and `right` times each; -inf where singular.

    Gauss without pivots, which normal equations don't need. Shapes (terms, terms, ...),
    (terms, ...), the latter may have a larger batch; both are used up.
    """
    terms = len(right)
    whole = np.array([matrix[i, i] for i in range(terms)])
    singular = np.zeros(matrix.shape[2:], dtype=np.bool_)
    explained = np.zeros(right.shape[1:])
    for i in range(terms):
        singular |= matrix[i, i] <= SINGULAR * whole[i]
        pivot = np.where(singular, 1.0, matrix[i, i])
        explained += right[i] ** 2 / pivot
        for j in range(i + 1, terms):
            factor = matrix[j, i] / pivot
            matrix[j, i:] -= factor * matrix[i, i:]
            right[j] -= factor * right[i]
        matrix[i, i] = pivot
    for i in reversed(range(terms)):
        for j in range(i + 1, terms):
            right[i] -= matrix[i, j] * right[j]
        right[i] /= matrix[i, i]
    return right, np.where(singular, -np.inf, explained)


@dataclass(frozen=True, eq=False)
class PieceFit:
    """The coefficients of one piece of one family, and how they follow from its points."""

    rows: Bools
    """Of its ranks."""
    first: int
    end: int
    """Its first size and the first after it."""
    coefficients: Floats
    solver: Floats
    """Coefficients are this times the times of the piece: (terms, ranks x sizes), 0 where one is
    missing."""
    leverage: Floats
    """What each point's own time weighs in its fitted one, shape (ranks, sizes) of the piece."""

    def fitted_to(self, seconds: Floats) -> Floats:
        """Coefficients for other times, shape (..., ranks, sizes) of all points: (..., terms)."""
        inside = np.nan_to_num(seconds[..., self.rows, self.first : self.end])
        return np.asarray(inside.reshape(*inside.shape[:-2], -1) @ self.solver.T)


@dataclass(frozen=True, eq=False)
class Fit:
    """A form with its breakpoints, fitted."""

    form: ClosedForm
    points: Points
    firsts: tuple[int, ...]
    """The first size of each piece, by its index."""
    families: tuple[tuple[RankSet, tuple[PieceFit, ...]], ...]

    @property
    def all_pieces(self) -> Iterator[PieceFit]:
        """Of all families."""
        return (piece for _, pieces in self.families for piece in pieces)

    def surface(self, seconds: Floats) -> Floats:
        """What the form would be in other campaigns: fitted times, shape (..., ranks, sizes).

        `seconds` are these campaigns' medians, of the same shape; breakpoints are as they are.
        """
        design = self.points.design(self.form.terms)
        found = np.empty(seconds.shape)
        for piece in self.all_pieces:
            inside = design[piece.rows, piece.first : piece.end]
            values = np.einsum("pnt,...t->...pn", inside, piece.fitted_to(seconds))
            found[..., piece.rows, piece.first : piece.end] = values
        return found

    @cached_property
    def leverage(self) -> Floats:
        """What each point's own time weighs in its fitted one, shape (ranks, sizes)."""
        found = np.zeros(self.points.seconds.shape)
        for piece in self.all_pieces:
            found[piece.rows, piece.first : piece.end] = piece.leverage
        return found


def searched(form: ClosedForm, points: Points, weights: Floats) -> Indices:
    """The first sizes of the form's pieces, shape (batch, pieces), that fit best.

    Times of `points` may have a batch in front; `weights` are of shape (ranks, sizes).
    """
    present = weights > 0
    costs: Floats | float = 0.0
    for _, rows in families(form, points.ranks):
        weighted = (weights * rows[:, None])[None]
        equations = NormalEquations.of(points, weighted, tuple(dict.fromkeys(_scalings(form))))
        costs = costs + equations.solved(form.terms)[1]
    sizes = points.sizes_bytes.size
    possible = ranges_of(sizes).may_be_piece(np.any(present, axis=0))
    return cheapest_cuts(np.where(possible, costs, np.inf), sizes, form.pieces)[-1][1]


def _scalings(form: ClosedForm) -> Iterator[Scaling]:
    return (term.scaling for term in form.terms)


def relative_weights(points: Points) -> Floats:
    """Those of relative errors, shape (ranks, sizes); 0 where a point is missing."""
    return np.where(points.present, 1 / np.nan_to_num(points.seconds, nan=1.0) ** 2, 0.0)


def fit_of(form: ClosedForm, points: Points) -> Fit:
    """The form's best fit; it must have no more pieces and terms than the points determine."""
    firsts = tuple(searched(form, points, relative_weights(points))[0].tolist())
    ends = (*firsts[1:], points.sizes_bytes.size)
    bounds = tuple(zip(firsts, ends, strict=True))
    found = (
        (family, tuple(_fitted(form, points, rows, first, end) for first, end in bounds))
        for family, rows in families(form, points.ranks)
    )
    return Fit(form, points, firsts, tuple(found))


def _fitted(form: ClosedForm, points: Points, rows: Bools, first: int, end: int) -> PieceFit:
    seconds = points.seconds[rows, first:end]
    known = ~np.isnan(seconds)
    design, times = points.design(form.terms)[rows, first:end][known], seconds[known]
    scale = np.abs(design).max(axis=0)  # bytes and one weigh alike in a pseudo-inverse
    weights = 1 / times
    for _ in range(1 + REWEIGHTINGS):
        inverse = np.linalg.pinv(design / scale * weights[:, None])
        solver = inverse * weights / scale[:, None]
        coefficients = solver @ times
        weights = 1 / np.clip(design @ coefficients, times / 2, times * 2)
    leverage, whole = np.zeros(seconds.shape), np.zeros((len(coefficients), *seconds.shape))
    leverage[known] = np.einsum("nt,tn->n", design, solver)
    whole[:, known] = solver
    return PieceFit(rows, first, end, coefficients, whole.reshape(len(whole), -1), leverage)
