"""Scatter of another campaign's medians about a fitted curve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leadline.models.fitting import Fit
from leadline.models.model import Misfit, Residuals, Scatter
from leadline.models.resampling import spread
from leadline.models.residuals import best_share, corrected
from leadline.models.selection import ROUNDING, Contender, Noise
from leadline.statistics.intervals import CONFIDENCE, Floats


def student_quantile(freedom: float) -> float:
    """Quantile of Student's t that has 95 % between its negative and itself."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def noise_of(draws: Floats) -> Noise:
    """Noise of a campaign's medians, from resampled ones, shape (draws, ranks, sizes)."""
    logs = np.log(draws)
    shared = np.nanmean(logs, axis=2, keepdims=True)
    return Noise(_pooled(spread(logs - shared)), _pooled(spread(shared)))


@dataclass(frozen=True, slots=True)
class Explained:
    """Variation of resampled campaigns, standard deviations of logarithms."""

    noise: float
    """Variation of medians."""
    curve: float
    """Typical variation of the form."""
    residual: Floats
    """Variation of medians about the form, shape (ranks, sizes)."""
    freedom: float
    """Degrees of freedom of the noise."""
    left_out: Floats
    """Variation of the error of a point left out: shape (2, ranks, sizes), with its size and with
    its number of ranks."""


def explained(fit: Fit, draws: Floats | None, freedom: float) -> Explained:
    """Variation due to the noise of a point itself and of the other points.

    `draws` are medians of resampled campaigns; None: nothing was resampled, and nothing is
    explained. `freedom` is that of the noise.
    """
    if draws is None:
        nothing = np.zeros((2, *fit.points.seconds.shape))
        return Explained(0.0, 0.0, nothing[0], freedom, nothing)
    curves = fit.surface(draws)
    logs, fitted = np.log(draws), np.log(np.maximum(curves, draws / 10))
    noise, from_curve, residual = _pooled(spread(logs)), spread(fitted), spread(logs - fitted)
    with_size = residual / np.maximum(1 - fit.leverage, 0.1)
    with_ranks = np.hypot(noise, from_curve)
    return Explained(
        noise,
        float(np.nanmedian(from_curve)),
        residual,
        freedom,
        np.stack([with_size, with_ranks]),
    )


@dataclass(frozen=True, slots=True)
class Shares:
    """Share of residuals that is misfit, not noise, so that predictions add it."""

    each: Floats
    """Share at each point, shape (ranks, sizes)."""
    between_sizes: float
    """Typical share at numbers of ranks fitted."""
    between_ranks: float
    """Share at others, no more than the one that was best when numbers of ranks were left out."""


def shares_of(taken: Contender, explains: Explained) -> Shares:
    """Shares by the errors of points left out that neither their noise nor the others' explains."""
    misfit = _unexplained(taken.lesser, explains.left_out) ** 2
    if misfit <= ROUNDING**2:
        return Shares(np.zeros_like(explains.residual), 0.0, 0.0)
    typical = misfit / (misfit + _pooled(explains.residual) ** 2)
    between_ranks = best_share(taken.lesser[1], taken.lacking[1], typical)
    return Shares(misfit / (misfit + explains.residual**2), typical, between_ranks)


def residuals_of(fit: Fit, shares: Shares) -> Residuals | None:
    """Residuals that predictions add; None: nothing."""
    if not shares.between_sizes:
        return None
    lacking = fit.points.seconds - fit.surface(fit.points.seconds)
    between_ranks = shares.between_ranks / shares.between_sizes
    return Residuals(np.nan_to_num(shares.each * lacking), between_ranks)


def scatter_of(taken: Contender, shares: Shares, explains: Explained, blocks: int) -> Scatter:
    """Scatter about a fit's predictions.

    The error of a point left out is noise of its own, noise of the other points, and misfit of the
    form and the residuals beside it: whatever resampling doesn't explain is misfit.
    """
    groups = groups_left_out(taken.lesser)
    fewest = min(filter(None, groups), default=0)
    whole = _misfit(_unexplained(taken.lesser, explains.left_out), fewest, explains, blocks)
    typical = shares.between_sizes, shares.between_ranks
    parts = zip(taken.lesser, taken.lacking, typical, explains.left_out, groups, strict=True)
    between = [
        _misfit(_unexplained(corrected(errors, lacking, share), own), count, explains, blocks)
        if count
        else whole
        for errors, lacking, share, own, count in parts
    ]
    # errors at ranks left out are known at fitted sizes alone; others lie between sizes as well
    worse = max(between, key=lambda misfit: misfit.deviation * misfit.quantile)
    return Scatter(explains.noise, between[0], worse, whole, None)


def _misfit(deviation: float, groups: int, explains: Explained, blocks: int) -> Misfit:
    """Misfit of errors of `groups` left out, with the quantile for it, noise and curve together."""
    curve, noise = explains.curve**2, explains.noise**2
    # estimated from the same blocks: their errors add up, not their squares
    resampled = curve / math.sqrt(blocks - 1) + noise / math.sqrt(explains.freedom)
    left_out = deviation**2 / math.sqrt(max(groups - 1, 1))
    total = curve + noise + deviation**2
    freedom = total**2 / (resampled**2 + left_out**2) if total else blocks - 1.0
    return Misfit(deviation, student_quantile(freedom))


def _unexplained(errors: Floats, own: Floats) -> float:
    """Root mean square of `errors` beyond their `own` variation."""
    return math.sqrt(max(0.0, float(np.nanmean(errors**2 - own**2))))


def groups_left_out(errors: Floats) -> tuple[int, int]:
    """Numbers of sizes, and of numbers of ranks, left out: errors of a group have much in common.

    `errors` are of shape (2, ranks, sizes): with the size left out, with the ranks; nan: neither.
    """
    with_size, with_ranks = ~np.isnan(errors)
    return int(with_size.any(axis=0).sum()), int(with_ranks.any(axis=1).sum())


def _pooled(deviations: Floats) -> float:
    """Root mean square of `deviations`."""
    return float(np.sqrt(np.nanmean(deviations**2)))
