"""Output of nccl-tests (and rccl-tests), versions with "#wrong" or "error" columns.

Rows of size, count, type, perhaps operator and root, then time, algbw, busbw and errors, out of
place and again in place. The value taken is time in us, per operation, as averaged over ranks; the
bandwidths are derived from it (algbw = size / time; busbw times a factor of the collective), so
that seconds lose nothing. "N/A" for a time means that it wasn't measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.record.foreign.table import (
    ForeignError,
    PrintedRow,
    PrintedTable,
    check_rows,
    microseconds,
    name,
    name_of,
    size,
)
from leadline.record.terms import WhoseTime

_COLUMNS = re.compile(r"#\s+size\s+count\s+type\s+(\S.*\btime\s+algbw\s+busbw\s+\S+.*)")
_NAME = re.compile(r"# Collective test starting: (\S+?)(?:_perf)?\s*$")
_RANK = re.compile(r"#\s+Rank\s+([0-9]+) ")
_END = "# Avg bus bandwidth"
_EACH = 4
"""Columns of one time: time, algbw, busbw, errors."""


def recognises(lines: Sequence[str]) -> bool:
    """Whether some line names the columns of nccl-tests."""
    return any(line.startswith("#") and _COLUMNS.match(line) for line in lines)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """A table for each type, operator and root, out of place and in place."""
    begin = next(i for i, line in enumerate(lines) if _COLUMNS.match(line))
    end = next((i for i, line in enumerate(lines) if line.startswith(_END)), None)
    if end is None:
        raise ForeignError(len(lines), f"the text breaks off here: {_END[2:]!r} is missing")
    again = next((i for i in range(end, len(lines)) if _COLUMNS.match(lines[i])), None)
    if again is not None:
        raise ForeignError(again + 1, "a second test begins; put each into its own file")
    words = len(lines[begin].split()) - 1
    rows: dict[str, list[PrintedRow]] = {}
    for at in range(begin + 1, end):
        if lines[at].strip() and not lines[at].startswith("#"):
            for kind, row in _rows(lines[at].split(), words, at + 1):
                rows.setdefault(kind, []).append(row)
    ranks = {match[1] for line in lines[:begin] if (match := _RANK.match(line))}
    named = next((match[1] for line in lines[:begin] if (match := _NAME.match(line))), "")
    benchmark = name_of(f"nccl {named}")
    whole = [
        PrintedTable(
            f"{benchmark}:{kind}", begin + 1, len(ranks) or None, WhoseTime.MEAN, tuple(found)
        )
        for kind, found in rows.items()
    ]
    nothing = PrintedTable(benchmark, begin + 1, None, WhoseTime.MEAN, ())
    return tuple(check_rows(table, end) for table in whole or [nothing])


def _rows(words: Sequence[str], expected: int, line: int) -> list[tuple[str, PrintedRow]]:
    """Each time in `words` with what distinguishes its table, e.g. "float:sum:-1:in_place"."""
    if len(words) != expected:
        raise ForeignError(line, f"has {len(words)} words, its columns are {expected}")
    first = 3 + (expected - 3) % _EACH
    places = zip(("out_of_place", "in_place"), range(first, expected, _EACH), strict=False)
    return [
        (
            name(":".join([*words[2:first], place]), line),
            PrintedRow(line, size(words[0], line), microseconds(words[at], line)),
        )
        for place, at in places
        if words[at] != "N/A"
    ]
