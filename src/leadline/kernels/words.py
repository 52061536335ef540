"""The words of which lines of ranks consist, and bounds that their numbers keep to.

What is let in here is recorded, and reading refuses what no machine can have measured: a number
beyond the bounds is said to be wrong while the rank that said it is still known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from leadline.record.run import LONGEST_NS
from leadline.record.slices import KNOWN_FLAGS, UNKNOWN

OWN_COLUMNS, REDUCED_COLUMNS = 3, 10
"""Of the batches of one rank, and of those that a relay reduced."""
_MOST_REPETITIONS = 2**31 - 1


def fields_of(words: Iterable[str]) -> dict[str, str]:
    """What the words "KEY=VALUE" say, without the others."""
    return dict(word.split("=", 1) for word in words if "=" in word)


def integer(word: str) -> int:
    """The integer that `word` is; ValueError where it is none, or longer than any time."""
    value = int(word)
    if abs(value) > LONGEST_NS:
        raise ValueError(f"{word[:80]} is beyond {LONGEST_NS}")
    return value


def count(word: str) -> int:
    """The whole number from 0 up, or UNKNOWN, that `word` is; ValueError where it is neither."""
    value = integer(word)
    if value < UNKNOWN:
        raise ValueError(f"{word[:80]} is below 0")
    return value


def repetitions(word: str, batches: bool) -> int:
    """The number of repetitions of a batch that `word` is; ValueError where it is none.

    It may be 0 where no `batches` follow, as of an answer that tells nothing but disturbances.
    """
    value = int(word)
    if not int(batches) <= value <= _MOST_REPETITIONS:
        raise ValueError(f"{word[:80]} is no number of repetitions")
    return value


def finite(word: str) -> float:
    """The number that `word` is; ValueError where it is none, or not finite."""
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"{word[:80]} is not finite")
    return value


def batches(numbers: npt.NDArray[np.int64], columns: int) -> npt.NDArray[np.int64]:
    """`numbers` as batches, a row each; ValueError where a row is none.

    It begins, ends after that, and is flagged as known; where a relay reduced it, the slowest rank
    and the spread are none below 0 or beyond any time either.
    """
    if columns not in (OWN_COLUMNS, REDUCED_COLUMNS):
        raise ValueError(f"batches have {OWN_COLUMNS} columns or {REDUCED_COLUMNS}")
    rows = numbers.reshape(-1, columns)
    wrong = ((rows < 0) | (rows > LONGEST_NS)).any(axis=1) | (rows[:, 1] < rows[:, 0])
    wrong |= (rows[:, 2] & ~KNOWN_FLAGS) != 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"batch {row} can't be: {rows[row].tolist()} (start, end, flags)")
    return rows
