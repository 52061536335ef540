"""What cells send: facts that rates are made of, stored with a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline.kernels.patterns import NO_WINDOWS
from leadline.measure.cells import PlannedCell
from leadline.measure.grids import grid_of
from leadline.record.provenance import Sends
from leadline.topology.communication import messages_on


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
