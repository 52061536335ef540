"""What fits would have been in other campaigns: whole blocks are drawn anew.

A launch's effects are shared by its sizes, and a block launches all numbers of ranks one after the
other, in what state the machine is then: only whole blocks are independent.

Sources: Davison and Hinkley 1997, section 2.3 (bootstrap of what is exchangeable); Kalibera and
Jones 2013 (of launches first).
"""

from __future__ import annotations

import numpy as np

from leadline.statistics.intervals import Floats

DRAWS = 200
"""Campaigns that are drawn."""
FARTHEST = 3.0
"""Standard deviations that a block may be off."""
MOST_STRAYS = 0.2
"""Of blocks: where more stray together, they are of another kind."""
FEWEST_SHARING = 3
"""Sizes: fewer don't tell what a block shares from what strays at one of them."""
_OF_ABSOLUTE = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation."""


def medians(values: Floats) -> Floats:
    """Over the last axis; nan is left out, nothing left: nan."""
    ordered = np.sort(values, axis=-1)  # nan comes last
    known = np.sum(~np.isnan(values), axis=-1)[..., None]
    places = np.maximum(known - 1, 0) // 2, np.minimum(known // 2, values.shape[-1] - 1)
    low, high = (np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in places)
    return np.asarray((low + high) / 2)


def drawn_in(values: Floats) -> Floats:
    """Values along the last axis, those far from their median moved to where strays are let.

    A few delayed blocks hardly move a median, but those of resamples that drew them often. Where
    more than half are alike, as by a clock that ticks coarsely, nothing tells what strays.
    """
    middle = medians(values)[..., None]
    reach = FARTHEST * _OF_ABSOLUTE * medians(np.abs(values - middle))[..., None]
    return np.where(reach > 0, np.clip(values, middle - reach, middle + reach), values)


def without_strays(blocks: Floats) -> Floats:
    """`blocks`, shape (ranks, sizes, blocks), those few drawn in that lie far from their median.

    What all sizes of a block share is another kind of launch where it is so in several blocks, and
    then stays: a campaign may well draw more of these.
    """
    logs = np.log(blocks)
    middle = medians(logs)[..., None]
    off = logs - middle
    enough = blocks.shape[1] >= FEWEST_SHARING
    shared = medians(off.swapaxes(1, 2))[:, None] if enough else np.zeros_like(off[:, :1])
    kept = drawn_in(shared)
    strays = np.sum(np.abs(kept - shared) > 0, axis=2, keepdims=True)
    few = strays <= MOST_STRAYS * np.sum(~np.isnan(shared), axis=2, keepdims=True)
    return np.asarray(np.exp(middle + np.where(few, kept, shared) + drawn_in(off - shared)))


def freedom(blocks: Floats) -> float:
    """Degrees of freedom of what all points of `blocks` scatter, together.

    Points that err alike tell as much as one, blocks less one; those that don't, so much each.
    Sources: Satterthwaite 1946; Bai and Saranadasa 1996 (the squares of a covariance, unbiased).
    """
    logs = np.log(without_strays(blocks)).reshape(-1, blocks.shape[2])
    known = ~np.isnan(logs)
    logs = logs[known.any(axis=1)][:, known.any(axis=0)]
    off = np.nan_to_num(logs - np.nanmean(logs, axis=1, keepdims=True))
    alone: float = logs.shape[1] - 1.0
    products = off.T @ off / alone
    total, squares = float(np.trace(products)), float(np.sum(products**2))
    if total == 0:
        return alone
    unbiased = alone**2 / ((alone - 1) * (alone + 2)) * (squares - total * total / alone)
    together = alone**2 / (alone + 2) * total * total / max(unbiased, total * total / len(off))
    return float(np.clip(together, alone, alone * len(off)))


def drawn_medians(blocks: Floats, seed: int) -> Floats:
    """Of resampled campaigns, shape (draws, ranks, sizes); `blocks` are (ranks, sizes, blocks).

    A point that was measured in none of the blocks drawn keeps its median of all.
    """
    measured = np.flatnonzero(~np.isnan(blocks).all(axis=(0, 1)))
    drawn = np.random.default_rng(seed).choice(measured, size=(DRAWS, measured.size))
    found = np.stack([medians(row[:, drawn]) for row in without_strays(blocks)])
    return np.where(np.isnan(found), medians(blocks)[..., None], found).transpose(2, 0, 1)


def spread(values: Floats) -> Floats:
    """The standard deviation of draws, along the first axis.

    Of all of them: those of few blocks have long tails, and their middle alone tells too little;
    strays were drawn in before.
    """
    return np.asarray(np.std(values, axis=0, ddof=1))


def covariance(draws: Floats) -> Floats:
    """Of coefficients, `draws` of shape (draws, terms); shape (terms, terms)."""
    return np.atleast_2d(np.cov(draws, rowvar=False))
