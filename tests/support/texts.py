"""What tests read out of a text, so that they hold however it is worded."""

from __future__ import annotations

import re

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")


def numbers(text: str) -> list[str]:
    """The numbers that `text` states, as it writes them and in its order; units stand apart."""
    return NUMBER.findall(text)


def section(text: str, heading: str) -> list[str]:
    """The lines of the section of `text` whose heading begins with `heading`, that one first."""
    parts = [part.splitlines() for part in text.split("\n\n")]
    (found,) = (lines for lines in parts if lines[0].startswith(heading))
    return found


def line_with(text: str, *words: str) -> str:
    """The one line of `text` in which all of `words` stand; without words, its only one."""
    (line,) = (line for line in text.splitlines() if all(word in line for word in words))
    return line
