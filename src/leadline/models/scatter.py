"""How far another campaign's medians will lie from a curve."""

from __future__ import annotations

import numpy as np

from leadline.models.fitting import Fit
from leadline.models.model import Scatter
from leadline.models.resampling import spread
from leadline.models.selection import Contender, Noise
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


def scatter_of(fit: Fit, taken: Contender, draws: Floats, blocks: int) -> Scatter:
    """That of a fit's predictions; `draws` are medians of resampled campaigns.

    What a point left out was missed by is noise of its own, noise of the rest, and what the form
    lacks: whatever resampling doesn't explain is misfit.
    """
    curves = fit.surface(draws)
    logs, fitted = np.log(draws), np.log(np.maximum(curves, draws / 10))
    noise = _pooled(spread(logs))
    from_curve = spread(fitted)
    with_size = spread(logs - fitted) / np.maximum(1 - fit.leverage, 0.1)
    with_ranks = np.hypot(noise, from_curve)
    unexplained = taken.lesser**2 - np.stack([with_size, with_ranks]) ** 2
    misfit = float(np.sqrt(max(0.0, np.nanmean(unexplained))))
    resampled = np.nanmedian(from_curve) ** 2 + noise**2  # of the same blocks, which err in both
    parts = np.array([resampled, misfit**2])
    left_out = max(groups_left_out(taken.lesser) - 1, 1)
    freedom = np.array([blocks - 1, left_out])
    total = parts.sum()
    freedoms = total**2 / np.sum(parts**2 / freedom) if total else blocks - 1
    return Scatter(noise, misfit, student_quantile(float(freedoms)))


def groups_left_out(errors: Floats) -> int:
    """Of sizes or of numbers of ranks, whichever are fewer: those of one group err together.

    `errors` are of shape (2, ranks, sizes): with the size left out, with the ranks; nan: neither.
    """
    with_size, with_ranks = ~np.isnan(errors)
    kinds = int(with_size.any(axis=0).sum()), int(with_ranks.any(axis=1).sum())
    return min((groups for groups in kinds if groups), default=0)


def _pooled(deviations: Floats) -> float:
    """Their root mean square."""
    return float(np.sqrt(np.nanmean(deviations**2)))
