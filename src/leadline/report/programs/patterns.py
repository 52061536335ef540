"""Which patterns there are, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.measure.known_patterns import KnownPattern
from leadline.report.records import Records, records_of


class OptionRow(TypedDict):
    """One option of a pattern."""

    key: str
    words: Sequence[str]
    """That it takes, the default first; empty: it takes a number, a time or lengths of a grid."""
    allowed: str
    """What it takes, in words."""


class ElsewhereRow(TypedDict):
    """What a pattern is called elsewhere."""

    vocabulary: str
    """MPI, OSU or IMB."""
    name: str
    differs: str | None
    """How what is called so differs, where the pattern is only the nearest."""


class PatternRow(TypedDict):
    """One pattern."""

    pattern: str
    measures: str
    cadence: str
    whose_time: str
    participants: int
    """Ranks that take part; 0: all."""
    suites: Sequence[str]
    """Those that it is part of."""
    options: Sequence[OptionRow]
    elsewhere: Sequence[ElsewhereRow]


class PatternsContent(TypedDict):
    """All patterns, or those asked for."""

    patterns: Sequence[PatternRow]


COLUMNS = ("pattern", "measures", "cadence", "whose_time", "participants", "suites", "elsewhere")
"""Of CSV, in which suites and names are separated by blanks."""


def patterns_content(known: Sequence[KnownPattern]) -> PatternsContent:
    """All of it."""
    return {"patterns": [_row(one) for one in known]}


def patterns_records(known: Sequence[KnownPattern]) -> Records:
    """A pattern a row."""
    rows = [
        {
            **_row(one),
            "suites": " ".join(one.suites),
            "elsewhere": " ".join(each.name for each in one.elsewhere),
        }
        for one in known
    ]
    return records_of(COLUMNS, rows)


def _row(one: KnownPattern) -> PatternRow:
    pattern = one.pattern
    return {
        "pattern": pattern.name,
        "measures": pattern.summary,
        "cadence": pattern.cadence,
        "whose_time": pattern.whose_time,
        "participants": pattern.participants,
        "suites": one.suites,
        "options": [
            {"key": option.key, "words": option.words, "allowed": option.allowed}
            for option in pattern.options.values()
        ],
        "elsewhere": [
            {
                "vocabulary": str(each.vocabulary),
                "name": each.name,
                "differs": each.differs or None,
            }
            for each in one.elsewhere
        ],
    }
