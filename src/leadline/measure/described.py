"""The cells of an order that nobody measures: as the backend that logs its calls describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.errors import UsageError
from leadline.measure.cells import PlannedCell, planned_cells, unsuited
from leadline.measure.order import Order
from leadline.measure.preparation import UNKNOWN_MEMORY_BYTES, built_variants
from leadline.measure.resources import Resources
from leadline.measure.tracing import BACKEND
from leadline.record.caveats import Caveat

SIMULATION = "messages alone"
"""Over what a pattern makes sense, or doesn't: one-sided operations don't."""


@dataclass(frozen=True, slots=True)
class DescribedCells:
    """What an order comes to where only patterns, sizes and ranks count."""

    by_ranks: Mapping[int, tuple[PlannedCell, ...]]
    """Those that so many ranks can carry out."""
    caveats: tuple[Caveat, ...]
    """What is left out."""


def described_cells(order: Order) -> DescribedCells:
    """The cells of `order`, whatever they take.

    Raises:
        UsageError: There is no such pattern or option, or nothing is left.
        BuildError: The kernel that describes them can't be built.
        MachineError: There is no C compiler.
    """
    order = replace(order, backends=(BACKEND,), variants=())
    _, (variant,), _ = built_variants(order, None)
    resources = Resources({SIMULATION: variant.capability}, 0.0, (), UNKNOWN_MEMORY_BYTES, None)
    cells, caveats = planned_cells(order, resources, "simulate")
    suited = {
        ranks: tuple(one for one in cells if one.unsuited(ranks) is None) for ranks in order.ranks
    }
    left_out = [caveat for ranks in order.ranks for caveat in unsuited(cells, ranks)]
    if not any(suited.values()):
        why = "; ".join(f"{one.cause} ({one.remedy})" for one in left_out)
        raise UsageError(f"nothing of it can be carried out: {why}")
    return DescribedCells(
        {ranks: found for ranks, found in suited.items() if found}, (*caveats, *left_out)
    )


def joined_cells(several: Sequence[DescribedCells]) -> DescribedCells:
    """All of them, for the facts of one run; what is left out is said once."""
    by_ranks: dict[int, tuple[PlannedCell, ...]] = {}
    for one in several:
        for ranks, cells in one.by_ranks.items():
            by_ranks[ranks] = (*by_ranks.get(ranks, ()), *cells)
    caveats = dict.fromkeys(caveat for one in several for caveat in one.caveats)
    return DescribedCells(by_ranks, tuple(caveats))
