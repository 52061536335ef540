"""What ranks deliver that send at once: messages and bytes a second.

Windows are counted by their messages, neighbours on a grid by what each of them sends.
"""

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
    """What one configuration delivers in one pattern, all ranks together."""

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
    rank_bytes_per_s: float | None
    """Of these what the rank sends that sends most; None: of windows."""
    pair_bytes_per_s: float | None
    """What two ranks exchange, both ways; None: they aren't in pairs."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many messages there are in a sample's time."""

    in_all: int
    of_a_rank: int | None = None
    of_a_pair: int | None = None


def rates(run: Run, rows: Sequence[Summary]) -> tuple[Rates, ...]:
    """Those of all rows of patterns that send windows, or on a grid, in the order of the rows."""
    windows = {cell.pattern: run.windows_of(cell) for cell in run.cells}
    counted = {_curve(row): _counted(run, row, windows[row.pattern]) for row in rows}
    found = [row for row in rows if counted[_curve(row)]]
    order = {key: place for place, key in enumerate(dict.fromkeys(map(_curve, found)))}
    found.sort(key=lambda row: (order[_curve(row)], row.size_bytes))
    return tuple(
        _rates(list(group), one) for key, group in groupby(found, _curve) if (one := counted[key])
    )


def _curve(row: Summary) -> tuple[CurveKey, str]:
    return row.curve, row.label


def _counted(run: Run, row: Summary, windows: str) -> _Counted | None:
    """A window for each "pair" of ranks, or "one" in all; or what neighbours send."""
    if windows != "none":
        return _Counted(row.ranks // 2 if windows == "pair" else 1)
    if sends := run.sends_of(row.pattern, row.ranks):
        return _Counted(sends.all_ranks, sends.busiest_rank, 2 if sends.in_pairs else None)
    return None


def _rates(rows: Sequence[Summary], counted: _Counted) -> Rates:
    """Of one curve, by size."""
    least, most = rows[0], rows[-1]
    one_bytes_per_s = most.size_bytes / most.median_s
    return Rates(
        curve=least.curve,
        variant=least.variant,
        origin=least.origin,
        oversubscribed=any(OVERSUBSCRIBED in row.warnings for row in (least, most)),
        least_bytes=least.size_bytes,
        messages_per_s=counted.in_all / least.median_s,
        most_bytes=most.size_bytes,
        bytes_per_s=counted.in_all * one_bytes_per_s,
        rank_bytes_per_s=counted.of_a_rank and counted.of_a_rank * one_bytes_per_s,
        pair_bytes_per_s=counted.of_a_pair and counted.of_a_pair * one_bytes_per_s,
    )
