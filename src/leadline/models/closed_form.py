"""Fits closed forms to what was measured: which, with which coefficients, and how sure.

One number of ranks gives a curve: Hockney's line, in as many pieces as its sizes show. Three and
more give a surface, the form of Hwang, Wang and Wang (1997, HPCA-3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from leadline.compare.origins import REPEATED, not_measured
from leadline.compare.warnings import few_blocks
from leadline.models.breakpoints import Resampled, breakpoints_of
from leadline.models.fitting import Fit, PieceFit, Points, fit_of, relative_weights, searched
from leadline.models.model import (
    Coefficient,
    HeldOut,
    Model,
    NotFitted,
    Piece,
    Residuals,
    Scatter,
    subject_of,
)
from leadline.models.observations import Observations
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
from leadline.models.segments import FEWEST_SIZES
from leadline.models.selection import (
    CONSTANT,
    FEWEST_RANKS,
    Contender,
    Noise,
    chosen,
    trials,
)
from leadline.record.caveats import Caveat
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats
from leadline.statistics.permutation import fewest_blocks

MOST_OWN_ERROR, MOST_ERROR = math.log(2), math.log(1.5)
"""Of logarithms, of nine in ten points fitted and of the median of those left out: a form that is
further off would be believed for its coefficients, and predicts nothing."""
TINY_S, LONGEST_S = 1e-15, 1e12
"""No time is as short or as long, and no form's is taken to be shorter."""
MOST_SIZES = 160
"""Each is left out once of fits to all ranges of the others, which grow with the cube of them."""
OF_CALLS = (
    "closed forms are of calls, not of applications: fit the patterns that it calls, and give "
    "leadline predict what it computes (--work) and calls (--calls)"
)
FEWEST_BLOCKS = fewest_blocks(1)
"""Fewer give no interval of 95 %."""


def fit_each(observations: Observations, seed: int = 0) -> tuple[Model | NotFitted, ...]:
    """One model of all numbers of ranks where there are three or more, else one of each.

    None of an application: forms are of calls, and have no term for work that ranks share.
    """
    if observations.computes:
        return (NotFitted(observations.variant, observations.pattern, OF_CALLS),)
    if len(observations.ranks) >= FEWEST_RANKS:
        return (fit(observations, seed),)
    if observations.ranks and len(observations.sizes_bytes) < FEWEST_SIZES:
        return (NotFitted(observations.variant, observations.pattern, _too_few(observations)),)
    return tuple(fit(_at(observations, row), seed) for row in range(len(observations.ranks)))


