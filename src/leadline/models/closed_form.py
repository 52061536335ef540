"""Fits closed forms to what was measured: which, with which coefficients, and how sure.

One number of ranks gives a curve: Hockney's line, in as many pieces as its sizes show. Three and
more give a surface, the form of Hwang, Wang and Wang (1997, HPCA-3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from leadline.compare.origins import NOT_MEASURED
from leadline.compare.summaries import few_blocks
from leadline.models.breakpoints import Resampled, breakpoints_of
from leadline.models.fitting import Fit, PieceFit, Points, fit_of, relative_weights, searched
from leadline.models.model import Coefficient, HeldOut, Model, NotFitted, Piece
from leadline.models.observations import Observations
from leadline.models.resampling import covariance, drawn_medians, medians, spread
from leadline.models.scatter import noise_of, scatter_of, student_quantile
from leadline.models.segments import FEWEST_SIZES
from leadline.models.selection import CONSTANT, FEWEST_RANKS, Contender, chosen, trials
from leadline.record.caveats import Caveat
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import CONFIDENCE, Floats

FEWEST_BLOCKS = 6
"""Fewer give no interval of 95 %."""


def fit_each(observations: Observations, seed: int = 0) -> tuple[Model | NotFitted, ...]:
    """One model of all numbers of ranks where there are three or more, else one of each."""
    if len(observations.ranks) >= FEWEST_RANKS:
        return (fit(observations, seed),)
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
    trial = chosen(tried, None if draws is None else noise_of(draws))
    found = fit_of(trial.form, points)
    resampled = None if draws is None else _resampled(found, trial, draws, kept.blocks)
    return Model(
        variant=kept.variant,
        pattern=kept.pattern,
        buffers=kept.buffers,
        cadence=kept.cadence,
        threads=kept.threads,
        origin=kept.origin,
        ranks=kept.ranks,
        sizes_bytes=kept.sizes_bytes,
        blocks=kept.blocks,
        form=trial.form,
        pieces=tuple(
            (family, tuple(_piece(found, piece, kept.blocks, resampled) for piece in pieces))
            for family, pieces in found.families
        ),
        breakpoints=breakpoints_of(found, resampled),
        scatter=None if resampled is None else resampled.scatter,
        held_out=_held_out(trial, tried),
        caveats=tuple(_caveats(kept)),
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
    seconds = observations.seconds[~np.isnan(observations.seconds)]
    wrong = seconds[~(np.isfinite(seconds) & (seconds > 0))]
    if not seconds.size:
        return "nothing was measured"
    if wrong.size:
        return f"needs positive finite times, and one is {wrong[0]:g} s: measure again without it"
    if 1 < ranks < FEWEST_RANKS:
        return f"needs one number of ranks or at least {FEWEST_RANKS}, there are {ranks}"
    if ranks == 1 and sizes < FEWEST_SIZES:
        return (
            f"needs at least {FEWEST_SIZES} sizes at one number of ranks, or "
            f"{FEWEST_RANKS} numbers of ranks; there {'is' if sizes == 1 else 'are'} {sizes}"
        )
    return None


def _resampled(fit: Fit, trial: Contender, draws: Floats, blocks: int) -> Resampled:
    again = fit.points.with_seconds(draws)
    firsts = searched(fit.form, again, relative_weights(fit.points))
    return Resampled(draws, firsts, scatter_of(fit, trial, draws, blocks), blocks)


def _piece(fit: Fit, piece: PieceFit, blocks: int, resampled: Resampled | None) -> Piece:
    terms, sizes = fit.form.terms, fit.points.sizes_bytes
    drawn = None if resampled is None else piece.fitted_to(resampled.draws)
    values = [Estimate(value, n=blocks) for value in piece.coefficients.tolist()]
    if drawn is not None:
        freedom = int(piece.rows.sum()) * (blocks - 1)  # launches of different ranks are different
        reach = student_quantile(freedom) * spread(drawn)
        pairs = zip(piece.coefficients.tolist(), reach.tolist(), strict=True)
        values = [Estimate(v, v - r, v + r, CONFIDENCE, blocks) for v, r in pairs]
    return Piece(
        least_bytes=int(sizes[piece.first]),
        most_bytes=int(sizes[piece.end - 1]),
        coefficients=tuple(map(Coefficient, terms, values)),
        covariance=np.empty((0, 0)) if drawn is None else covariance(drawn),
    )


def _held_out(trial: Contender, tried: tuple[Contender, ...]) -> HeldOut:
    errors = np.abs(np.expm1(trial.errors))
    baseline = next(one for one in tried if one.form == CONSTANT)
    return HeldOut(
        median_error=float(np.nanmedian(errors)),
        p90_error=float(np.nanquantile(errors, 0.9)),
        baseline_error=float(np.nanmedian(np.abs(np.expm1(baseline.errors)))),
    )


def _caveats(observations: Observations) -> Iterator[Caveat]:
    if observations.origin is not Origin.MEASURED:
        yield NOT_MEASURED[observations.origin]
    elif observations.blocks < FEWEST_BLOCKS:
        yield few_blocks(observations.blocks)
