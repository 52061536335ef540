"""Words for what keeps cells undecided."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.compare.curves import Comparison
from leadline.compare.verdict import Why
from leadline.report.text.phrases import listed, plural, stated_share


def reason(cells: Sequence[Comparison], threshold: float) -> str:
    """E.g. "crosses 2 %", of several cells also "crosses 2 %; 3 to 5 of 6 blocks", each once."""
    alike: dict[tuple[Why | None, int | None], list[Comparison]] = {}
    for cell in cells:
        alike.setdefault((cell.why, cell.blocks_needed), []).append(cell)
    return "; ".join(dict.fromkeys(_reason(some, threshold) for some in alike.values()))


def _reason(cells: Sequence[Comparison], threshold: float) -> str:
    first = cells[0]
    if first.why is Why.FEW_BLOCKS:
        return _blocks(cells)
    if first.why is Why.STATED:
        return _stated(first)
    return _WORDS[first.why].format(stated_share(threshold)) if first.why else "decided"


_WORDS = {
    Why.CROSSES: "crosses {}",
    Why.FAMILY: "beyond {} alone, but not in the test over all",
    Why.NOT_MEASURED: "not measured on both sides",
    Why.DISTURBED: "disturbed",
    Why.HANDOVER: "cores in different states",
    Why.ONE_PAIR_OF_RUNS: "one pair of runs",
    Why.OVERSUBSCRIBED: "oversubscribed",
}


def _blocks(cells: Sequence[Comparison]) -> str:
    """E.g. "3 to 5 of 6 blocks": that it has, of those that would do."""
    numbers = dict.fromkeys((min(c.blocks for c in cells), max(c.blocks for c in cells)))
    needed = cells[0].blocks_needed
    have = " to ".join(f"{number:,}" for number in numbers)
    return f"{have} of {plural(needed, 'block')}" if needed else f"{have} blocks"


def _stated(cell: Comparison) -> str:
    """The origins that weren't measured, e.g. "simulated"."""
    return listed(origin for origin in cell.origins if origin != "measured")