def fit(observations: Observations, seed: int = 0) -> Model | NotFitted:
    """The closed form of one number of ranks, or of three and more.

    Algorithms and aggregate bandwidth aren't looked for. `seed` makes what is drawn repeatable.
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
    taken, found = best
    explains = explained(found, draws, 0.0 if draws is None else freedom(kept.seconds))
    shares = shares_of(taken, explains)
    resampled = None
    if draws is not None:
        scatter = scatter_of(taken, shares, explains, kept.blocks)
        resampled = _resampled(found, draws, scatter, kept.blocks)
    residuals = residuals_of(found, shares)
    return _model(kept, found, resampled, residuals, _held_out(taken, shares, tried))


def _model(
    observations: Observations,
    fit: Fit,
    resampled: Resampled | None,
    residuals: Residuals | None,
    held_out: HeldOut,
) -> Model:
    return Model(
        **subject_of(observations),
        ranks=observations.ranks,
        sizes_bytes=observations.sizes_bytes,
        blocks=observations.blocks,
        form=fit.form,
        pieces=tuple(
            (family, tuple(_piece(fit, piece, observations.blocks, resampled) for piece in pieces))
            for family, pieces in fit.families
        ),
        breakpoints=breakpoints_of(fit, resampled),
        residuals=residuals,
        scatter=None if resampled is None else resampled.scatter,
        held_out=held_out,
        caveats=tuple(_caveats(observations)),
    )


def _at(observations: Observations, row: int) -> Observations:
    ranks, seconds = observations.ranks[row], observations.seconds[row : row + 1]
    return replace(observations, ranks=(ranks,), seconds=seconds)


def _measured(observations: Observations) -> Observations:
    """Without numbers of ranks and sizes that nothing was measured at."""
    missing = np.all(np.isnan(observations.seconds), axis=2)
    rows, columns = ~np.all(missing, axis=1), ~np.all(missing, axis=0)
    return replace(
        observations,
        ranks=tuple(np.array(observations.ranks)[rows].tolist()),
        sizes_bytes=tuple(np.array(observations.sizes_bytes)[columns].tolist()),
        seconds=observations.seconds[rows][:, columns],
    )


def _refusal(observations: Observations) -> str | None:
    """Why no form can be fitted to these; None: one can."""
    ranks, sizes = len(observations.ranks), len(observations.sizes_bytes)
    seconds = observations.seconds
    if not ranks:
        return "nothing was measured"
    wrong = np.argwhere(~np.isnan(seconds) & ~((seconds > TINY_S) & (seconds < LONGEST_S)))
    if wrong.size:
        p, m, block = wrong[0].tolist()
        where = f"{observations.sizes_bytes[m]:,} B on {observations.ranks[p]} ranks"
        return f"needs positive finite times, and one at {where} is {seconds[p, m, block]:g} s"
    if 1 < ranks < FEWEST_RANKS:
        return f"needs one number of ranks or at least {FEWEST_RANKS}, there are {ranks}"
    if ranks == 1 and sizes < FEWEST_SIZES:
        return _too_few(observations)
    if sizes > MOST_SIZES:
        return (
            f"is fitted to {MOST_SIZES} sizes at most, there are {sizes:,}: measure fewer --sizes"
        )
    return None


def _too_few(observations: Observations) -> str:
    """What there is of one number of ranks, or two, and what would do."""
    ranks, sizes = list(observations.ranks), len(observations.sizes_bytes)
    on = " and ".join(f"{one:,}" for one in ranks)
    while len(ranks) < FEWEST_RANKS:
        ranks.append(2 * ranks[-1])
    more = f"--ranks {','.join(map(str, ranks))}"
    if observations.sizes_bytes == (0,):
        return (
            f"has no sizes, so that it needs at least {FEWEST_RANKS} numbers of ranks; measured "
            f"was {on} alone: measure with {more}"
        )
    return (
        f"needs at least {FEWEST_SIZES} sizes or {FEWEST_RANKS} numbers of ranks; measured "
        f"{'were' if sizes > 1 else 'was'} {sizes} size{'s' * (sizes > 1)} on {on} ranks alone: "
        f"measure with --sizes 8,512,64KiB,1MiB, or {more}"
    )


def _best(
    tried: Sequence[Contender], points: Points, noise: Noise | None
) -> tuple[Contender, Fit] | str:
    """The form to take, of those that say enough of their points; a text: why there is none."""
    taken = chosen(tried, noise)
    found = fit_of(taken.form, points)
    reason = _no_form(found, taken)
    if reason is None:
        return taken, found
    others = [one for one in tried if one.form.size > taken.form.size]
    further = _best(others, points, noise) if others else reason
    return reason if isinstance(further, str) else further


def _no_form(fit: Fit, taken: Contender) -> str | None:
    """Why the form says too little of its own points, or of those left out, to be given."""
    points = fit.points
    own = np.abs(np.log(np.maximum(fit.surface(points.seconds), TINY_S) / points.seconds))
    worst, typical = np.nanquantile(own, 0.9), np.nanmedian(np.abs(taken.errors))
    if worst <= MOST_OWN_ERROR and typical <= MOST_ERROR:
        return None
    where = "its own points" if worst > MOST_OWN_ERROR else "what is left out"
    error = worst if worst > MOST_OWN_ERROR else typical
    ranks, sizes = points.seconds.shape
    return (
        f"no closed form fits {sizes} size{'s' * (sizes != 1)} on {ranks} number"
        f"{'s' * (ranks != 1)} of ranks: the best, {fit.form.name}, is {math.exp(error):.2g} times "
        f"off at {where}; measure more sizes, or numbers of ranks that behave alike"
    )


def _resampled(fit: Fit, draws: Floats, scatter: Scatter, blocks: int) -> Resampled:
    again = fit.points.with_seconds(draws)
    firsts = searched(fit.form, again, relative_weights(fit.points))
    return Resampled(draws, firsts, scatter, blocks)


def _piece(fit: Fit, piece: PieceFit, blocks: int, resampled: Resampled | None) -> Piece:
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
    typical = np.array([shares.between_sizes, shares.between_ranks])[:, None, None]
    errors = _relative(corrected(taken.errors, taken.lacking, typical))
    baseline = _relative(next(one.errors for one in tried if one.form == CONSTANT))
    return HeldOut(
        median_error=float(np.nanmedian(errors)),
        p90_error=float(np.nanquantile(errors, 0.9)),
        form_error=float(np.nanmedian(_relative(taken.errors))),
        baseline_error=float(np.nanmedian(baseline)),
        baseline_p90_error=float(np.nanquantile(baseline, 0.9)),
    )


def _relative(logs: Floats) -> Floats:
    return np.asarray(np.expm1(np.abs(logs)))


def _caveats(observations: Observations) -> Iterator[Caveat]:
    said = not_measured(observations.origin, observations.blocks > 0)
    if said is not None:
        yield said
    if said in (None, REPEATED) and observations.blocks < FEWEST_BLOCKS:
        yield few_blocks(observations.blocks)
