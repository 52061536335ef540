"""Text files of words in lines: what is on them, and errors that name file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.errors import FileError, UsageError


class LineError(FileError, UsageError):
    """A machine's or a graph's description, which the command line names, isn't one."""


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """The words of a line that has any, and its 1-based number; None of an option's words."""

    file: str
    number: int | None
    words: tuple[str, ...]

    def error(self, problem: str) -> LineError:
        """A LineError for this line."""
        return LineError(self.file, self.number, problem)


_ENDS = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"[^ \t\r\n]+")


def lines_of(text: str) -> list[str]:
    """Its lines, without their ends: those alone, for Python also ends one at U+2028 and others."""
    return _ENDS.split(_ENDS.sub("\n", text).removesuffix("\n")) if text else []


def words_of(line: str) -> tuple[str, ...]:
    """Its words, between blanks and tabs alone: other space is a character like any."""
    return tuple(_WORD.findall(line))


def content_lines(text: str, file: str) -> Iterator[NumberedLine]:
    """The lines of `text` that hold more than blanks and a comment (# to the end of the line).

    LineError for a control character, which a host's name would carry into a launcher's file. A
    byte order mark before the text is none of it.
    """
    for number, line in enumerate(lines_of(text.removeprefix("\ufeff")), 1):
        found = NumberedLine(file, number, words_of(line.partition("#")[0]))
        if found.words:
            yield printed(found)


def printed(line: NumberedLine) -> NumberedLine:
    """`line`; LineError where one of its words can't be printed."""
    odd = next((word for word in line.words if not word.isprintable()), None)
    if odd is not None:
        raise line.error(f"{odd[:40]!r} has a character that can't be printed")
    return line


def whole(text: str, line: NumberedLine, what: str, least: int = 0) -> int:
    """The whole number in `text`; a LineError says what it should have been."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 10):
        raise line.error(f"{what} {text[:40]!r} is not a whole number of at most ten digits")
    if int(text) < least:
        raise line.error(f"{what} {text!r} must be at least {least}")
    return int(text)
