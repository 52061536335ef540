"""Lengths of axes as they are written: 8x4x1."""

from __future__ import annotations

import math
import re

from leadline.errors import UsageError

MOST_SLOTS = 2**24
"""More than any machine has cores; what is larger is a slip of the keyboard."""
MOST_DIMS = 32
_LENGTH = re.compile(r"-?[0-9]+")


def parse_dims(text: str, what: str) -> tuple[int, ...]:
    """The lengths in e.g. "8x4x1", all at least 1 and their product at most MOST_SLOTS.

    Args:
        text: What the user wrote.
        what: What the errors call it.

    Raises:
        UsageError: Not a list of lengths, one below 1, too many of them or their product too large.
    """
    words = text.split("x")
    if not all(_LENGTH.fullmatch(word) for word in words):
        raise UsageError(f"{what} {text!r} is not a list of lengths; write them as in 8x4x1")
    if any(word.startswith("-") or not word.strip("0") for word in words):
        raise UsageError(f"{what} {text!r} has a length below 1; every axis needs at least 1")
    if any(len(word) > 10 for word in words) or math.prod(map(int, words)) > MOST_SLOTS:
        raise UsageError(f"{what} {text[:40]!r} is too large; {MOST_SLOTS:,} in all are the most")
    if len(words) > MOST_DIMS:
        raise UsageError(f"{what} {text[:40]!r} has {len(words)} axes; {MOST_DIMS} are the most")
    return tuple(map(int, words))
