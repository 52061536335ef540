"""Circumstances of measured values, as cells of tables.

How busy links were and how long ranks waited for a core where ranks outnumber cores, clock
residuals between hosts, and the share of an application's time that its ranks communicated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline.compare.circumstances import Circumstances
from leadline.compare.summaries import Summary
from leadline.report.text.phrases import MISSING
from leadline.units import format_time

COMMUNICATION = "communication"
"""Name of the row, or of the table, with an application's communication shares."""


def crowd_columns(rows: Sequence[Sequence[Circumstances]]) -> list[tuple[str, ...]]:
    """Columns beside verdicts: a title, then a cell for each of `rows`.

    Args:
        rows: The circumstances of everything that a row of the table shows.

    Returns:
        Only the columns with something to show: the busiest link and the run delay where ranks
        outnumber cores, clock residuals where several clocks were read.
    """
    every = [circumstances for row in rows for circumstances in row if circumstances.oversubscribed]
    columns: list[tuple[str, ...]] = []
    if any(circumstances.link is not None for circumstances in every):
        columns.append(
            (
                "busiest\nlink",
                *(span(circumstances.link_share for circumstances in row) for row in rows),
            )
        )
    if any(circumstances.run_delay_share is not None for circumstances in every):
        columns.append(
            (
                "run\ndelay",
                *(span(circumstances.run_delay_share for circumstances in row) for row in rows),
            )
        )
    residuals = [[circumstances.clock_residual_ns for circumstances in row] for row in rows]
    if any(one is not None for row in residuals for one in row):
        columns.append(("clocks\napart", *map(time_span, residuals)))
    return columns


def time_span(nanoseconds: Iterable[float | None]) -> str:
    """Least and largest known time, e.g. "1.2 us", "0.9 us to 1.2 us"; "-" if none is known."""
    known = [nanosecond * 1e-9 for nanosecond in nanoseconds if nanosecond is not None]
    if not known:
        return MISSING
    return " to ".join(dict.fromkeys(map(format_time, (min(known), max(known)))))


def span(shares: Iterable[float | None]) -> str:
    """Least and largest known share (1 is all), e.g. "98 %", "22 to 31 %"; "-" if none is known."""
    known = [f"{100 * share:.0f}" for share in shares if share is not None]
    if not known:
        return MISSING
    bounds = dict.fromkeys((min(known, key=float), max(known, key=float)))
    return f"{' to '.join(bounds)} %"


# -- communication of applications -----------------------------------------------------------------


def is_application(rows: Iterable[Summary]) -> bool:
    """Whether what was measured computes between its calls."""
    return any(row.communication_share is not None for row in rows)


def any_known(rows: Iterable[Sequence[Circumstances]]) -> bool:
    """Whether a communication share is known in any of `rows`."""
    return any(
        circumstances.communication_share is not None for row in rows for circumstances in row
    )


def shares(row: Summary | None) -> str:
    """Mean and largest share over ranks, e.g. "31 %, at most 35 %"; "-" if none is known."""
    return shares_of(row.circumstances) if row else MISSING


def shares_of(circumstances: Circumstances) -> str:
    """As `shares`."""
    mean, most = (
        _percent(circumstances.communication_share),
        _percent(circumstances.communication_most),
    )
    return mean if mean == most else f"{mean}, at most {most}"


def shares_against(pair: tuple[Circumstances, Circumstances] | None) -> str:
    """Mean shares over ranks of a candidate and its baseline, e.g. "31 % against 35 %".

    Args:
        pair: Baseline and candidate.
    """
    if pair is None or not any_known([pair]):
        return MISSING
    baseline, candidate = (_percent(circumstances.communication_share) for circumstances in pair)
    return f"{candidate} against {baseline}"


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.0f} %"
