"""How a campaign's time is divided between blocks and visits: pure arithmetic.

In T seconds there is room for T / (S + n V) blocks of n visits, where S is the start-up of a block
and V what one visit to all its cells takes. A block's value varies by B + W / n: B is the variance
of what all visits of a block have in common, W that of a visit within it. So the variance of the
campaign's mean is (S + n V) (B + W / n) / T, least at n = sqrt(S / V * W / B).

Sources: Cochran 1977, section 10.6; Kalibera and Jones 2013, whose levels these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from leadline.statistics.intervals import Floats, weighted_row_medians

FEWEST_VISITS, USUAL_VISITS, MOST_VISITS = 4, 8, 24
FEWEST_LAUNCHES, MOST_LAUNCHES = 2, 4
"""Of each variant, alive together: of one alone, its own speed would be taken for the library's."""


@dataclass(frozen=True, slots=True)
class BlockCosts:
    """What a block takes, in seconds."""

    startup_s: float
    """All but its visits with one launch of each variant: start, warm-up and end."""
    launch_s: float
    """What one more launch of each variant adds."""
    visit_s: float
    """One visit to all cells."""

    def block_s(self, visits: int, launches: int) -> float:
        """A block of so many visits and launches of each variant."""
        return self.startup_s + (launches - 1) * self.launch_s + visits * self.visit_s


def mean_costs(costs: Sequence[BlockCosts]) -> BlockCosts:
    """Those of a block on the average of at least one."""
    return BlockCosts(
        fmean(one.startup_s for one in costs),
        fmean(one.launch_s for one in costs),
        fmean(one.visit_s for one in costs),
    )


@dataclass(frozen=True, slots=True)
class BlockLimits:
    """How many blocks a campaign is to have, or still to have."""

    fewest: int
    """Whatever they cost."""
    needed: int
    """For a clear difference to show among so many tests."""
    ample: int
    """For it to show although some blocks lie astray; a campaign with time left has no fewer."""
    most: int
    """More are of no use."""

    def after(self, done: int) -> BlockLimits:
        """What is left of them when so many are whole."""
        return BlockLimits(
            *(max(0, n - done) for n in (self.fewest, self.needed, self.ample, self.most))
        )


@dataclass(frozen=True, slots=True)
class Allotment:
    """How a campaign, or what is left of it, is divided."""

    blocks: int
    visits: int
    """Of each block."""
    launches: int
    """Of each variant, alive together; visits take turns with them."""


def optimal_visits(startup_s: float, visit_s: float, block_share: float) -> int:
    """The number of visits with which the mean varies least, within FEWEST and MOST_VISITS.

    `block_share` is B / W, the blocks' variance in units of the visits', from 0 up.
    """
    return min(
        range(FEWEST_VISITS, MOST_VISITS + 1),
        key=lambda visits: (startup_s + visits * visit_s) * (block_share + 1 / visits),
    )


def block_share(log_ratios: Floats, weights: Floats) -> float | None:
    """B / W, from the visits' log ratios, shape (rows, blocks, visits), nan where missing.

    `weights` are what visits count for, 0 where they don't. The two halves of a block's visits
    share what the block has: the covariance of their medians over blocks is B; their mean squared
    difference, over what it would be were W one, is W, of medians as verdicts take them, whatever
    the visits' distribution. Rows count alike, each in units of its own visits' spread. A negative
    estimate is 0. None where nothing can be said: it takes two blocks of FEWEST_VISITS in some row;
    blocks of fewer are left out, others cut to the visits that all have.
    Source: Kish 1965, section 8.2: as many equal visits as (sum w)^2 / sum w^2 tell as much.
    """
    rows, weights = _whole(log_ratios, weights)
    spread = _spread(rows, weights)
    rows, weights, spread = (one[spread > 0] for one in (rows, weights, spread))
    if not len(rows):
        return None
    half = rows.shape[2] // 2
    halves = [slice(half), slice(half, 2 * half)]
    first, second = (
        weighted_row_medians(rows[..., one], weights[..., one]) / spread[:, None] for one in halves
    )
    centred = [values - values.mean(axis=1, keepdims=True) for values in (first, second)]
    common = np.sum(centred[0] * centred[1], axis=1) / (rows.shape[1] - 1)
    told = sum(1 / _as_many(weights[..., one]) for one in halves)
    own = np.sum((first - second) ** 2, axis=1) / np.sum(told, axis=1)
    return max(0.0, float(common.mean() / own.mean())) if own.any() else None


