"""How a campaign is divided, planned anew by what its first blocks show.

The plan expects. The first block says what a start-up and a visit take, and where shorter slices
do; three blocks say how much visits spread and how much blocks do, and twice as many say it better.
None of that tells which side is faster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import fmean

from leadline.measure.allotment import (
    FEWEST_LAUNCHES,
    FEWEST_VISITS,
    USUAL_VISITS,
    Allotment,
    BlockCosts,
    BlockLimits,
    affordable,
    allotted,
    block_share,
    mean_costs,
    optimal_visits,
)
from leadline.measure.plan import Plan
from leadline.statistics.intervals import Floats

BLOCKS_FOR_SPREAD = 3
"""Fewer say too little of the spread between blocks."""
OVER_BUDGET = 0.1
"""The share of a budget that is kept by which the fewest blocks may exceed it."""


@dataclass(frozen=True, slots=True)
class BlockTimes:
    """What a block took, in seconds."""

    whole_s: float
    launches: int
    """Of each variant, alive together."""
    visits_s: tuple[tuple[float, ...], ...]
    """Of each party of launches that was alive together each visit."""

    def costs(self, known: BlockCosts) -> BlockCosts:
        """What its start-up and a visit cost, given what was `known` before; some were visited.

        A launch's first visit warms it up, which counts as start-up: later visits say what one
        takes. Where there are none, no more is taken for one than is known.
        """
        parties = [party for party in self.visits_s if party]
        later = [party[self.launches :] for party in parties]
        visit_s = sum(fmean(some or party) for some, party in zip(later, parties, strict=True))
        if not all(later):
            visit_s = min(visit_s, known.visit_s)
        visits = fmean(map(len, parties))
        startup_s = self.whole_s - visits * visit_s - (self.launches - 1) * known.launch_s
        return BlockCosts(max(startup_s, 0.0), known.launch_s, visit_s)


@dataclass(frozen=True, slots=True)
class Shortfall:
    """That a campaign, at its pace, ends with fewer blocks than it needs, or late.

    Or with as many as it needs, where something else was told before.
    """

    budget_s: float
    blocks: int
    """Whole ones that it ends with, from its beginning."""
    in_part: bool
    """Whether some of its cells get one more."""
    fewest: int
    """With fewer there are no intervals."""
    needed: int
    """For a clear difference to show among so many tests."""
    enough_s: float
    """What the fewest blocks would take from its beginning; where it has those: the needed ones."""
    kept: bool
    """Whether it ends with its budget; else it goes on to the fewest blocks."""


@dataclass(frozen=True, slots=True)
class NextBlock:
    """What the next block does, and how long it may take."""

    allotment: Allotment
    """Of what is left, with it; without blocks: the campaign is over."""
    usual_s: float
    """Its share where all the blocks that there is time for take the same."""
    most_s: float
    """Its share where no more than the blocks needed follow."""
    revised: bool
    """Whether the blocks so far showed something since the last one was asked for."""
    end_s: float = math.inf
    """After which the campaign begins no cell any more."""
    hurried: bool = False
    """Whether it ends before the fewest blocks are whole, so that nothing is taken again."""
    expected_s: float = 0.0
    """What this block and those after it take, about."""
    shortfall: Shortfall | None = None
    """None: there is none, or no other one than was told before."""

    @property
    def is_bound(self) -> bool:
        """Whether the campaign's time ends it before its fewest blocks are whole."""
        return math.isfinite(self.end_s)


