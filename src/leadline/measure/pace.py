"""How a campaign is divided, planned anew by what its first blocks show.

The plan expects. The first block says what a start-up and a visit take, and where shorter slices
do; three blocks say how much visits spread and how much blocks do, and twice as many say it better.
None of that tells which side is faster.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean

from leadline.measure.allotment import (
    USUAL_VISITS,
    Allotment,
    BlockCosts,
    allotted,
    block_share,
    mean_costs,
    optimal_visits,
)
from leadline.measure.plan import Plan
from leadline.statistics.intervals import Floats

BLOCKS_FOR_SPREAD = 3
"""Fewer say too little of the spread between blocks."""


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


class Pace:
    """Says before each block what it does, from what those before it took and showed."""

    def __init__(self, plan: Plan) -> None:
        """Before the first block, or the first after an interruption."""
        self._limits, self._expected = plan.limits, plan.costs
        self._measured: list[BlockCosts] = []
        self._visits, self._launches = USUAL_VISITS, plan.allotment.launches
        self._saved_s = 0.0
        self._revised = False

    def next(self, left_s: float, done: int) -> NextBlock:
        """With `left_s` left of the campaign's time, `done` blocks being whole."""
        limits = self._limits.after(done)
        wanted = Allotment(limits.needed, self._visits, self._launches)
        found = allotted(left_s, limits, self.costs, wanted)
        revised, self._revised = self._revised, False
        return NextBlock(
            found,
            usual_s=left_s / max(found.blocks, 1),
            most_s=left_s / max(limits.needed, 1),
            revised=revised,
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


def _due(blocks: int) -> bool:
    """Whether so many are 3, 6, 12, ..."""
    return blocks % BLOCKS_FOR_SPREAD == 0 and (blocks // BLOCKS_FOR_SPREAD).bit_count() == 1
