"""What NetPIPE prints on the terminal, seen with version 3.7.2 over TCP.

Lines such as "  3:  4 bytes  9593 times -->  4.38 Mbps in  6.96 usec". The value taken is
the time: of one message one way, half the round trip, unless NetPIPE was told to stream. Its Mbps
(2^20 bits) is that size over that time, with fewer digits for small messages. Two ranks always.
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
    size,
)
from leadline.record.terms import WhoseTime

_BEGIN = "Now starting the main loop"
_ROW = re.compile(r"\s*\d+:\s+(\S+) bytes\s+\d+ times -->\s+\S+ Mbps in\s+(\S+) usec\s*$")


def recognises(lines: Sequence[str]) -> bool:
    """Whether the line before NetPIPE's first row, or a row, is there."""
    return any(line.startswith(_BEGIN) or _ROW.match(line) for line in lines)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The one table in `lines`; what stands before its rows is passed over."""
    begin = next((i + 1 for i, line in enumerate(lines) if line.startswith(_BEGIN)), 0)
    rows = []
    for at in range(begin, len(lines)):
        match = _ROW.match(lines[at])
        if match:
            taken_s = microseconds(match[2], at + 1)
            rows.append(PrintedRow(at + 1, size(match[1], at + 1), taken_s))
        elif lines[at].strip():
            raise ForeignError(at + 1, f"{lines[at][:60]!r} is no row of NetPIPE: cut short?")
    table = PrintedTable("netpipe", max(begin, 1), 2, WhoseTime.ROOT, tuple(rows))
    return (check_rows(table, len(lines)),)