def _whole(log_ratios: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The rows that have visits that count in both halves of all blocks, and their weights.

    Blocks have at least FEWEST_VISITS, and are cut to those that all have; none: shape (0, ...).
    """
    visits = np.sum(~np.isnan(log_ratios), axis=2).max(axis=0, initial=0)
    blocks = np.flatnonzero(visits >= FEWEST_VISITS)
    most = min(visits[blocks], default=0)
    kept = log_ratios[:, blocks, :most]
    counted = np.where(np.isnan(kept), 0, weights[:, blocks, :most])
    half = most // 2
    ends = np.minimum(counted[..., :half].sum(axis=2), counted[..., half : 2 * half].sum(axis=2))
    rows = (ends > 0).all(axis=1) & (len(blocks) > 1)
    return kept[rows], counted[rows]


def _as_many(weights: Floats) -> Floats:
    """How many visits of equal weight tell as much as the last axis of `weights`."""
    return np.asarray(weights.sum(axis=-1) ** 2 / (weights**2).sum(axis=-1))


def _spread(rows: Floats, weights: Floats) -> Floats:
    """Of each row's visits that count around their blocks' medians: the quartiles' distance."""
    if not rows.size:
        return np.zeros(len(rows))
    around = rows - weighted_row_medians(rows, weights)[..., None]
    low, high = np.nanquantile(np.where(weights > 0, around, np.nan), (0.25, 0.75), axis=(1, 2))
    return np.asarray(high - low, np.float64)


def allotted(left_s: float, limits: BlockLimits, costs: BlockCosts, wanted: Allotment) -> Allotment:
    """`wanted`, with as many blocks as there is time for.

    Where as many as are ample don't fit, visits are dropped down to USUAL_VISITS: a test over few
    blocks doesn't see what the mean gains by more of them. Where the blocks needed don't fit,
    launches are dropped down to FEWEST_LAUNCHES, then visits down to FEWEST_VISITS; where the
    fewest don't, visits down to 1. What is left over becomes visits.
    """
    goals = (
        (limits.ample, USUAL_VISITS, MOST_LAUNCHES),
        (limits.needed, FEWEST_VISITS, FEWEST_LAUNCHES),
        (limits.fewest, 1, FEWEST_LAUNCHES),
    )
    for blocks, fewest_visits, fewest_launches in goals:
        if blocks:
            wanted = _within(left_s / blocks, costs, wanted, (fewest_visits, fewest_launches))
    blocks = int(left_s // costs.block_s(wanted.visits, wanted.launches))
    blocks = min(max(blocks, limits.fewest), limits.most)
    return _filled(left_s, costs, replace(wanted, blocks=blocks))


def affordable(left_s: float, block_s: float, outside_s: float) -> tuple[int, bool]:
    """How many blocks end within `left_s`, and whether half the visits of one more do.

    A block takes `block_s`, of which `outside_s` lie outside of its visits.
    """
    whole, rest_s = divmod(max(left_s, 0.0), block_s)
    return int(whole), rest_s >= (outside_s + block_s) / 2


def _within(
    block_s: float, costs: BlockCosts, wanted: Allotment, fewest: tuple[int, int]
) -> Allotment:
    """`wanted`, cut until a block takes `block_s` or has only the `fewest` visits and launches."""
    visits, launches = wanted.visits, wanted.launches
    fewest_visits, fewest_launches = fewest
    while costs.block_s(visits, launches) > block_s:
        if launches > fewest_launches:
            launches -= 1
        elif visits > fewest_visits:
            visits -= 1
            launches = min(launches, visits)
        else:
            break
    return replace(wanted, visits=visits, launches=launches)


def _filled(left_s: float, costs: BlockCosts, found: Allotment) -> Allotment:
    """`found` with as many visits more as the time of its blocks has room for."""
    if not found.blocks:
        return found
    spare_s = left_s / found.blocks - costs.block_s(found.visits, found.launches)
    more = max(0, int(spare_s / costs.visit_s))
    return replace(found, visits=max(found.visits, min(found.visits + more, MOST_VISITS)))
