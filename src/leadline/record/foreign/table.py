"""What every parser of another program's output returns: tables of times."""

from __future__ import annotations

import re
from dataclasses import dataclass

from leadline.record.terms import WhoseTime


class ForeignError(Exception):
    """A line isn't what the format says; `line` counts from 1, the message says how."""

    def __init__(self, line: int, problem: str) -> None:
        """Keeps the number of the `line` beside the message."""
        self.line = line
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A value, and the line that printed it."""

    line: int
    size_bytes: int
    seconds: float
    """Per operation or message; 0.0: printed as nought, too short for the digits printed."""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """What one benchmark printed for one number of ranks, in the order printed."""

    benchmark: str
    """Program and test in small letters, e.g. "imb_pingpong", which serves as the pattern."""
    line: int
    """Where its heading stands."""
    ranks: int | None
    """None: the output doesn't say."""
    whose_time: WhoseTime
    rows: tuple[PrintedRow, ...]
    variant: str | None = None
    """What was measured, as the output names it; None: it doesn't say."""
    repetitions: int = 1
    """The most behind one value, which is their median."""
    other_metrics: tuple[str, ...] = ()
    """What else the output has, and isn't here: it is no time."""


def name_of(title: str) -> str:
    """`title` in small letters, everything but letters and digits made one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def check_rows(table: PrintedTable, end: int) -> PrintedTable:
    """`table`; ForeignError if it has no rows, or where the text broke off at line `end`."""
    if not table.rows:
        raise ForeignError(end, f"the text ends or goes on without a value of {table.benchmark}")
    return table
