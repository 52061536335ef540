"""Text files with words in lines, and errors that name the file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.errors import FileError, UsageError


class LineError(FileError, UsageError):
    """A file named on the command line is no valid description of a machine or graph."""


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """The words of a line, and its 1-based number; None for the words of an option."""

    file: str
    number: int | None
    words: tuple[str, ...]

    def error(self, problem: str) -> LineError:
        """A LineError for this line."""
        return LineError(self.file, self.number, problem)


_ENDS = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"[^ \t\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of `text`, at CR and LF only; Python also splits at U+2028 and others."""
    return _ENDS.split(_ENDS.sub("\n", text).removesuffix("\n")) if text else []


def words_of(line: str) -> tuple[str, ...]:
    """The words of `line`, between blanks and tabs only: other space is part of a word."""
    return tuple(_WORD.findall(line))


def content_lines(text: str, file: str) -> Iterator[NumberedLine]:
    """The lines of `text` that hold more than blanks and a comment (# to the end of the line).

    A byte order mark before the text is skipped. LineError for a control character, which would get
    into a launcher's file with a host name.
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
