"""What fits into a budget: how many blocks, launches and visits, how long a slice.

A campaign is blocks x (start-up + visits x cells x variants x slice). What a budget too small for
six blocks has no room for is dropped before: see `dropping`. One too small for as many blocks as
the tests over all cells need says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backends.kinds.kind import USUAL_BYTES_PER_S
from leadline.measure.allotment import (
    FEWEST_LAUNCHES,
    FEWEST_VISITS,
    MOST_LAUNCHES,
    USUAL_VISITS,
    Allotment,
    BlockCosts,
    BlockLimits,
    allotted,
)
from leadline.measure.cells import PlannedCell
from leadline.measure.order import Order
from leadline.measure.problems import solving_s
from leadline.measure.residency import Residency
from leadline.record.caveats import Caveat, CaveatKind
from leadline.statistics.permutation import ample_blocks, fewest_blocks, tests_of

FEWEST_BLOCKS = 6
"""Below this no 95 % interval exists (of 5 values all lie on one side of the median in 1 of 16)."""
USUAL_BLOCKS = 8
MOST_BLOCKS = 64
SLICES_S = (0.005, 0.004, 0.003)
"""The longest that fits is taken."""
SLICE_OVERHEAD_S = 0.003
"""Command, validation, warm-up, gathering and journal of one slice, about."""
LARGE_OPERATIONS = 16
"""Operations that a slice needs at least, whatever one takes: validation, warm-up, batches."""
LINK_OPERATIONS = 26
"""Messages that a slice of slow ones has, one after the other: 13 round trips in five batches, two
of a warm-up and validation, as measured on an emulated Ethernet of 10 Mbit/s."""
LAUNCH_S = 0.05
"""What one more launch beside the others adds to their start-up, about."""


@dataclass(frozen=True, slots=True)
class Spending:
    """How a budget is spent."""

    limits: BlockLimits
    costs: BlockCosts
    """As they are expected."""
    allotment: Allotment
    slice_s: float
    caveats: tuple[Caveat, ...]


@dataclass(frozen=True, slots=True)
class Costs:
    """What the parts of a block take, in seconds."""

    groups: int
    """Numbers of ranks, each with launches of its own."""
    ranks: int
    """The largest of them."""
    variants: int
    """With launches of their own."""
    first_startup_s: float
    """Of a launch of every variant together."""
    residency: Residency
    link_bytes_per_s: float = math.inf
    """Of the slowest link between hosts."""
    link_delay_s: float = 0.0
    cores: int = 1
    """That the fewest ranks sit on."""
    bytes_per_s: Mapping[str, float] = field(default_factory=dict)
    """What the variants' libraries move at least, of those that aren't as quick as usual."""

    def of_block(self, cells: Sequence[PlannedCell], slice_s: float) -> BlockCosts:
        """Of a block, with all numbers of ranks; slow operations stretch their slices."""
        # Each number of threads has launches of its own.
        levels = len({planned.pattern.threads for planned in cells})
        parties = 1 if self.residency.together else self.variants
        visit_s = sum(self.visit_s(planned, slice_s) for planned in cells)
        return BlockCosts(
            startup_s=self.groups * levels * parties * self.first_startup_s,
            launch_s=self.groups * levels * self.variants * LAUNCH_S,
            visit_s=self.groups * visit_s,
        )

    def visit_s(self, planned: PlannedCell, slice_s: float) -> float:
        """Of one cell under all its variants."""
        return sum(
            max(slice_s, self._least_s(planned, variant)) + SLICE_OVERHEAD_S
            for variant in planned.variants
        )

    def least_s(self, cells: Sequence[PlannedCell]) -> float:
        """The shortest campaign that has intervals."""
        return FEWEST_BLOCKS * self.of_block(cells, SLICES_S[-1]).block_s(1, 1)

    def _least_s(self, planned: PlannedCell, variant: str) -> float:
        """What a slice takes however short it is asked to be, over its library and the link."""
        moved = planned.message_bytes(self.ranks)
        over_link_s = self.link_delay_s + moved / self.link_bytes_per_s
        computing_s = solving_s(planned.problem, self.cores) if planned.problem else 0.0
        return max(
            LARGE_OPERATIONS * moved / self.bytes_per_s.get(variant, USUAL_BYTES_PER_S),
            LINK_OPERATIONS * over_link_s,
            computing_s,
        )


def most_tests(cells: Sequence[PlannedCell], raw: Collection[str]) -> int:
    """Of the largest family: a pattern's cells and their average, for all pairs of variants.

    But for those of `raw` backends, which are no competitors: each pair with one of these is a
    family by itself.
    """
    families = Counter(planned.choice.label for planned in cells)
    return max(
        tests_of(families[planned.choice.label])
        * max(1, math.comb(len(set(planned.variants) - set(raw)), 2))
        for planned in cells
    )


def limits_of(counted: int | None, tests: int) -> BlockLimits:
    """Those of a campaign whose blocks the user `counted`, or whose largest family has `tests`."""
    if counted:
        return BlockLimits(counted, counted, counted, counted)
    needed = max(USUAL_BLOCKS, fewest_blocks(tests))
    return BlockLimits(FEWEST_BLOCKS, needed, max(needed, ample_blocks(tests)), MOST_BLOCKS)


def spending_of(
    order: Order, costs: Costs, cells: Sequence[PlannedCell], raw: Collection[str] = ()
) -> Spending:
    """How the budget is spent; the longest slices with which the blocks needed fit are taken.

    `raw` are the variants of raw backends.
    """
    limits = limits_of(order.blocks, most_tests(cells, raw))
    needed = limits.needed
    least_s = {
        slice_s: needed * costs.of_block(cells, slice_s).block_s(FEWEST_VISITS, FEWEST_LAUNCHES)
        for slice_s in SLICES_S
    }
    slice_s = next((s for s in SLICES_S if least_s[s] <= order.budget_s), SLICES_S[-1])
    block = costs.of_block(cells, slice_s)
    wanted = Allotment(needed, USUAL_VISITS, min(MOST_LAUNCHES, costs.residency.launches))
    found = allotted(order.budget_s, limits, block, wanted)
    room = f"{order.budget_s:g} s have room for {found.blocks} blocks"
    few = _few_for_tests(room, needed, least_s[slice_s])
    return Spending(limits, block, found, slice_s, () if found.blocks >= needed else (few,))


def few_measured(measured: int, needed: int, budget_s: float, took_s: float) -> Caveat | None:
    """What a run of so many blocks says, where they are fewer than its tests need; else None.

    A campaign may have taken longer than its budget, as six blocks are measured unless it is kept.
    """
    if measured >= needed:
        return None
    enough_s = max(budget_s, took_s) * needed / max(measured, 1)
    had = "1 block was" if measured == 1 else f"{measured} blocks were"
    return _few_for_tests(f"{had} measured", needed, enough_s)


def _few_for_tests(had: str, needed: int, enough_s: float) -> Caveat:
    """That there are, or will be, fewer blocks than the `needed`; `had` says how many."""
    return CaveatKind.FEW_FOR_TESTS.because(
        f"{had}; it takes {needed} until a clear difference is sure to show among so many cells",
        budget=f"{math.ceil(enough_s)}s",
    )
