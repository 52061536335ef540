"""Least squares of relative errors, for all ranges of sizes at once and for single pieces.

Equal relative deviations are equal distances on a chart with logarithmic axes, and a megabyte
doesn't outweigh a byte. Forms are linear in their coefficients, so that sums over the points of a
range, its normal equations, are all that a fit takes; they are shared by all forms. `nonnegative`
fits few terms to many problems at once, with coefficients that aren't negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations

import numpy as np

from leadline.models.forms import ClosedForm, Numbers, Scaling, Term
from leadline.models.model import RankSet
from leadline.models.segments import Indices, cheapest_cuts, ranges_of
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.statistics.intervals import Floats
from leadline.statistics.permutation import Bools

SINGULAR = 1e-9
"""Least share of a term that elimination must leave; with less the others explain it."""
REWEIGHTINGS = 2
"""Weights by measured times favour those that are short by chance; hence weights by fitted ones."""
RIDGE = 1e-10
"""Share of each term's own weight, added to keep collinear terms apart; changes nothing else."""


@dataclass(frozen=True, eq=False)
class Points:
    """Times over ranks and sizes."""

    ranks: Floats
    sizes_bytes: Floats
    seconds: Floats
    """Times, shape (ranks, sizes), nan where missing."""

    @property
    def present(self) -> Bools:
        """Mask of the points that have a time."""
        return ~np.isnan(self.seconds)

    def with_seconds(self, seconds: Floats) -> Points:
        """The same points with other times."""
        return replace(self, seconds=seconds)

    def design(self, terms: tuple[Term, ...]) -> Floats:
        """Design matrix, shape (ranks, sizes, terms)."""
        ranks, sizes = np.meshgrid(self.ranks, self.sizes_bytes, indexing="ij")
        return np.stack([term.of(ranks, sizes) for term in terms], axis=-1)


def families(form: ClosedForm, ranks: Floats | Numbers) -> tuple[tuple[RankSet, Bools], ...]:
    """Sets of ranks that have coefficients of their own, each with a mask over `ranks`."""
    if not form.powers_apart:
        return ((RankSet.ALL, np.ones(ranks.size, dtype=np.bool_)),)
    powers = is_power_of_two(ranks.astype(np.int64))
    return (RankSet.POWERS_OF_TWO, powers), (RankSet.OTHERS, ~powers)


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """Sums that every form's fit takes, for each range of sizes of each curve of a batch."""

    scalings: tuple[Scaling, ...]
    products: Floats
    """Two scalings times m^0, m^1, m^2: (3, scalings, scalings, batch, ranges)."""
    times: Floats
    """A scaling and the time, times m^0, m^1: (2, scalings, batch, ranges)."""
    squares: Floats
    """Squares of the time, (batch, ranges)."""

    @classmethod
    def of(cls, points: Points, weights: Floats, scalings: tuple[Scaling, ...]) -> NormalEquations:
        """Sums over `points`; `weights`, shape (batch, ranks, sizes), are 0 for points left out.

        Times of `points` may have a batch in front; batches broadcast.
        """
        ranges = ranges_of(points.sizes_bytes.size)
        scaled = np.stack([scaling.of(points.ranks) for scaling in scalings])
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

        Where a range doesn't determine the coefficients, the sums are infinite and the coefficients
        are meaningless.
        """
        where = [(self.scalings.index(term.scaling), int(term.per_byte)) for term in terms]
        matrix = [[self.products[e + f, s, t] for t, f in where] for s, e in where]
        right = [self.times[e, s] for s, e in where]
        coefficients, explained = _eliminated(np.array(matrix), np.array(right))
        return coefficients, np.maximum(self.squares - explained, 0.0)


def _eliminated(matrix: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Solutions of many small symmetric systems, and `right` times each; -inf where singular.

    Gaussian elimination without pivoting, which normal equations don't need. Shapes are
    (terms, terms, ...) and (terms, ...), the latter may have a larger batch; both are overwritten.
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
    """Coefficients of one piece of one family, and the operator that gives them from its points."""

    rows: Bools
    """Mask of its ranks."""
    first: int
    end: int
    """Index of its first size, and of the first size after it."""
    coefficients: Floats
    solver: Floats
    """Matrix that gives the coefficients from the times of the piece, (terms, ranks x sizes), 0
    where a time is missing."""
    leverage: Floats
    """Weight of each point's own time in its fitted one, shape (ranks, sizes) of the piece."""

    def fitted_to(self, seconds: Floats) -> Floats:
        """Coefficients for other times, shape (..., ranks, sizes) of all points: (..., terms)."""
        inside = np.nan_to_num(seconds[..., self.rows, self.first : self.end])
        return np.asarray(inside.reshape(*inside.shape[:-2], -1) @ self.solver.T)


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted form with its breakpoints."""

    form: ClosedForm
    points: Points
    firsts: tuple[int, ...]
    """Index of the first size of each piece."""
    families: tuple[tuple[RankSet, tuple[PieceFit, ...]], ...]

    @property
    def all_pieces(self) -> Iterator[PieceFit]:
        """Pieces of all families."""
        return (piece for _, pieces in self.families for piece in pieces)

    def surface(self, seconds: Floats) -> Floats:
        """Fitted times of other campaigns, shape (..., ranks, sizes).

        `seconds` are these campaigns' medians, of the same shape; breakpoints stay as they are.
        """
        design = self.points.design(self.form.terms)
        fitted = np.empty(seconds.shape)
        for piece in self.all_pieces:
            inside = design[piece.rows, piece.first : piece.end]
            values = np.einsum("pnt,...t->...pn", inside, piece.fitted_to(seconds))
            fitted[..., piece.rows, piece.first : piece.end] = values
        return fitted

    @cached_property
    def leverage(self) -> Floats:
        """Weight of each point's own time in its fitted one, shape (ranks, sizes)."""
        leverage = np.zeros(self.points.seconds.shape)
        for piece in self.all_pieces:
            leverage[piece.rows, piece.first : piece.end] = piece.leverage
        return leverage


