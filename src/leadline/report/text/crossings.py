"""Where one library overtakes another: sentences on the leader, a table of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from leadline.compare.curves import Crossing
from leadline.report.document import Section, Table
from leadline.report.text.phrases import MISSING
from leadline.statistics.estimate import Estimate
from leadline.units import format_rough_size, format_size


def crossing_sentences(crossings: Iterable[Crossing]) -> Iterator[str]:
    """Of those where the leader changes, one each.

    E.g. "b overtakes a between 32 KiB and 64 KiB, at 45 KiB (41 KiB to 52 KiB).".
    """
    for one in crossings:
        if one.leads:
            at = f", at {_point(one.point)}" if one.point else ""
            yield f"{one.ahead_above} overtakes {one.ahead_below} {_between(one)}{at}."


def crossing_section(crossings: Sequence[Crossing]) -> Section:
    """All of them, also below the leader."""
    columns = ("pattern", "ranks", "overtakes", "whom", "between", "at")
    rows = tuple(
        (
            f"{one.pattern}, {one.buffers} buffers, {one.cadence}",
            f"{one.ranks:,}",
            one.ahead_above,
            one.ahead_below,
            _between(one).removeprefix("between "),
            _point(one.point) if one.point else MISSING,
        )
        for one in crossings
    )
    return Section("Where one overtakes another", Table(columns, rows) if rows else None)


def _between(one: Crossing) -> str:
    return f"between {format_size(one.below_bytes)} and {format_size(one.above_bytes)}"


def _point(point: Estimate) -> str:
    """E.g. "45 KiB (41 KiB to 52 KiB)"."""
    value = format_rough_size(point.value)
    if point.bounds is None:
        return value
    low, high = map(format_rough_size, point.bounds)
    return f"{value} ({low} to {high})"
