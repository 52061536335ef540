"""Fits models (closed forms) to measurements: form, coefficients, breakpoints and intervals.

One number of ranks gives a curve: Hockney's line, in as many pieces as its sizes show. Three and
more give a surface, the form of Hwang, Wang and Wang (1997, HPCA-3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.compare.origins import REPEATED, not_measured
from leadline.compare.warnings import few_blocks
from leadline.models.fitting import Fit, PieceFit, Points, fit_of, relative_weights, searched
from leadline.models.model import (
    Break,
    Breakpoint,
    Coefficient,
    HeldOut,
    Model,
    NotFitted,
    Piece,
    Scatter,
    subject_of,
)
from leadline.models.observations import Observations
from leadline.models.reasons import Refusal
from leadline.models.resampling import covariance, drawn_medians, freedom, medians, spread
from leadline.models.residuals import corrected
from leadline.models.scatter import (
    Shares,
    explained,
    noise_of,
    residuals_of,
    scatter_of,
    shares_of,
    student_quantile,
)
from leadline.models.segments import FEWEST_SIZES, Indices
from leadline.models.selection import (
    CONSTANT,
    FEWEST_RANKS,
    Contender,
    Noise,
    chosen,
    trials,
)
from leadline.record.warnings import RunWarning
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import fewest_blocks

MOST_OWN_ERROR, MOST_ERROR = math.log(2), math.log(1.5)
"""Largest errors in logarithms, of nine in ten points fitted, and the median of those left out: a
form with larger ones would be believed for its coefficients, and predicts nothing."""
TINY_S, LONGEST_S = 1e-15, 1e12
"""Bounds of any time; no fitted time is taken to be shorter."""
MOST_SIZES = 160
"""Most sizes fitted: each is left out once of fits to all ranges, whose cost is cubic in them."""
FEWEST_BLOCKS = fewest_blocks(1)
"""Fewest blocks that give an interval of 95 %."""


def fit_each(observations: Observations, seed: int = 0) -> tuple[Model | NotFitted, ...]:
    """One model of all numbers of ranks where there are three or more, else one model of each.

    Applications are refused: forms are of calls, and have no term for work that ranks share.
    """
    if observations.computes:
        return (NotFitted(observations.variant, observations.pattern, Refusal.APPLICATION()),)
    if len(observations.ranks) >= FEWEST_RANKS:
        return (fit(observations, seed),)
    if observations.ranks and len(observations.sizes_bytes) < FEWEST_SIZES:
        return (NotFitted(observations.variant, observations.pattern, _too_few(observations)),)
    rows = zip(observations.ranks, observations.seconds[:, None], strict=True)
    return tuple(
        fit(replace(observations, ranks=(ranks,), seconds=seconds), seed) for ranks, seconds in rows
    )


def fit(observations: Observations, seed: int = 0) -> Model | NotFitted:
    """Model of one number of ranks, or of three and more.

    Algorithms and aggregate bandwidth are left out. `seed` makes what is drawn repeatable.
    """
    kept = _measured(observations)
    reason = _refusal(kept)
    if reason is not None:
        return NotFitted(observations.variant, observations.pattern, reason)
    points = Points(
        np.array(kept.ranks, dtype=np.float64),
        np.array(kept.sizes_bytes, dtype=np.float64),
        medians(kept.seconds),
    )
    tried = tuple(trials(points))
    draws = drawn_medians(kept.seconds, seed) if kept.blocks >= FEWEST_BLOCKS else None
    best = _best(tried, points, None if draws is None else noise_of(draws))
    if isinstance(best, str):
        return NotFitted(observations.variant, observations.pattern, best)
    taken, fitted = best
    explains = explained(fitted, draws, 0.0 if draws is None else freedom(kept.seconds))
    shares = shares_of(taken, explains)
    resampled = None
    if draws is not None:
        scatter = scatter_of(taken, shares, explains, kept.blocks)
        firsts = searched(fitted.form, points.with_seconds(draws), relative_weights(points))
        resampled = Resampled(draws, firsts, scatter, kept.blocks)
    return Model(
        **subject_of(kept),
        ranks=kept.ranks,
        sizes_bytes=kept.sizes_bytes,
        blocks=kept.blocks,
        form=fitted.form,
        pieces=tuple(
            (family, tuple(_piece(fitted, piece, kept.blocks, resampled) for piece in pieces))
            for family, pieces in fitted.families
        ),
        breakpoints=breakpoints_of(fitted, resampled),
        residuals=residuals_of(fitted, shares),
        scatter=None if resampled is None else resampled.scatter,
        held_out=_held_out(taken, shares, tried),
        warnings=tuple(_warnings(kept)),
    )


def _measured(observations: Observations) -> Observations:
    """Observations without numbers of ranks and sizes at which nothing was measured."""
    missing = np.all(np.isnan(observations.seconds), axis=2)
    rows, columns = ~np.all(missing, axis=1), ~np.all(missing, axis=0)
    return replace(
        observations,
        ranks=tuple(np.array(observations.ranks)[rows].tolist()),
        sizes_bytes=tuple(np.array(observations.sizes_bytes)[columns].tolist()),
        seconds=observations.seconds[rows][:, columns],
    )


def _refusal(observations: Observations) -> str | None:
    """Reason why no form can be fitted to these observations; None: one can."""
    ranks, sizes = len(observations.ranks), len(observations.sizes_bytes)
    seconds = observations.seconds
    if not ranks:
        return Refusal.NOTHING()
    wrong = np.argwhere(~np.isnan(seconds) & ~((seconds > TINY_S) & (seconds < LONGEST_S)))
    if wrong.size:
        p, m, block = wrong[0].tolist()
        return Refusal.NO_TIME(
            bytes=observations.sizes_bytes[m],
            ranks=observations.ranks[p],
            seconds=seconds[p, m, block],
        )
    if 1 < ranks < FEWEST_RANKS:
        return Refusal.TWO_RANKS(fewest=FEWEST_RANKS, ranks=ranks)
    if ranks == 1 and sizes < FEWEST_SIZES:
        return _too_few(observations)
    if sizes > MOST_SIZES:
        return Refusal.MANY_SIZES(most=MOST_SIZES, sizes=sizes)
    return None


def _too_few(observations: Observations) -> str:
    """Refusal of too few sizes on one number of ranks, or two: what there is, and what to do."""
    ranks, sizes = list(observations.ranks), len(observations.sizes_bytes)
    on = " and ".join(f"{p:,}" for p in ranks)
    while len(ranks) < FEWEST_RANKS:
        ranks.append(2 * ranks[-1])
    more = f"--ranks {','.join(map(str, ranks))}"
    if observations.sizes_bytes == (0,):
        return Refusal.NO_SIZES(fewest=FEWEST_RANKS, measured=on, remedy=more)
    return Refusal.FEW_SIZES(
        fewest_sizes=FEWEST_SIZES, fewest=FEWEST_RANKS, sizes=sizes, measured=on, remedy=more
    )


def _best(
    tried: Sequence[Contender], points: Points, noise: Noise | None
) -> tuple[Contender, Fit] | str:
    """Form to take, of those that fit their points well enough; a text: why there is none.

    A form that doesn't fit its own points, or those left out, gives way to a larger one.
    """
    taken = chosen(tried, noise)
    fitted = fit_of(taken.form, points)
    own = np.abs(np.log(np.maximum(fitted.surface(points.seconds), TINY_S) / points.seconds))
    worst, typical = np.nanquantile(own, 0.9), np.nanmedian(np.abs(taken.errors))
    if worst <= MOST_OWN_ERROR and typical <= MOST_ERROR:
        return taken, fitted
    error = worst if worst > MOST_OWN_ERROR else typical
    ranks, sizes = points.seconds.shape
    reason = Refusal.NO_FIT(
        sizes=sizes,
        ranks=ranks,
        form=fitted.form.name,
        times=math.exp(error),
        own=bool(worst > MOST_OWN_ERROR),
    )
    others = [contender for contender in tried if contender.form.size > taken.form.size]
    further = _best(others, points, noise) if others else reason
    return reason if isinstance(further, str) else further


def _piece(fit: Fit, piece: PieceFit, blocks: int, resampled: Resampled | None) -> Piece:
    """Piece of the model, with intervals and covariance where campaigns were resampled."""
    sizes, values = fit.points.sizes_bytes, piece.coefficients.tolist()
    estimates = [Estimate(value, n=blocks) for value in values]
    drawn = None if resampled is None else piece.fitted_to(resampled.draws)
    if drawn is not None:
        reach = (student_quantile(blocks - 1) * spread(drawn)).tolist()
        estimates = [
            Estimate.around(value, by, CONFIDENCE, blocks)
            for value, by in zip(values, reach, strict=True)
        ]
    return Piece(
        least_bytes=int(sizes[piece.first]),
        most_bytes=int(sizes[piece.end - 1]),
        coefficients=tuple(map(Coefficient, fit.form.terms, estimates)),
        covariance=np.empty((0, 0)) if drawn is None else covariance(drawn),
    )


def _held_out(taken: Contender, shares: Shares, tried: tuple[Contender, ...]) -> HeldOut:
    """Errors at points left out, of the form taken and of the constant."""
    typical = np.array([shares.between_sizes, shares.between_ranks])[:, None, None]
    errors = _relative(corrected(taken.errors, taken.lacking, typical))
    baseline = _relative(
        next(contender.errors for contender in tried if contender.form == CONSTANT)
    )
    return HeldOut(
        median_error=float(np.nanmedian(errors)),
        p90_error=float(np.nanquantile(errors, 0.9)),
        form_error=float(np.nanmedian(_relative(taken.errors))),
        baseline_error=float(np.nanmedian(baseline)),
        baseline_p90_error=float(np.nanquantile(baseline, 0.9)),
    )


def _relative(logs: Floats) -> Floats:
    return np.asarray(np.expm1(np.abs(logs)))


def _warnings(observations: Observations) -> Iterator[RunWarning]:
    unmeasured = not_measured(observations.origin, observations.blocks > 0)
    if unmeasured is not None:
        yield unmeasured
    if unmeasured in (None, REPEATED) and observations.blocks < FEWEST_BLOCKS:
        yield few_blocks(observations.blocks)


# -- breakpoints -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Resampled:
    """Resampled campaigns, from which the intervals of breakpoints follow."""

    draws: Floats
    """Medians of resampled campaigns, shape (draws, ranks, sizes)."""
    firsts: Indices
    """First sizes of the pieces that fit each best, shape (draws, pieces)."""
    scatter: Scatter
    blocks: int


def breakpoints_of(fit: Fit, resampled: Resampled | None) -> tuple[Breakpoint, ...]:
    """Breakpoints between successive pieces; without blocks they have no intervals."""
    most = int(fit.points.ranks.argmax())
    pieces = next(each for _, each in fit.families if each[0].rows[most])
    breakpoints = []
    for k in range(1, len(pieces)):
        sides, place = _Sides(fit, pieces[k - 1], pieces[k]), _place(fit, k, resampled)
        kind = Break.CHANGE
        if resampled is None:
            jump = Estimate(math.exp(sides.log_jumps(None)[1]))
        else:
            jump, slope = sides.jump(resampled), sides.slope_change(resampled)
            if not jump.holds(1.0) or (slope.high is not None and slope.high < 0):
                kind = Break.PROTOCOL_SWITCH
            elif slope.low is not None and slope.low > 0:
                kind = Break.CACHE_EDGE
        breakpoints.append(Breakpoint(place, kind, jump))
    return tuple(breakpoints)


def _place(fit: Fit, k: int, resampled: Resampled | None) -> Estimate:
    """Size at which piece `k` begins, the geometric mean of the two sizes beside it."""
    sizes, first = fit.points.sizes_bytes, fit.firsts[k]
    value = math.sqrt(max(sizes[first - 1], 1.0) * sizes[first])
    if resampled is None:
        return Estimate(value)
    firsts, tail = resampled.firsts[:, k], (1 - CONFIDENCE) / 2
    low = np.quantile(sizes[firsts - 1], tail, method="lower")
    high = np.quantile(sizes[firsts], 1 - tail, method="higher")
    low, high = min(float(low), sizes[first - 1]), max(float(high), sizes[first])
    return Estimate(value, float(low), float(high), CONFIDENCE, resampled.blocks)


@dataclass(frozen=True, eq=False)
class _Sides:
    """Pieces on the two sides of a breakpoint, at the most ranks."""

    fit: Fit
    below: PieceFit
    above: PieceFit

    def log_jumps(self, draws: Floats | None) -> Floats:
        """Log ratios at the size below, between the two, and at the one above, shape (3, ...)."""
        seconds = self.fit.points.seconds if draws is None else draws
        sizes, first = self.fit.points.sizes_bytes, self.above.first
        least, most = max(sizes[first - 1], 1.0), sizes[first]
        at = np.array([sizes[first - 1], math.sqrt(least * most), most])
        ranks = np.full(3, self.fit.points.ranks.max())
        design = np.stack([term.of(ranks, at) for term in self.fit.form.terms], axis=-1)
        times = [piece.fitted_to(seconds) @ design.T for piece in (self.below, self.above)]
        floor = np.nanmin(seconds) / 10
        ratio = np.maximum(times[1], floor) / np.maximum(times[0], floor)
        return np.asarray(np.log(ratio).T)

    def jump(self, resampled: Resampled) -> Estimate:
        """Ratio of times above to below; its bounds hold anywhere between the two sizes."""
        values, scatter = self.log_jumps(None), resampled.scatter
        deviation = spread(self.log_jumps(resampled.draws).T)
        reach = np.hypot(deviation, math.sqrt(2) * scatter.outside.deviation)
        reach = student_quantile(resampled.blocks - 1) * reach
        bounds = float(np.min(values - reach)), float(np.max(values + reach))
        return Estimate(float(values[1]), *bounds, CONFIDENCE, resampled.blocks).exp()

    def slope_change(self, resampled: Resampled) -> Estimate:
        """Difference of the time of a byte, above minus below."""
        value = float(self._slope_change(self.fit.points.seconds))
        reach = spread(self._slope_change(resampled.draws)) * student_quantile(resampled.blocks - 1)
        return Estimate.around(value, float(reach), CONFIDENCE, resampled.blocks)

    def _slope_change(self, seconds: Floats) -> Floats:
        ranks, one_byte = np.array(self.fit.points.ranks.max()), np.array(1.0)
        factors = [
            term.of(ranks, one_byte) if term.per_byte else np.array(0.0)
            for term in self.fit.form.terms
        ]
        above, below = (piece.fitted_to(seconds) for piece in (self.above, self.below))
        return np.asarray((above - below) @ np.array(factors))
