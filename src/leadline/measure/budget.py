"""What fits into a budget: how many blocks, launches and visits, how long a slice.

A campaign is blocks x (start-up + visits x cells x variants x slice). A budget too small for six
blocks drops sizes, then patterns, and says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.errors import BudgetError
from leadline.measure.cells import PlannedCell
from leadline.measure.order import Order
from leadline.measure.residency import Residency
from leadline.record.caveats import Caveat, CaveatKind
from leadline.units import format_size

FEWEST_BLOCKS = 6
"""Below this no 95 % interval exists (signed-rank distribution)."""
USUAL_BLOCKS = 8
MOST_BLOCKS = 64
USUAL_VISITS, MOST_VISITS = 4, 24
SHORTEST_SLICE_S, LONGEST_SLICE_S = 0.003, 0.005
SLICE_OVERHEAD_S = 0.003
"""Command, validation, warm-up, gathering and journal of one slice, about."""
PESSIMISTIC_BYTES_PER_S = 1.5e9
LARGE_OPERATIONS = 16
"""Operations that a slice needs at least, whatever one takes: validation, warm-up, batches."""
LAUNCH_S = 0.05
"""What one more launch beside the others adds to their start-up, about."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a block spends its time."""

    visits: int
    slice_s: float


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

    def launches(self, cells: Sequence[PlannedCell], shape: Shape) -> int:
        """Of each variant: one a visit, while those beyond the first add half a block at most."""
        alone_s = self.first_startup_s + self.visits_s(cells, shape)
        worthwhile = 1 + int(alone_s / 2 / (LAUNCH_S * self.variants))
        return min(shape.visits, self.residency.launches, worthwhile)

    def startup_s(self, cells: Sequence[PlannedCell], shape: Shape) -> float:
        """From starting a block's launches to the readiness of the last, summed over parties."""
        parties = 1 if self.residency.together else self.variants
        more = (self.launches(cells, shape) - 1) * self.variants
        return parties * self.first_startup_s + LAUNCH_S * more

    def visits_s(self, cells: Sequence[PlannedCell], shape: Shape) -> float:
        """All visits to all cells under all variants; slow operations stretch their slices."""
        return shape.visits * sum(
            len(planned.variants)
            * (max(shape.slice_s, _least_s(planned, self.ranks)) + SLICE_OVERHEAD_S)
            for planned in cells
        )

    def block_s(self, cells: Sequence[PlannedCell], shape: Shape) -> float:
        """One block, with all numbers of ranks."""
        # Each number of threads has launches of its own.
        levels = len({planned.pattern.threads for planned in cells})
        startup_s = levels * self.startup_s(cells, shape)
        return self.groups * (startup_s + self.visits_s(cells, shape))

    def least_s(self, cells: Sequence[PlannedCell]) -> float:
        """The shortest campaign that has intervals."""
        return FEWEST_BLOCKS * self.block_s(cells, Shape(1, SHORTEST_SLICE_S))


def _least_s(planned: PlannedCell, ranks: int) -> float:
    """What a slice takes however short it is asked to be, over a slow library."""
    return LARGE_OPERATIONS * planned.message_bytes(ranks) / PESSIMISTIC_BYTES_PER_S


def _fits(order: Order, costs: Costs, cells: Sequence[PlannedCell]) -> bool:
    """Whether six blocks do; blocks that the user counted take the time that they take."""
    return order.blocks is not None or costs.least_s(cells) <= order.budget_s


def fitted(
    order: Order, costs: Costs, cells: list[PlannedCell]
) -> tuple[list[PlannedCell], list[Caveat]]:
    """`cells` without those that the budget has no room for, and what was dropped."""
    kept = cells
    while not _fits(order, costs, kept):
        fewer = _without_a_size(kept) or _without_a_pattern(kept)
        if not fewer:
            least_s = costs.least_s(kept)
            raise BudgetError(
                f"a budget of {order.budget_s:g} s is too small for one cell in {FEWEST_BLOCKS} "
                f"blocks; give --budget {math.ceil(least_s)}s, or --blocks for fewer",
                least_s,
            )
        kept = fewer
    return kept, _dropped(order, cells, kept)


def _without_a_size(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    """Without one inner size: the one whose neighbours lie closest together; [] if none is left."""
    sizes = sorted({planned.cell.size_bytes for planned in cells if planned.cell.size_bytes})
    if len(sizes) <= 2:
        return []
    inner = min(range(1, len(sizes) - 1), key=lambda i: math.log(sizes[i + 1] / sizes[i - 1]))
    return [planned for planned in cells if planned.cell.size_bytes != sizes[inner]]


def _without_a_pattern(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    labels = list(dict.fromkeys(planned.choice.label for planned in cells))
    if len(labels) == 1:
        return []
    return [planned for planned in cells if planned.choice.label != labels[-1]]


def _dropped(
    order: Order, before: Sequence[PlannedCell], after: Sequence[PlannedCell]
) -> list[Caveat]:
    patterns = {e.choice.label for e in before} - {e.choice.label for e in after}
    sizes = {e.cell.size_bytes for e in before} - {e.cell.size_bytes for e in after}
    parts = []
    if sizes:
        parts.append("sizes " + ", ".join(format_size(size) for size in sorted(sizes)))
    if patterns:
        parts.append("patterns " + ", ".join(sorted(patterns)))
    if not parts:
        return []
    return [
        CaveatKind.BUDGET.because(
            f"{order.budget_s:g} s don't suffice for everything; left out: {'; '.join(parts)}"
        )
    ]


def shape_within(order: Order, costs: Costs, cells: Sequence[PlannedCell]) -> tuple[int, Shape]:
    """Blocks, and what each does, that use the budget; more blocks before more visits."""
    shape = Shape(USUAL_VISITS, LONGEST_SLICE_S)
    least_blocks = order.blocks or USUAL_BLOCKS

    def blocks_in_budget(shape: Shape) -> int:
        return int(order.budget_s // costs.block_s(cells, shape))

    while blocks_in_budget(shape) < least_blocks and (smaller := _smaller(shape)):
        shape = smaller
    blocks = order.blocks or min(max(blocks_in_budget(shape), FEWEST_BLOCKS), MOST_BLOCKS)
    larger = replace(shape, visits=shape.visits + 1)
    while larger.visits <= MOST_VISITS and blocks_in_budget(larger) >= blocks:
        shape, larger = larger, replace(larger, visits=larger.visits + 1)
    return blocks, shape


def _smaller(shape: Shape) -> Shape | None:
    """With a visit less, then with shorter slices; None: it can't be."""
    if shape.visits > 1:
        return replace(shape, visits=shape.visits - 1)
    slice_s = max(shape.slice_s - 0.001, SHORTEST_SLICE_S)
    return Shape(1, slice_s) if slice_s < shape.slice_s else None
