"""The grids on which patterns exchange, as kernels describe them, and what cells send.

What they send are facts that rates are made of, stored with a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline.kernels.patterns import CORNERS, NO_WINDOWS, Pattern, PatternChoice
from leadline.mapping import dims_create
from leadline.measure.cells import PlannedCell
from leadline.record.provenance import Sends
from leadline.topology.communication import Grid, messages_on


def grid_of(choice: PatternChoice, pattern: Pattern, ranks: int) -> Grid:
    """The grid of a pattern that has one, of `ranks` vertices; every message weighs 1."""
    dims = choice.dims or _usual_dims(pattern, ranks)
    along = choice.axes_along(pattern)
    return Grid(
        dims,
        periodic=("periodic" in _words(choice, pattern),) * len(dims),
        weights=((1.0, 1.0),) * along + ((0.0, 0.0),) * (len(dims) - along),
        diagonals=CORNERS in choice.options,
    )


def _words(choice: PatternChoice, pattern: Pattern) -> set[str]:
    """Of all of the pattern's options, the usual ones too."""
    usual = {key: option.words[0] for key, option in pattern.options.items() if option.words}
    return set((usual | {chosen.key: chosen.value for chosen in choice.options}).values())


def _usual_dims(pattern: Pattern, ranks: int) -> tuple[int, ...]:
    return (2, ranks // 2) if pattern.in_pairs else dims_create(ranks, pattern.axes)


def windows_of(cells: Iterable[PlannedCell]) -> dict[str, str]:
    """Of the patterns that send windows of messages: "one", or one for each "pair" of ranks."""
    patterns = (planned.pattern for planned in cells)
    return {one.name: one.windows for one in patterns if one.windows != NO_WINDOWS}


def sends_of(groups: Iterable[tuple[int, Sequence[PlannedCell]]]) -> tuple[Sends, ...]:
    """Of the patterns on a grid, each with every number of ranks that `groups` begin with."""
    found = {}
    for ranks, cells in groups:
        for planned in cells:
            if planned.pattern.axes:
                messages = messages_on(grid_of(planned.choice, planned.pattern, ranks))
                label = planned.choice.label
                found[label, ranks] = Sends(
                    label,
                    ranks,
                    messages.all_ranks,
                    messages.busiest_rank,
                    planned.pattern.in_pairs,
                )
    return tuple(found.values())
