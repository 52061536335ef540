"""What stands beside verdicts where ranks outnumber cores: a link's use, and who waited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline.compare.circumstances import Circumstances
from leadline.report.text.phrases import MISSING


def crowd_columns(rows: Sequence[Sequence[Circumstances]]) -> list[tuple[str, ...]]:
    """Columns of a table with `rows`, of what was measured in each: a title, and a text a row.

    None where there were cores enough, or where nothing of it was recorded.
    """
    every = [one for row in rows for one in row if one.oversubscribed]
    columns: list[tuple[str, ...]] = []
    if any(one.link is not None for one in every):
        columns.append(("busiest\nlink", *(span(one.link_share for one in row) for row in rows)))
    if any(one.run_delay_share is not None for one in every):
        columns.append(("run\ndelay", *(span(one.run_delay_share for one in row) for row in rows)))
    return columns


def span(shares: Iterable[float | None]) -> str:
    """E.g. "98 %", or "22 to 31 %" of several; "-" where none is known."""
    known = [f"{100 * one:.0f}" for one in shares if one is not None]
    if not known:
        return MISSING
    bounds = dict.fromkeys((min(known, key=float), max(known, key=float)))
    return f"{' to '.join(bounds)} %"
