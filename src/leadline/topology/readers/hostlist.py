"""Host lists as Slurm writes them: node[01-03,7],login."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline.topology.readers.lines import NumberedLine

MOST_HOSTS = 2**20
_COMMA_OUTSIDE_BRACKETS = re.compile(r",(?![^\[]*\])")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def expand(text: str, line: NumberedLine) -> list[str]:
    """The names in `text`: node[01-02] is node01 and node02; brackets multiply.

    Raises:
        LineError: A bracket that isn't closed, a range that isn't one or runs backwards, an empty
            name, or more names than any machine has nodes.
    """
    names: list[str] = []
    for word in _COMMA_OUTSIDE_BRACKETS.split(text):
        for name in _expanded(word, line):
            names.append(name)
            if len(names) > MOST_HOSTS:
                raise line.error(f"{text[:40]!r} names more than {MOST_HOSTS:,} hosts")
    return names


def _expanded(word: str, line: NumberedLine) -> Iterator[str]:
    match = _BRACKETS.search(word)
    if match is None:
        if not word or "[" in word or "]" in word:
            raise line.error(f"{word!r} is no host name; write e.g. node[01-03,7]")
        yield word
        return
    for part in match[1].split(","):
        for number in _numbers(part, line):
            yield from _expanded(word[: match.start()] + number + word[match.end() :], line)


def _numbers(part: str, line: NumberedLine) -> Iterator[str]:
    match = _RANGE.fullmatch(part)
    first, last = (match[1], match[2] or match[1]) if match else ("1", "0")
    if int(first) > int(last):
        raise line.error(f"{part!r} is no range of host numbers; write e.g. 01-16")
    for number in range(int(first), int(last) + 1):
        yield str(number).zfill(len(first))