class Pace:
    """Says before each block what it does, from what those before it took and showed."""

    def __init__(self, plan: Plan, budget_s: float = 0.0, kept: bool = False) -> None:
        """Before the first block, or the first after an interruption.

        Args:
            plan: What is measured.
            budget_s: Of the whole campaign.
            kept: Whether it ends by then, but for OVER_BUDGET; else after the fewest blocks.
        """
        self._limits, self._expected = plan.limits, plan.costs
        self._counted = plan.limits.fewest == plan.limits.most
        self._budget_s, self._kept = budget_s, kept and not self._counted
        self._told = _sufficiency(plan.allotment.blocks, plan.limits)
        self._fell_short = False
        """Whether a shortfall was told."""
        self._measured: list[BlockCosts] = []
        self._visits, self._launches = USUAL_VISITS, plan.allotment.launches
        self._saved_s = 0.0
        self._outside_s: float | None = None
        """What the last block took beside its visits, first ones too; None: there was none."""
        self._revised = False

    def next(self, left_s: float, done: int) -> NextBlock:
        """With `left_s` left of the campaign's time, `done` blocks being whole."""
        limits = self._limits.after(done)
        wanted = Allotment(limits.needed, self._visits, self._launches)
        found = allotted(left_s, limits, self.costs, wanted)
        fewest_s = limits.fewest * self.costs.block_s(found.visits, found.launches)
        over_s = OVER_BUDGET * self._budget_s
        late = not self._counted and fewest_s > left_s + over_s
        hurried, revised = self._kept and late, self._revised
        whole, in_part = self._affordable(left_s, found) if late else (found.blocks, False)
        if hurried:
            found = replace(found, blocks=max(whole + in_part, not done))
        self._revised = False
        blocks = max(found.blocks, 1)
        return NextBlock(
            found,
            usual_s=left_s / blocks,
            most_s=left_s / (blocks if hurried else max(limits.needed, 1)),
            revised=revised,
            end_s=left_s + over_s * (not hurried) if self._kept else math.inf,
            hurried=hurried,
            expected_s=self._expected_s(left_s, found, hurried),
            shortfall=self._shortfall(left_s, done, whole, in_part),
        )

    def _affordable(self, left_s: float, each: Allotment) -> tuple[int, bool]:
        """Whole blocks as `each` that there is time for, and whether there is for half of one."""
        outside_s = self.costs.block_s(0, each.launches)
        if self._outside_s is not None:
            outside_s = min(outside_s, self._outside_s)
        return affordable(left_s, self.costs.block_s(each.visits, each.launches), outside_s)

    def _expected_s(self, left_s: float, found: Allotment, hurried: bool) -> float:
        """What `found` takes at the pace so far, no more than is left where that ends it."""
        expected_s = found.blocks * self.costs.block_s(found.visits, found.launches)
        return min(expected_s, max(left_s, 0.0)) if hurried else expected_s

    def _shortfall(self, left_s: float, done: int, whole: int, in_part: bool) -> Shortfall | None:
        """That of a campaign with so many `whole` blocks after those `done`, told once a kind.

        Where one was told that turns out to be none, or a lesser one, that is told as well; not of
        a campaign that goes on beyond its budget.
        """
        limits, blocks = self._limits, done + whole
        suffices = _sufficiency(blocks, limits)
        taken_back = self._fell_short and self._kept
        if suffices == self._told or (suffices > self._told and not taken_back):
            return None
        self._told, self._fell_short = suffices, True
        wanted = limits.fewest if blocks < limits.fewest else limits.needed
        each_s = self.costs.block_s(*_least(blocks < limits.fewest))
        return Shortfall(
            budget_s=self._budget_s,
            blocks=blocks,
            in_part=in_part,
            fewest=limits.fewest,
            needed=limits.needed,
            enough_s=self._budget_s - left_s + (wanted - done) * each_s,
            kept=self._kept,
        )

    @property
    def costs(self) -> BlockCosts:
        """Of a block: the mean of those measured, without the first where there are others."""
        if len(self._measured) > 1:
            return mean_costs(self._measured[1:])
        if not self._measured:
            return self._expected
        (first,) = self._measured
        return replace(first, visit_s=max(first.visit_s - self._saved_s, first.visit_s / 2))

    def took(self, times: BlockTimes) -> None:
        """Takes in what a block took; one in which nothing was visited says nothing."""
        if any(times.visits_s):
            self._revised |= not self._measured
            self._measured.append(times.costs(self.costs))
            self._outside_s = max(0.0, times.whole_s - sum(map(sum, times.visits_s)))

    def shortened(self, saved_s: float) -> None:
        """Takes in by how much visits are shorter from the second block on than in the first."""
        self._saved_s = saved_s

    def spread(self, log_ratios: Floats, weights: Floats) -> None:
        """Takes in the visits' log ratios of all blocks, shape (rows, blocks, visits).

        `weights` are what they count for. Three blocks say how many visits are best, and say it
        anew each time that there are twice as many.
        """
        blocks = log_ratios.shape[1]
        share = block_share(log_ratios, weights) if _due(blocks) else None
        if share is not None:
            startup_s = self.costs.block_s(0, self._launches)
            self._visits = optimal_visits(startup_s, self.costs.visit_s, share)
            self._revised = True


def _sufficiency(blocks: int, limits: BlockLimits) -> int:
    """2: as many as are needed, 1: intervals without that, 0: not even these."""
    return (blocks >= limits.fewest) + (blocks >= limits.needed)


def _least(of_fewest: bool) -> tuple[int, int]:
    """Visits and launches to which a block is cut, for as many as are fewest, or needed."""
    return (1, 1) if of_fewest else (FEWEST_VISITS, FEWEST_LAUNCHES)


def _due(blocks: int) -> bool:
    """Whether so many are 3, 6, 12, ..."""
    return blocks % BLOCKS_FOR_SPREAD == 0 and (blocks // BLOCKS_FOR_SPREAD).bit_count() == 1
