"""Tables of times, which every parser of another program's output returns; words as numbers.

Words of these texts become values that a run can hold, or are refused. Numbers are as C prints
them: no separators, no hexadecimal digits, no digits but those of ASCII.
"""

from __future__ import annotations

import math
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
    """Per operation or message; 0.0: printed as zero, too short for the digits printed."""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """The values that one benchmark printed for one number of ranks, in the order printed."""

    benchmark: str
    """Program and test in small letters, e.g. "imb_pingpong", which serves as the pattern."""
    line: int
    """Line of its heading."""
    ranks: int | None
    """None: the output doesn't state it."""
    whose_time: WhoseTime
    rows: tuple[PrintedRow, ...]
    variant: str | None = None
    """Name of what was measured in the output; None: it states none."""
    repetitions: int = 1
    """The largest number of repetitions of which a value is the median."""
    other_metrics: tuple[str, ...] = ()
    """Names of metrics in the output that are no times, and are left out."""


def name_of(title: str) -> str:
    """`title` in small letters, everything but letters and digits made one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def check_rows(table: PrintedTable, end: int) -> PrintedTable:
    """`table`; ForeignError if it has no rows, or where the text broke off at line `end`."""
    if not table.rows:
        raise ForeignError(end, f"the text ends or goes on without a value of {table.benchmark}")
    return table


MOST_RANKS = 2**31 - 1
MOST_BYTES = 10**17 - 1
LEAST_SECONDS, MOST_SECONDS = 1e-14, 1e9
"""A hundred-thousandth of a ns, and thirty years: a time beyond is in another unit, or none."""
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VANISHING = 1e-290
"""A smaller number was measured by nobody, and would become zero in some unit."""
_LONGEST = 18
"""Most digits of a whole number; a signed word of 64 bits holds so many."""


def number(word: str, line: int) -> float:
    """`word` as a number from zero up; ForeignError if it is none, or would become zero."""
    match = _NUMBER.fullmatch(word)
    value = float(word) if match else math.nan
    vanished = match is not None and value < _VANISHING and match[1].strip("0.") != ""
    if vanished or not 0 <= value < math.inf:
        raise ForeignError(line, f"{word[:40]!r} is no number from zero up")
    return value


def whole(word: str, line: int, what: str, least: int, most: int) -> int:
    """`word` as the whole number `what`, within these bounds; ForeignError if it is none."""
    digits = word.isascii() and word.isdigit() and len(word) <= _LONGEST
    if not (digits and least <= int(word) <= most):
        raise ForeignError(
            line, f"{word[:40]!r} is no {what}: whole numbers from {least} to {most:,} are"
        )
    return int(word)


def size(word: str, line: int) -> int:
    """`word` as a number of bytes; ForeignError if it is none."""
    return whole(word, line, "number of bytes", 0, MOST_BYTES)


def ranks(word: str, line: int) -> int:
    """`word` as a number of ranks; ForeignError if it is none."""
    return whole(word, line, "number of ranks", 1, MOST_RANKS)


def microseconds(word: str, line: int) -> float:
    """`word`, a time in us, in seconds; 0.0: printed as zero. ForeignError if it is none."""
    return duration(number(word, line) / 1e6, line)


def seconds_at(size_bytes: int, word: str, line: int) -> float:
    """Seconds for so many bytes at the MB/s in `word`; 0.0: it is zero. ForeignError as above."""
    rate = number(word, line)
    return duration(size_bytes / rate / 1e6, line) if rate else 0.0


def duration(seconds: float, line: int) -> float:
    """`seconds`, if zero or a time that an operation can take; else ForeignError."""
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise ForeignError(
            line, f"{seconds:g} s is no time from {LEAST_SECONDS:g} to {MOST_SECONDS:g} s; is its "
            "unit another one?"
        )  # fmt: skip
    return seconds


def name(text: str, line: int) -> str:
    """`text`, if it is printable; ForeignError where it has control characters or the like."""
    if not text.isprintable():
        raise ForeignError(
            line, f"the name {text[:40]!r} has a character that can't be shown; rename it"
        )
    return text
