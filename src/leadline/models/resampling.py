"""Resampling of campaigns by drawing whole blocks with replacement.

A launch's effects are shared by its sizes, and a block launches all numbers of ranks one after the
other, in the state that the machine is in then: only whole blocks are independent.

Sources: Davison and Hinkley 1997, section 2.3 (bootstrap of exchangeable values); Kalibera and
Jones 2013 (launches are resampled first).
"""

from __future__ import annotations

import numpy as np

from leadline.statistics.intervals import Floats

DRAWS = 200
"""Number of campaigns drawn."""
FARTHEST = 3.0
"""Standard deviations that a block may deviate by."""
MOST_STRAYS = 0.2
"""Largest share of stray blocks: where more stray together, they are of another kind."""
FEWEST_SHARING = 3
"""Fewest sizes that separate what a block shares from what strays at one of them."""
_OF_ABSOLUTE = 1.4826
"""Ratio of the standard deviation of a normal distribution to its median absolute deviation."""


def medians(values: Floats) -> Floats:
    """Medians over the last axis; nan is left out; nothing left: nan."""
    ordered = np.sort(values, axis=-1)  # nan comes last
    known = np.sum(~np.isnan(values), axis=-1)[..., None]
    places = np.maximum(known - 1, 0) // 2, np.minimum(known // 2, values.shape[-1] - 1)
    low, high = (np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in places)
    return np.asarray((low + high) / 2)


def drawn_in(values: Floats) -> Floats:
    """Values along the last axis, clipped to FARTHEST standard deviations from their median.

    A few delayed blocks hardly move a median, but they move those of resamples that drew them
    often. Where more than half are equal, as by a clock of coarse resolution, nothing is clipped.
    """
    middle = medians(values)[..., None]
    reach = FARTHEST * _OF_ABSOLUTE * medians(np.abs(values - middle))[..., None]
    return np.where(reach > 0, np.clip(values, middle - reach, middle + reach), values)


def without_strays(blocks: Floats) -> Floats:
    """`blocks`, shape (ranks, sizes, blocks), with the few that lie far from their median clipped.

    A deviation that all sizes of a block share, and several blocks have, is another kind of launch,
    and stays: a campaign may well draw more of these.
    """
    logs = np.log(blocks)
    middle = medians(logs)[..., None]
    deviations = logs - middle
    shared = np.zeros_like(deviations[:, :1])
    if blocks.shape[1] >= FEWEST_SHARING:
        shared = medians(deviations.swapaxes(1, 2))[:, None]
    kept = drawn_in(shared)
    strays = np.sum(np.abs(kept - shared) > 0, axis=2, keepdims=True)
    few = strays <= MOST_STRAYS * np.sum(~np.isnan(shared), axis=2, keepdims=True)
    own = drawn_in(deviations - shared)
    return np.asarray(np.exp(middle + np.where(few, kept, shared) + own))


def freedom(blocks: Floats) -> float:
    """Degrees of freedom of the scatter of all points of `blocks` together.

    Points with equal errors count as one, number of blocks less one; independent ones add up.
    Sources: Satterthwaite 1946; Bai and Saranadasa 1996 (the squares of a covariance, unbiased).
    """
    logs = np.log(without_strays(blocks)).reshape(-1, blocks.shape[2])
    known = ~np.isnan(logs)
    logs = logs[known.any(axis=1)][:, known.any(axis=0)]
    deviations = np.nan_to_num(logs - np.nanmean(logs, axis=1, keepdims=True))
    alone: float = logs.shape[1] - 1.0
    products = deviations.T @ deviations / alone
    total, squares = float(np.trace(products)), float(np.sum(products**2))
    if total == 0:
        return alone
    unbiased = alone**2 / ((alone - 1) * (alone + 2)) * (squares - total * total / alone)
    together = alone**2 / (alone + 2) * total * total / max(unbiased, total * total / len(logs))
    return float(np.clip(together, alone, alone * len(logs)))


def drawn_medians(blocks: Floats, seed: int) -> Floats:
    """Medians of resampled campaigns, shape (draws, ranks, sizes), of (ranks, sizes, blocks).

    A point that was measured in none of the blocks drawn keeps its median of all.
    """
    measured = np.flatnonzero(~np.isnan(blocks).all(axis=(0, 1)))
    drawn = np.random.default_rng(seed).choice(measured, size=(DRAWS, measured.size))
    resampled = np.stack([medians(row[:, drawn]) for row in without_strays(blocks)])
    every = np.where(np.isnan(resampled), medians(blocks)[..., None], resampled)
    return every.transpose(2, 0, 1)


def spread(values: Floats) -> Floats:
    """Standard deviation of draws, along the first axis.

    All draws count: those of few blocks have long tails, and their middle alone shows too little;
    stray blocks were clipped before.
    """
    return np.asarray(np.std(values, axis=0, ddof=1))


def covariance(draws: Floats) -> Floats:
    """Covariance of coefficients, shape (terms, terms), from `draws`, shape (draws, terms)."""
    return np.atleast_2d(np.cov(draws, rowvar=False))
