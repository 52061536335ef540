"""Which cells an order comes to, and which variants can measure each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.errors import UsageError
from leadline.kernels.patterns import Pattern, PatternChoice, cell_of
from leadline.measure.order import Order
from leadline.measure.resources import Resources
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Buffers, Cell
from leadline.units import format_size

WITHOUT = (CaveatKind.ABSENT, CaveatKind.NO_GRID)
"""Why a variant has no cell of a pattern."""


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """One cell and the variants that can measure it."""

    choice: PatternChoice
    pattern: Pattern
    cell: Cell
    variants: tuple[str, ...]

    def unsuited(self, ranks: int) -> CaveatKind | None:
        """Why so many ranks can't take part; None: they can."""
        if ranks < max(self.pattern.participants, 2 * self.pattern.in_pairs):
            return CaveatKind.TOO_FEW_RANKS
        if self.pattern.in_pairs and ranks % 2:
            return CaveatKind.ODD_RANKS
        if self.choice.dims and math.prod(self.choice.dims) != ranks:
            return CaveatKind.GRID_RANKS
        if self.pattern.axes and not self._has_neighbours(ranks):
            return CaveatKind.TOO_FEW_RANKS if ranks == 1 else CaveatKind.NO_NEIGHBOURS
        return None

    def _has_neighbours(self, ranks: int) -> bool:
        """Whether the grid goes on along some axis; the first of an unknown one is its longest."""
        dims = self.choice.dims or (ranks,)
        return max(dims[: self.choice.axes_along(self.pattern)]) > 1

    def message_bytes(self, ranks: int) -> int:
        """What one repetition moves from or to a rank, at most."""
        blocks = self.choice.blocks(self.pattern, ranks) * self.pattern.messages_in_flight
        return self.cell.size_bytes * blocks

    def memory_bytes(self, ranks: int) -> int:
        """What that takes in memory."""
        return math.ceil(self.message_bytes(ranks) * self.pattern.stretch)


@dataclass(frozen=True, slots=True)
class PlannedSlice:
    """What is measured next: one cell under one configuration, in one visit of a block."""

    planned: PlannedCell
    variant: str
    configuration: int
    block: int
    visit: int

    def __str__(self) -> str:
        """What failures are said to have happened to."""
        return f"{self.variant}, {self.planned.choice.label}, {self.planned.cell.size_bytes} B"


def planned_cells(
    order: Order, resources: Resources, purpose: str = "measure"
) -> tuple[list[PlannedCell], list[Caveat]]:
    """The order's cells, and what is left out; UsageError where nothing is left to `purpose`."""
    cells, caveats = [], []
    lacking: dict[tuple[CaveatKind, tuple[str, ...]], list[str]] = {}
    for choice in order.choices(resources.patterns):
        reasons = {
            variant: _reason(variant, choice, resources) for variant in resources.capabilities
        }
        able = [variant for variant, reason in reasons.items() if reason is None]
        for kind in WITHOUT:
            if unable := tuple(variant for variant in reasons if reasons[variant] is kind):
                lacking.setdefault((kind, unable), []).append(choice.label)
        if able:
            found, refused = _sized(order, resources, choice, able)
            cells += found
            caveats += refused
    caveats = [*(_without(*who, labels) for who, labels in lacking.items()), *caveats]
    if not cells:
        why = "; ".join(caveat.cause for caveat in caveats)
        unsized = "no size suits the patterns asked for; give other --sizes"
        raise UsageError(f"nothing to {purpose}: {why or unsized}")
    return cells, caveats


def unsuited(cells: Sequence[PlannedCell], ranks: int) -> list[Caveat]:
    """Which patterns of `cells` can't run with so many ranks, a caveat for each reason."""
    names: dict[CaveatKind, list[str]] = {}
    for planned in cells:
        if (kind := planned.unsuited(ranks)) is not None:
            names.setdefault(kind, []).append(_with_vertices(planned.choice))
    where = f"can't run with {ranks} rank{'s' * (ranks != 1)}"
    why = {CaveatKind.NO_NEIGHBOURS: ": no rank has a neighbour along the axes of its messages"}
    return [
        kind.because(f"{', '.join(dict.fromkeys(labels))} {where}{why.get(kind, '')}")
        for kind, labels in names.items()
    ]


def _with_vertices(choice: PatternChoice) -> str:
    if not choice.dims:
        return choice.label
    vertices = math.prod(choice.dims)
    return f"{choice.label} ({vertices:,} {'vertex' if vertices == 1 else 'vertices'})"


def _reason(variant: str, choice: PatternChoice, resources: Resources) -> CaveatKind | None:
    """Why `variant` doesn't measure `choice`; None: it does."""
    pattern = resources.capabilities[variant].patterns.get(choice.name)
    if pattern is None or pattern.algorithm == "absent":
        return CaveatKind.ABSENT
    if variant in resources.maps and not pattern.axes:
        return CaveatKind.NO_GRID
    return None


def _without(kind: CaveatKind, variants: Sequence[str], labels: Sequence[str]) -> Caveat:
    who, what = ", ".join(variants), ", ".join(labels)
    several = len(labels) > 1
    if kind is CaveatKind.ABSENT:
        return kind.because(f"{what} {'make' if several else 'makes'} no sense over {who}")
    return kind.because(f"{what} {'have' if several else 'has'} no grid to lay: left out of {who}")


def _sized(
    order: Order, resources: Resources, choice: PatternChoice, able: Sequence[str]
) -> tuple[list[PlannedCell], list[Caveat]]:
    pattern = resources.capabilities[able[0]].patterns[choice.name]
    if pattern.one_buffer and order.buffers == Buffers.COLD:
        return [], [_bound(choice)]
    if pattern.granularity == 0:
        cell = cell_of(choice, pattern, 0, order.buffers, order.cadence)
        return [PlannedCell(choice, pattern, cell, tuple(able))], []
    cells, caveats = [], []
    for size in order.sizes:
        if size < pattern.least_bytes:
            continue
        fitting = [v for v in able if size <= resources.capabilities[v].max_message_bytes]
        if size % pattern.granularity:
            caveats.append(_uneven(choice, size, pattern.granularity))
        elif fitting:
            cell = cell_of(choice, pattern, size, order.buffers, order.cadence)
            cells.append(PlannedCell(choice, pattern, cell, tuple(fitting)))
        if len(fitting) < len(able):
            caveats.append(_too_large(size, [v for v in able if v not in fitting]))
    return cells, caveats


def _bound(choice: PatternChoice) -> Caveat:
    return CaveatKind.BUFFERS_BOUND.because(
        f"{choice.label} is bound to its buffers, which can't rotate through cold memory"
    )


def _uneven(choice: PatternChoice, size: int, granularity: int) -> Caveat:
    return CaveatKind.SIZE_DROPPED.because(
        f"{choice.label}: {format_size(size)} is not a multiple of {granularity} B",
        size=size - size % granularity or granularity,
    )


def _too_large(size: int, variants: Sequence[str]) -> Caveat:
    return CaveatKind.SIZE_TOO_LARGE.because(
        f"{', '.join(variants)} can't send {format_size(size)} in one message: its counts are int"
    )
