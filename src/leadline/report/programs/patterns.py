"""The known patterns, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from leadline.measure.known_patterns import KnownPattern
from leadline.report.records import Records, records_of


class OptionRow(TypedDict):
    """One option of a pattern."""

    key: str
    words: Sequence[str]
    """The words that it takes, the default first; empty: a number, a time or lengths of a grid."""
    allowed: str
    """What it takes, in words."""


class ElsewhereRow(TypedDict):
    """The name of a pattern in MPI, OSU or IMB."""

    vocabulary: str
    """MPI, OSU or IMB."""
    name: str
    differs: str | None
    """How the operation of that name differs; null: the pattern is the same."""


class PatternRow(TypedDict):
    """One pattern."""

    pattern: str
    measures: str
    cadence: str
    whose_time: str
    participants: int
    """Number of ranks that take part; 0: all."""
    suites: Sequence[str]
    """The suites that it is part of."""
    options: Sequence[OptionRow]
    elsewhere: Sequence[ElsewhereRow]


class PatternsContent(TypedDict):
    """All patterns, or those that were requested."""

    patterns: Sequence[PatternRow]


COLUMNS = ("pattern", "measures", "cadence", "whose_time", "participants", "suites", "elsewhere")
"""The columns of CSV, where suites and names are separated by blanks."""


def patterns_content(known: Sequence[KnownPattern]) -> PatternsContent:
    """Everything about each pattern."""
    return {"patterns": [_row(pattern) for pattern in known]}


def patterns_records(known: Sequence[KnownPattern]) -> Records:
    """One row for each pattern."""
    rows = [
        {
            **_row(pattern),
            "suites": " ".join(pattern.suites),
            "elsewhere": " ".join(each.name for each in pattern.elsewhere),
        }
        for pattern in known
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
