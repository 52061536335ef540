"""Words of other programs' texts as the values that they stand for, none that a run can't hold.

Numbers are as C prints them: no separators, no hexadecimal digits, no digits but those of ASCII.
"""

from __future__ import annotations

import math
import re

from leadline.record.foreign.table import ForeignError

MOST_RANKS = 2**31 - 1
MOST_BYTES = 10**17 - 1
LEAST_SECONDS, MOST_SECONDS = 1e-14, 1e9
"""A hundred-thousandth of a ns, and thirty years: a time beyond is in another unit, or none."""
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_VANISHING = 1e-290
"""A smaller one is nothing that anybody measured, and nought in some unit."""
_LONGEST = 18
"""Digits of a whole number; a signed word of 64 bits holds so many."""


def number(word: str, line: int) -> float:
    """`word` as a number from zero up; ForeignError if it is none, or would become nought."""
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
    """`word`, a time in us, in seconds; 0.0: printed as nought. ForeignError if it is none."""
    return duration(number(word, line) / 1e6, line)


def seconds_at(size_bytes: int, word: str, line: int) -> float:
    """What so many bytes take at the MB/s in `word`; 0.0: it is nought. ForeignError as above."""
    rate = number(word, line)
    return duration(size_bytes / rate / 1e6, line) if rate else 0.0


def duration(seconds: float, line: int) -> float:
    """`seconds`, nought or a time that something can take; else ForeignError."""
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise ForeignError(
            line, f"{seconds:g} s is no time from {LEAST_SECONDS:g} to {MOST_SECONDS:g} s; is its "
            "unit another one?"
        )  # fmt: skip
    return seconds


def name(text: str, line: int) -> str:
    """`text`, if it can be shown; ForeignError where it has control characters or the like."""
    if not text.isprintable():
        raise ForeignError(
            line, f"the name {text[:40]!r} has a character that can't be shown; rename it"
        )
    return text
