"""How variants with a map lay ranks in the grids of patterns, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.mapping import METRICS
from leadline.record.run import Configuration, GridPlacement
from leadline.report.document import Section
from leadline.report.text.mapping import LABELS, number
from leadline.report.text.phrases import plural


def placement_words(laid: GridPlacement) -> str:
    """E.g. "halo by internode on nodes:4x4, inter-node edges 24 -> 16"."""
    figure = METRICS.get(laid.metric, "internode_edges")
    before, after = (number(figure, value) for value in (laid.before, laid.after))
    return f"{laid.label}, {LABELS[figure]} {before} -> {after}"


def placement_sections(configurations: Sequence[Configuration]) -> Iterator[Section]:
    """A sentence for each placement; no section where ranks are in their order everywhere."""
    found = [
        f"{one.variant}, {plural(one.ranks, 'rank')}: {placement_words(laid)}"
        for one in configurations
        for laid in one.placement
    ]
    if found:
        yield Section("placement of ranks", notes=tuple(found))
