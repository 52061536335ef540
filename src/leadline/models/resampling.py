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


def drawn_medians(blocks: Floats, seed: int) -> Floats:
    """Of resampled campaigns, shape (draws, ranks, sizes); `blocks` are (ranks, sizes, blocks).

    A point that was measured in none of the blocks drawn keeps its median of all.
    """
    measured = np.flatnonzero(~np.isnan(blocks).all(axis=(0, 1)))
    drawn = np.random.default_rng(seed).choice(measured, size=(DRAWS, measured.size))
    found = np.stack([medians(row[:, drawn]) for row in drawn_in(blocks)])
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
