"""Host lists as Slurm writes them: node[01-03,7],login."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product

from leadline.topology.readers.lines import NumberedLine

MOST_HOSTS = 2**20
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def is_host_name(text: str) -> bool:
    """Whether `text` is a valid host name: one word of a launcher's file and command line."""
    return _HOST.fullmatch(text) is not None


def check_host(name: str, line: NumberedLine) -> str:
    """`name`, if it is a valid host name; else LineError."""
    if not is_host_name(name):
        raise line.error(
            f"{name[:40]!r} is no host name; it takes letters, digits and . _ -, the first no sign"
        )
    return name


def expand_hosts(text: str, line: NumberedLine) -> list[str]:
    """As `expand`; LineError also for invalid host names."""
    words = _words(text, line)
    for word in words:
        if not is_host_name(word.example):
            raise line.error(f"{word.text[:40]!r} is no host name; write e.g. node[01-03,7]")
    return list(chain.from_iterable(map(_names, words)))


def expand(text: str, line: NumberedLine) -> list[str]:
    """The names in `text`: node[01-02] is node01 and node02; brackets multiply.

    Raises:
        LineError: A bracket that isn't closed, an invalid range or one that runs backwards, an
            empty name, or more than MOST_HOSTS names, which are counted before one is made.
    """
    return list(chain.from_iterable(map(_names, _words(text, line))))


@dataclass(frozen=True, slots=True)
class _Range:
    """A range of numbers in brackets, written with at least `digits` digits."""

    first: int
    last: int
    digits: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    def texts(self) -> Iterator[str]:
        return (str(number).zfill(self.digits) for number in range(self.first, self.last + 1))


@dataclass(frozen=True, slots=True)
class _Word:
    """The text between two commas: literals, and the ranges of the brackets between them."""

    text: str
    literals: tuple[str, ...]
    brackets: tuple[tuple[_Range, ...], ...]

    @property
    def example(self) -> str:
        """A name with all characters that its names have, but for digits."""
        return "0".join(self.literals)

    @property
    def count(self) -> int:
        return math.prod(sum(range_.count for range_ in ranges) for ranges in self.brackets)


def _names(word: _Word) -> Iterator[str]:
    numbers = [[text for range_ in ranges for text in range_.texts()] for ranges in word.brackets]
    first, *others = word.literals
    for chosen in product(*numbers):
        parts = zip(chosen, others, strict=True)
        yield first + "".join(number + literal for number, literal in parts)


def _words(text: str, line: NumberedLine) -> list[_Word]:
    """The words of `text`, which together name at most MOST_HOSTS."""
    words = [_word(word, line) for word in _between_commas(text)]
    if (names := sum(word.count for word in words)) > MOST_HOSTS:
        raise line.error(f"{text[:40]!r} names {names:,} hosts; {MOST_HOSTS:,} are the most")
    return words


def _between_commas(text: str) -> Iterator[str]:
    """The words of `text`; a comma in brackets is part of one."""
    pieces: list[str] = []
    for piece in text.split(","):
        pieces.append(piece)
        opened, closed = piece.rfind("["), piece.rfind("]")
        inside = len(pieces) > 1 if opened == closed else opened > closed  # both -1: as before
        if not inside:
            yield ",".join(pieces)
            pieces.clear()
    if pieces:
        yield ",".join(pieces)


def _word(text: str, line: NumberedLine) -> _Word:
    parts = _BRACKETS.split(text)
    literals, bodies = parts[::2], parts[1::2]
    if not text or any("[" in literal or "]" in literal for literal in literals):
        raise line.error(f"{text[:40]!r} is no host name; write e.g. node[01-03,7]")
    brackets: list[tuple[_Range, ...]] = []
    for body in bodies:
        ranges: list[_Range] = []
        for part in body.split(","):
            match = _RANGE.fullmatch(part)
            first, last = (match[1], match[2] or match[1]) if match else ("1", "0")
            if int(first) > int(last):
                raise line.error(f"{part[:40]!r} is no range of host numbers; write e.g. 01-16")
            ranges.append(_Range(int(first), int(last), len(first)))
        brackets.append(tuple(ranges))
    return _Word(text, tuple(literals), tuple(brackets))
