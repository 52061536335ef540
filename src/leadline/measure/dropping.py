"""What a budget too small for six blocks leaves out, and says so.

First sizes that are hopeless or dear, then inner sizes down to four, then patterns; what these
leave becomes sizes again.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from statistics import median

from leadline.errors import BudgetError
from leadline.measure.budget import FEWEST_BLOCKS, SLICES_S, Costs
from leadline.measure.cells import PlannedCell, sizes_said
from leadline.measure.order import Order
from leadline.record.caveats import Caveat, CaveatKind

MOST_OF_ONE = 0.75
"""The share of a budget that one cell may take while there are smaller sizes."""
SPREAD_SIZES = 4
"""That patterns keep, the least, the most and two between, while there are patterns to drop."""
DEAR = 8.0
"""Times what the median cell takes, above which a size of a pattern goes first."""


def _fits(order: Order, costs: Costs, cells: Sequence[PlannedCell]) -> bool:
    """Whether six blocks do; blocks that the user counted take the time that they take."""
    return order.blocks is not None or costs.least_s(cells) <= order.budget_s


def fitted(
    order: Order, costs: Costs, cells: list[PlannedCell]
) -> tuple[list[PlannedCell], list[Caveat]]:
    """`cells` without those that the budget has no room for, and what was dropped."""
    kept = _without_hopeless_sizes(order, costs, cells)
    kept = _without_dear_cells(order, costs, kept)
    while not _fits(order, costs, _spread_out(kept)) and (fewer := _without_a_pattern(kept)):
        kept = fewer
    kept = _without_sizes(order, costs, kept)
    if not _fits(order, costs, kept):
        least_s = costs.least_s(kept)
        raise BudgetError(
            f"a budget of {order.budget_s:g} s is too small for one cell in {FEWEST_BLOCKS} "
            f"blocks; give --budget {math.ceil(least_s)}s, or --blocks for fewer"
            f"{_or_smaller(kept)}",
            least_s,
        )
    return kept, _dropped(order, cells, kept)


def _or_smaller(cells: Sequence[PlannedCell]) -> str:
    return ", or smaller --sizes" if any(planned.cell.size_bytes for planned in cells) else ""


def _without_hopeless_sizes(
    order: Order, costs: Costs, cells: list[PlannedCell]
) -> list[PlannedCell]:
    """Without the largest sizes of which one cell alone takes MOST_OF_ONE of the budget, or more.

    Over a slow link these would take the room of all others.
    """
    if order.blocks is not None:
        return cells
    first: dict[int, PlannedCell] = {}
    for planned in cells:
        first.setdefault(planned.cell.size_bytes, planned)
    sizes = sorted(first)
    while len(sizes) > 1:
        visit_s = costs.of_block([first[sizes[-1]]], SLICES_S[-1]).visit_s
        if FEWEST_BLOCKS * visit_s < MOST_OF_ONE * order.budget_s:
            break
        sizes.pop()
    left = set(sizes)
    return [planned for planned in cells if planned.cell.size_bytes in left]


def _without_dear_cells(order: Order, costs: Costs, cells: list[PlannedCell]) -> list[PlannedCell]:
    """Without as few as it takes of the sizes at which a pattern takes far longer than most do.

    A stream of 2 MB would else take the room of ten patterns. The smallest size of each stays.
    """
    if _fits(order, costs, _spread_out(cells)):
        return cells
    dear = _dear_first(costs, cells)

    def without(number: int) -> list[PlannedCell]:
        gone = set(dear[:number])
        return [planned for planned in cells if _place(planned) not in gone]

    def fits(number: int) -> bool:
        return _fits(order, costs, _spread_out(without(number)))

    return without(bisect_left(range(len(dear)), True, key=fits))


def _dear_first(costs: Costs, cells: Sequence[PlannedCell]) -> list[tuple[str, int]]:
    """Where cells take over DEAR times the median cell's time, the dearest first."""
    seconds = [costs.visit_s(planned, SLICES_S[-1]) for planned in cells]
    limit = DEAR * median(seconds)
    dear = {_place(p): s for p, s in zip(cells, seconds, strict=True) if s > limit}
    least: dict[str, int] = {}
    for planned in cells:
        label, size = _place(planned)
        least[label] = min(size, least.get(label, size))
    return sorted((at for at in dear if at[1] > least[at[0]]), key=lambda at: -dear[at])


def _place(planned: PlannedCell) -> tuple[str, int]:
    return planned.choice.label, planned.cell.size_bytes


def _spread_out(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    """The cells of SPREAD_SIZES, apart from 0 B: rather than these, patterns are dropped."""
    dispensable = _by_closeness(_sizes_of(cells))
    return _without(cells, dispensable[: max(0, len(dispensable) + 2 - SPREAD_SIZES)])


def _without_sizes(order: Order, costs: Costs, cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    """Without as few inner sizes as it takes to fit; without all where even that doesn't do."""
    dispensable = _by_closeness(_sizes_of(cells))

    def fits(number: int) -> bool:
        return _fits(order, costs, _without(cells, dispensable[:number]))

    return _without(cells, dispensable[: bisect_left(range(len(dispensable)), True, key=fits)])


def _sizes_of(cells: Sequence[PlannedCell]) -> list[int]:
    """Rising ones, but for 0 B, which is no size of a curve."""
    return sorted({planned.cell.size_bytes for planned in cells if planned.cell.size_bytes})


def _without(cells: Sequence[PlannedCell], sizes: Sequence[int]) -> list[PlannedCell]:
    gone = set(sizes)
    return [planned for planned in cells if planned.cell.size_bytes not in gone]


def _by_closeness(sizes: Sequence[int]) -> list[int]:
    """The inner ones of rising `sizes`, each time the one whose neighbours left lie closest.

    Of those that are as close, the smaller one comes first.
    """
    above = dict(pairwise(sizes))
    below = {upper: lower for lower, upper in above.items()}

    def entry(size: int) -> tuple[float, int]:
        return math.log(above[size] / below[size]), size

    entries = [entry(size) for size in sizes[1:-1]]
    heapify(entries)
    found: list[int] = []
    while entries:
        first = heappop(entries)
        size = first[1]
        if size in above and first == entry(size):  # else it has got other neighbours since
            found.append(size)
            lower, upper = below.pop(size), above.pop(size)
            above[lower], below[upper] = upper, lower
            for other in (lower, upper):
                if other in above and other in below:
                    heappush(entries, entry(other))
    return found


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
        parts.append(f"sizes {sizes_said(sorted(sizes))}")
    parts += _dropped_of_one(before, after, sizes)
    if patterns:
        parts.append("patterns " + ", ".join(sorted(patterns)))
    if not parts:
        return []
    return [
        CaveatKind.BUDGET.because(
            f"{order.budget_s:g} s don't suffice for everything; left out: {'; '.join(parts)}"
        )
    ]


def _dropped_of_one(
    before: Sequence[PlannedCell], after: Sequence[PlannedCell], sizes: Collection[int]
) -> list[str]:
    """Of patterns that stay, what they lost besides the `sizes` that none has."""
    kept = {_place(planned) for planned in after}
    labels = {label for label, _ in kept}
    lost: dict[str, set[int]] = {}
    for label, size in map(_place, before):
        if label in labels and size not in sizes and (label, size) not in kept:
            lost.setdefault(label, set()).add(size)
    return [f"{label} of {sizes_said(sorted(gone))}" for label, gone in lost.items()]
