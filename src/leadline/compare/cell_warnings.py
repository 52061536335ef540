"""What many cells warn of, each warning once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from leadline.compare.summaries import Summary
from leadline.record.caveats import Caveat
from leadline.units import format_size


def gathered(rows: Iterable[Summary]) -> list[Caveat]:
    """The warnings of `rows`, one of each code: the first cell's cause, and how many more."""
    seen: dict[str, list[tuple[Summary, Caveat]]] = {}
    rows = list(rows)
    sized = {row.pattern for row in rows if row.size_bytes}
    for row in rows:
        for caveat in row.warnings:
            seen.setdefault(caveat.code, []).append((row, caveat))
    return [_together(found, sized) for found in seen.values()]


def _together(found: Sequence[tuple[Summary, Caveat]], sized: Collection[str]) -> Caveat:
    """One caveat for the rows it is `found` in; patterns that are `sized` say at which."""
    row, caveat = found[0]
    if len({one.cause for _, one in found}) == 1:
        return replace(caveat, cause=f"{caveat.cause} ({_cells(len(found))})")
    at = f" at {format_size(row.size_bytes)}" * (row.pattern in sized)
    cause = f"{row.variant}, {row.pattern}{at}: {caveat.cause}"
    return replace(caveat, cause=f"{cause}; and {_cells(len(found) - 1, 'more ')}")


def _cells(number: int, more: str = "") -> str:
    return f"{number:,} {more}cell{'s' * (number != 1)}"
