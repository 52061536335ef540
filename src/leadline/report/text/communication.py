"""What share of an application's time its ranks communicated, of each library apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline.compare.circumstances import Circumstances
from leadline.compare.summaries import Summary
from leadline.report.text.phrases import MISSING

COMMUNICATION = "communication"


def is_application(rows: Iterable[Summary]) -> bool:
    """Whether what was measured computes between its calls."""
    return any(row.communication_share is not None for row in rows)


def shares(row: Summary | None) -> str:
    """Mean and largest share over ranks, e.g. "31 %, at most 35 %"; "-" where none is known."""
    return shares_of(row.circumstances) if row else MISSING


def shares_of(one: Circumstances) -> str:
    """As `shares`."""
    mean, most = _percent(one.communication_share), _percent(one.communication_most)
    return mean if mean == most else f"{mean}, at most {most}"


def shares_against(pair: tuple[Circumstances, Circumstances] | None) -> str:
    """Of a baseline and a candidate, the latter's mean over ranks first: "31 % against 35 %"."""
    if pair is None or not any_known([pair]):
        return MISSING
    baseline, candidate = (_percent(one.communication_share) for one in pair)
    return f"{candidate} against {baseline}"


def any_known(rows: Iterable[Sequence[Circumstances]]) -> bool:
    """Whether any of `rows` says anything of it."""
    return any(one.communication_share is not None for row in rows for one in row)


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.0f} %"
