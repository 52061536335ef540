"""What tests read out of a text, so that they hold however it is worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

Given = TypeVar("Given")

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
LONGEST_KEY = 120
"""Characters of an input that stands in a table of refusals."""
PROGRESS = re.compile(r"\b\d+(?= batches done, running)")


def numbers(text: str) -> list[str]:
    """The numbers that `text` states, as it writes them and in its order; units stand apart."""
    return NUMBER.findall(text)


def section(text: str, heading: str) -> list[str]:
    """The lines of the section of `text` whose heading begins with `heading`, that one first."""
    parts = [part.splitlines() for part in text.split("\n\n")]
    (found,) = (lines for lines in parts if lines[0].startswith(heading))
    return found


def refusals(
    read: Callable[[Given], object], given: Iterable[Given], error: type[Exception]
) -> dict[str, str]:
    """What `read` says to each of `given`, which it must refuse with `error`; for a snapshot."""
    message = {}
    for one in given:
        key = repr(one)
        if len(key) > LONGEST_KEY:
            key = f"{key[: LONGEST_KEY // 2]} ... {key[-LONGEST_KEY // 3 :]}"
        assert key not in message, f"twice: {key}"
        try:
            read(one)
        except error as refusal:
            message[key] = str(refusal)
        else:
            raise AssertionError(f"not refused: {key}")
    return message


def without_progress(text: str) -> str:
    """What is said of ranks that hang, but for how many batches the others had done by then."""
    return PROGRESS.sub("N", text)


def line_with(text: str, *words: str) -> str:
    """The one line of `text` in which all of `words` stand; without words, its only one."""
    (line,) = (line for line in text.splitlines() if all(word in line for word in words))
    return line


def lines_from(speaker: str, text: str) -> list[str]:
    """The lines of `text` that begin with `speaker`, among those of launchers and libraries."""
    return [line for line in text.splitlines() if line.startswith(speaker)]
