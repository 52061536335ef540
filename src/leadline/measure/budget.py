"""What fits into a budget: how many blocks, launches and visits, how long a slice.

A campaign is blocks x (start-up + visits x cells x variants x slice). A budget too small for six
blocks drops sizes, then patterns, and says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.errors import BudgetError
from leadline.measure.cells import Entry
from leadline.measure.request import Request
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
    first_startup_s: float
    """Of a launch of every variant together."""
    residency: Residency

    def launches(self, entries: Sequence[Entry], shape: Shape) -> int:
        """Of each variant: one a visit, while those beyond the first add half a block at most."""
        alone_s = self.first_startup_s + self.visits_s(entries, shape)
        worthwhile = 1 + int(alone_s / 2 / (LAUNCH_S * self.variants))
        return min(shape.visits, self.residency.launches, worthwhile)

    def startup_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """From starting a block's launches to the readiness of the last, summed over parties."""
        parties = 1 if self.residency.together else self.variants
        more = (self.launches(entries, shape) - 1) * self.variants
        return parties * self.first_startup_s + LAUNCH_S * more

    def visits_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """All visits to all entries under all variants; slow operations stretch their slices."""
        return shape.visits * sum(
            len(entry.variants)
            * (max(shape.slice_s, _least_s(entry, self.ranks)) + SLICE_OVERHEAD_S)
            for entry in entries
        )

    def block_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """One block, with all numbers of ranks."""
        levels = len({entry.threads for entry in entries})  # of threads: launches of their own
        startup_s = levels * self.startup_s(entries, shape)
        return self.groups * (startup_s + self.visits_s(entries, shape))

    def least_s(self, entries: Sequence[Entry]) -> float:
        """The shortest campaign that has intervals."""
        return FEWEST_BLOCKS * self.block_s(entries, Shape(1, SHORTEST_SLICE_S))


def _least_s(entry: Entry, ranks: int) -> float:
    """What a slice takes however short it is asked to be, over a slow library."""
    return LARGE_OPERATIONS * entry.message_bytes(ranks) / PESSIMISTIC_BYTES_PER_S


def _fits(request: Request, costs: Costs, entries: Sequence[Entry]) -> bool:
    """Whether six blocks do; blocks that the user counted take the time that they take."""
    return request.blocks is not None or costs.least_s(entries) <= request.budget_s


def fitted(
    request: Request, costs: Costs, entries: list[Entry]
) -> tuple[list[Entry], list[Caveat]]:
    """`entries` without those that the budget has no room for, and what was dropped."""
    kept = entries
    while not _fits(request, costs, kept):
        fewer = _without_a_size(kept) or _without_a_pattern(kept)
        if not fewer:
            least_s = costs.least_s(kept)
            raise BudgetError(
                f"a budget of {request.budget_s:g} s is too small for one cell in {FEWEST_BLOCKS} "
                f"blocks; give --budget {math.ceil(least_s)}s, or --blocks for fewer",
                least_s,
            )
        kept = fewer
    return kept, _dropped(request, entries, kept)


def _without_a_size(entries: Sequence[Entry]) -> list[Entry]:
    """Without one inner size: the one whose neighbours lie closest together; [] if none is left."""
    sizes = sorted({entry.cell.size_bytes for entry in entries if entry.cell.size_bytes})
    if len(sizes) <= 2:
        return []
    inner = min(range(1, len(sizes) - 1), key=lambda i: math.log(sizes[i + 1] / sizes[i - 1]))
    return [entry for entry in entries if entry.cell.size_bytes != sizes[inner]]


def _without_a_pattern(entries: Sequence[Entry]) -> list[Entry]:
    labels = list(dict.fromkeys(entry.choice.label for entry in entries))
    if len(labels) == 1:
        return []
    return [entry for entry in entries if entry.choice.label != labels[-1]]


def _dropped(request: Request, before: Sequence[Entry], after: Sequence[Entry]) -> list[Caveat]:
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
            f"{request.budget_s:g} s don't suffice for everything; left out: {'; '.join(parts)}"
        )
    ]


def shape_within(request: Request, costs: Costs, entries: Sequence[Entry]) -> tuple[int, Shape]:
    """Blocks, and what each does, that use the budget; more blocks before more visits."""
    shape = Shape(USUAL_VISITS, LONGEST_SLICE_S)
    least_blocks = request.blocks or USUAL_BLOCKS

    def blocks_in_budget(shape: Shape) -> int:
        return int(request.budget_s // costs.block_s(entries, shape))

    while blocks_in_budget(shape) < least_blocks and (smaller := _smaller(shape)):
        shape = smaller
    blocks = request.blocks or min(max(blocks_in_budget(shape), FEWEST_BLOCKS), MOST_BLOCKS)
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
