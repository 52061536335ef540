"""Codes of caveats: how they were spelled once, and what several of them mean together."""

from __future__ import annotations

from leadline.record.caveats import Caveat, CaveatKind

FORMER_CODES = {
    "buffers-bound": "buffers_bound",
    "journal-line": "journal_line",
    "no-lock": "no_lock",
    "odd-ranks": "odd_ranks",
    "size-dropped": "size_dropped",
    "too-few-ranks": "too_few_ranks",
    "torn-line": "torn_line",
}
"""Codes in runs stored before every code was spelled with underscores; readers take today's."""

UNMEASURED = frozenset(
    kind.code
    for kind in (
        CaveatKind.BUILD,
        CaveatKind.LAUNCHER,
        CaveatKind.TOO_LONG,
        CaveatKind.UNSIMULATED,
    )
)
"""Codes that say something was asked for, could have been had, and was left out altogether."""


DAMAGE = frozenset(
    kind.code
    for kind in (
        CaveatKind.JOURNAL_LINE,
        CaveatKind.JOURNAL,
        CaveatKind.OTHER_RUN,
        CaveatKind.PARQUET,
        CaveatKind.UNREADABLE,
    )
)
"""Codes that say what was recorded isn't whole."""


def restored(code: str, cause: str, remedy: str) -> Caveat:
    """A caveat that was written down, its code as it is spelled today."""
    return Caveat(FORMER_CODES.get(code, code), cause, remedy)