def searched(form: ClosedForm, points: Points, weights: Floats) -> Indices:
    """First sizes of the form's pieces that fit best, shape (batch, pieces).

    Times of `points` may have a batch in front; `weights` have shape (ranks, sizes).
    """
    present = weights > 0
    scalings = tuple(dict.fromkeys(term.scaling for term in form.terms))
    costs: Floats | float = 0.0
    for _, rows in families(form, points.ranks):
        equations = NormalEquations.of(points, (weights * rows[:, None])[None], scalings)
        costs = costs + equations.solved(form.terms)[1]
    sizes = points.sizes_bytes.size
    possible = ranges_of(sizes).may_be_piece(np.any(present, axis=0))
    return cheapest_cuts(np.where(possible, costs, np.inf), sizes, form.pieces)[-1][1]


def relative_weights(points: Points) -> Floats:
    """Weights of relative errors, shape (ranks, sizes); 0 where a point is missing."""
    return np.where(points.present, 1 / np.nan_to_num(points.seconds, nan=1.0) ** 2, 0.0)


def fit_of(form: ClosedForm, points: Points) -> Fit:
    """Best fit of the form, which must have no more pieces and terms than the points determine."""
    firsts = tuple(searched(form, points, relative_weights(points))[0].tolist())
    ends = (*firsts[1:], points.sizes_bytes.size)
    bounds = tuple(zip(firsts, ends, strict=True))
    fitted = (
        (family, tuple(_fitted(form, points, rows, first, end) for first, end in bounds))
        for family, rows in families(form, points.ranks)
    )
    return Fit(form, points, firsts, tuple(fitted))


def _fitted(form: ClosedForm, points: Points, rows: Bools, first: int, end: int) -> PieceFit:
    """Fit of one piece on the ranks `rows`, by weighted least squares, reweighted a few times."""
    seconds = points.seconds[rows, first:end]
    known = ~np.isnan(seconds)
    design, times = points.design(form.terms)[rows, first:end][known], seconds[known]
    scale = np.abs(design).max(axis=0)  # so that bytes and 1 weigh alike in the pseudo-inverse
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


def nonnegative(products: Floats, moments: Floats) -> Floats:
    """Coefficients, shape (..., terms), none of them negative, of the least sum of squared errors.

    `products` are sums of terms by terms, shape (..., terms, terms), `moments` of terms by what is
    fitted, (..., terms). Terms are few: every set of them that may be above zero is tried, the
    others being zero, as one such set has the least (Lawson and Hanson 1974, section 23.2).
    """
    terms = moments.shape[-1]
    subsets = chain.from_iterable(combinations(range(terms), n) for n in range(1, terms + 1))
    best, explained = np.zeros_like(moments), np.zeros(moments.shape[:-1])
    for inside in map(list, subsets):
        chosen = products[..., inside, :][..., inside]
        own = np.einsum("...ii->...i", chosen)
        ridge = np.where(own > 0, RIDGE * own, 1.0)
        kept = chosen + ridge[..., None] * np.eye(len(inside))
        coefficients = np.zeros_like(moments)
        coefficients[..., inside] = np.linalg.solve(kept, moments[..., inside, None])[..., 0]
        gain = np.sum(coefficients * moments, axis=-1)
        better = (coefficients >= 0).all(axis=-1) & (gain > explained)
        best = np.where(better[..., None], coefficients, best)
        explained = np.where(better, gain, explained)
    return best
