"""Output of the OSU micro-benchmarks (OMB), versions 2 to 7, over MPI, NCCL or OpenSHMEM.

A heading "# OSU MPI Latency Test v7.4", comments, one that names the columns, then rows of a size
and values. The value taken is the first one; of non-blocking collectives it is "Pure Comm.", the
time without computation. A bandwidth in MB/s (10^6 bytes) becomes the time per message, size /
bandwidth: over windows of messages, not a latency, and of both directions or all pairs together
where the test adds them up. Nothing in the output says how many ranks a collective ran on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.record.foreign.table import (
    MOST_RANKS,
    ForeignError,
    PrintedRow,
    PrintedTable,
    check_rows,
    microseconds,
    name_of,
    seconds_at,
    size,
    whole,
)
from leadline.record.terms import WhoseTime

HEADING = re.compile(r"#\s*(OSU .+?)(?: Test)?(?: v[\d.]\S*| \(Version [\d.]+\))\s*$")
_PAIRS = re.compile(r"#\s*\[ pairs: (\S+) \]")
_COLUMNS = re.compile(r"#\s*((?:Size\s+)?\S.*(?:\(us\)|MB/s).*)")
_POINT_TO_POINT = re.compile(r"OSU \S+ (?:Latency|Bandwidth|Bi-Directional Bandwidth)$")
_PREFERRED = "Pure Comm.(us)"


def recognises(lines: Sequence[str]) -> bool:
    """Whether some line is OSU's heading."""
    return any(HEADING.match(line) for line in lines)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; what stands before the first heading is passed over."""
    headings = [i for i, line in enumerate(lines) if line.startswith("#") and HEADING.match(line)]
    ends = [*headings[1:], len(lines)]
    return tuple(_table(lines, begin, end) for begin, end in zip(headings, ends, strict=True))


def _table(lines: Sequence[str], begin: int, end: int) -> PrintedTable:
    heading = HEADING.match(lines[begin])
    title = heading[1] if heading else ""
    single = _POINT_TO_POINT.match(title) is not None
    ranks: int | None = 2 if single else None
    columns: list[str] = []
    rows: list[PrintedRow] = []
    for at in range(begin + 1, end):
        line = lines[at]
        if line.startswith("#"):
            pairs, named = _PAIRS.match(line), _COLUMNS.match(line)
            if pairs:
                ranks = 2 * whole(pairs[1], at + 1, "number of pairs", 1, MOST_RANKS // 2)
            columns = re.split(r"\s{2,}", named[1].strip()) if named else columns
        elif line and not line.isspace():
            rows.append(_row(line.split(), columns, at + 1))
    whose = WhoseTime.ROOT if single else WhoseTime.MEAN
    return check_rows(PrintedTable(name_of(title), begin + 1, ranks, whose, tuple(rows)), end)


def _row(words: Sequence[str], columns: Sequence[str], line: int) -> PrintedRow:
    """The row in `words` under `columns`; a barrier has no column of sizes."""
    if not columns:
        raise ForeignError(line, "stands before the line that names the columns")
    if len(words) != len(columns):
        raise ForeignError(
            line, f"has {len(words)} words where {len(columns)} were announced: cut short, or "
            "another program's"
        )  # fmt: skip
    sized = columns[0] == "Size"
    place = columns.index(_PREFERRED) if _PREFERRED in columns else int(sized)
    size_bytes = size(words[0], line) if sized else 0
    if "(us)" in columns[place]:
        return PrintedRow(line, size_bytes, microseconds(words[place], line))
    return PrintedRow(line, size_bytes, seconds_at(size_bytes, words[place], line))
