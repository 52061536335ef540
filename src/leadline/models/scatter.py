"""How far another campaign's medians will lie from a curve."""

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
    """That leaves 95 % of Student's t between its negative and itself."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def noise_of(draws: Floats) -> Noise:
    """That of a campaign's medians, by resampled ones: (draws, ranks, sizes)."""
    logs = np.log(draws)
    shared = np.nanmean(logs, axis=2, keepdims=True)
    return Noise(_pooled(spread(logs - shared)), _pooled(spread(shared)))


@dataclass(frozen=True, slots=True)
class Explained:
    """What resampled campaigns differ by, standard deviations of logarithms."""

    noise: float
    """Of medians."""
    curve: float
    """Of the form, typically."""
    residual: Floats
    """Of medians from the form, shape (ranks, sizes)."""
    freedom: float
    """Degrees of freedom of the noise."""
    left_out: Floats
    """Of what a point is missed by if it is left out: shape (2, ranks, sizes), with its size and
    with its number of ranks."""


def explained(fit: Fit, draws: Floats | None, freedom: float) -> Explained:
    """By noise of a point's own and of the rest; `draws` are medians of resampled campaigns.

    None: nothing was resampled, and nothing is explained. `freedom` is that of the noise.
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
    """Which share of residuals is misfit, not noise, so that predictions add it."""

    each: Floats
    """Of each point, shape (ranks, sizes)."""
    between_sizes: float
    """Typical at numbers of ranks fitted."""
    between_ranks: float
    """At others, where it is no more than helped most when some were left out."""


def shares_of(taken: Contender, explains: Explained) -> Shares:
    """By the misfit of points that were left out, which their own noise and the rest's leaves."""
    misfit = _unexplained(taken.lesser, explains.left_out) ** 2
    if misfit <= ROUNDING**2:
        return Shares(np.zeros_like(explains.residual), 0.0, 0.0)
    typical = misfit / (misfit + _pooled(explains.residual) ** 2)
    between_ranks = best_share(taken.lesser[1], taken.lacking[1], typical)
    return Shares(misfit / (misfit + explains.residual**2), typical, between_ranks)


def residuals_of(fit: Fit, shares: Shares) -> Residuals | None:
    """What predictions add; None: nothing."""
    if not shares.between_sizes:
        return None
    lacking = fit.points.seconds - fit.surface(fit.points.seconds)
    between_ranks = shares.between_ranks / shares.between_sizes
    return Residuals(np.nan_to_num(shares.each * lacking), between_ranks)


def scatter_of(taken: Contender, shares: Shares, explains: Explained, blocks: int) -> Scatter:
    """That of a fit's predictions.

    What a point left out was missed by is noise of its own, noise of the rest, and what the form
    and residuals beside it lack: whatever resampling doesn't explain is misfit.
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
    # of ranks left out errors are known at sizes fitted alone, and others lie between these too
    worse = max(between, key=lambda one: one.deviation * one.quantile)
    return Scatter(explains.noise, between[0], worse, whole)


def _misfit(deviation: float, groups: int, explains: Explained, blocks: int) -> Misfit:
    """That of errors of so many groups left out, and the quantile of it with noise and curve."""
    curve, noise = explains.curve**2, explains.noise**2
    # of the same blocks, which err in both: their errors add up, not their squares
    resampled = curve / math.sqrt(blocks - 1) + noise / math.sqrt(explains.freedom)
    left_out = deviation**2 / math.sqrt(max(groups - 1, 1))
    total = curve + noise + deviation**2
    freedom = total**2 / (resampled**2 + left_out**2) if total else blocks - 1.0
    return Misfit(deviation, student_quantile(freedom))


def _unexplained(errors: Floats, own: Floats) -> float:
    return math.sqrt(max(0.0, float(np.nanmean(errors**2 - own**2))))


def groups_left_out(errors: Floats) -> tuple[int, int]:
    """Sizes, and numbers of ranks, that were left out: errors of one group have much in common.

    `errors` are of shape (2, ranks, sizes): with the size left out, with the ranks; nan: neither.
    """
    with_size, with_ranks = ~np.isnan(errors)
    return int(with_size.any(axis=0).sum()), int(with_ranks.any(axis=1).sum())


def _pooled(deviations: Floats) -> float:
    """Their root mean square."""
    return float(np.sqrt(np.nanmean(deviations**2)))
