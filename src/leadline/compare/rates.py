"""What windows deliver: messages a second at the smallest size, bytes a second at the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leadline.compare.origins import Labelled
from leadline.compare.summaries import OVERSUBSCRIBED, Summary
from leadline.record.curve import CurveKey, OnCurve
from leadline.record.run import Origin, Run


@dataclass(frozen=True, slots=True)
class Rates(OnCurve, Labelled):
    """What one configuration delivers in one pattern, all pairs of ranks together."""

    curve: CurveKey
    variant: str
    origin: Origin
    oversubscribed: bool
    """At one of the two sizes, and no link was the limit."""
    least_bytes: int
    """The smallest size."""
    messages_per_s: float
    """At it."""
    most_bytes: int
    """The largest size."""
    bytes_per_s: float
    """At it."""


def rates(run: Run, rows: Sequence[Summary]) -> tuple[Rates, ...]:
    """Those of all rows of patterns that send windows, in the order of the rows."""
    windows = {cell.pattern: run.windows_of(cell) for cell in run.cells}
    found = [row for row in rows if windows[row.pattern] != "none"]
    order = {key: place for place, key in enumerate(dict.fromkeys(map(_curve, found)))}
    found.sort(key=lambda row: (order[_curve(row)], row.size_bytes))
    return tuple(
        _rates(list(group), windows[curve.pattern]) for (curve, _), group in groupby(found, _curve)
    )


def _curve(row: Summary) -> tuple[CurveKey, str]:
    return row.curve, row.label


def _rates(rows: Sequence[Summary], by: str) -> Rates:
    """Of one curve, by size; a window for each "pair" of ranks, or "one" in all."""
    least, most = rows[0], rows[-1]
    windows = least.ranks // 2 if by == "pair" else 1
    return Rates(
        curve=least.curve,
        variant=least.variant,
        origin=least.origin,
        oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in (least, most)),
        least_bytes=least.size_bytes,
        messages_per_s=windows / least.median_s,
        most_bytes=most.size_bytes,
        bytes_per_s=windows * most.size_bytes / most.median_s,
    )
