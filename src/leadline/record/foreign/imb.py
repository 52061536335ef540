"""Output of the Intel MPI Benchmarks (IMB), seen with version 2021.11.

For each benchmark and number of processes "# Benchmarking PingPong", "# #processes = 2", a line
that names the columns, then rows. The value taken is t[usec], half a round trip where the benchmark
defines it so, or t_max[usec], the mean time of the slowest rank; never the bandwidth.
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
    name_of,
    ranks,
    size,
)
from leadline.record.terms import WhoseTime

_MARK = re.compile(r"#\s+Intel\(R\) MPI Benchmarks")
_HEADING = re.compile(r"# Benchmarking (\S+)")
_PROCESSES = re.compile(r"# #processes = (\S+)\s*$")
_END = "# All processes entering MPI_Finalize"
_TIMES = {"t[usec]": WhoseTime.ROOT, "t_max[usec]": WhoseTime.SLOWEST}


def recognises(lines: Sequence[str]) -> bool:
    """Whether some line is IMB's title."""
    return any(_MARK.match(line) for line in lines)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError where IMB's last line is missing."""
    ends = [i for i, line in enumerate(lines) if line.startswith(_END)]
    headings = [i for i, line in enumerate(lines) if _HEADING.match(line)]
    if max(ends, default=-1) <= max(headings, default=-1):
        raise ForeignError(len(lines), f"the text breaks off here: {_END[2:]!r} is missing")
    if not headings:
        raise ForeignError(ends[-1] + 1, "the text ends without a benchmark")
    bounds = zip(headings, [*headings[1:], ends[-1]], strict=True)
    return tuple(_table(lines, begin, end) for begin, end in bounds)


def _table(lines: Sequence[str], begin: int, end: int) -> PrintedTable:
    heading, processes = _HEADING.match(lines[begin]), _PROCESSES.match(lines[begin + 1])
    if not heading or not processes:
        raise ForeignError(
            begin + 2, f"'# #processes = N' was expected, found {lines[begin + 1][:60]!r}: groups "
            "that run at the same time (-multi) can't be imported"
        )  # fmt: skip
    names = next((at for at in range(begin + 2, end) if "#repetitions" in lines[at]), None)
    if names is None:
        raise ForeignError(end, "no line names the columns of the benchmark before it")
    columns = lines[names].split()
    time = next((name for name in _TIMES if name in columns), None)
    if time is None:
        raise ForeignError(names + 1, f"no column is called {' or '.join(_TIMES)}")
    rows = []
    for line, text in enumerate(lines[names + 1 : end], names + 2):
        words = text.split()
        if not words or text.startswith("#"):
            continue
        if len(words) != len(columns):
            raise ForeignError(line, f"has {len(words)} words, its columns are {len(columns)}")
        size_bytes = size(words[0], line) if columns[0] == "#bytes" else 0
        taken_s = microseconds(words[columns.index(time)], line)
        rows.append(PrintedRow(line, size_bytes, taken_s))
    table = PrintedTable(
        f"imb_{name_of(heading[1])}", begin + 1, ranks(processes[1], begin + 2), _TIMES[time],
        tuple(rows),
    )  # fmt: skip
    return check_rows(table, end)
