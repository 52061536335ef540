"""Extra-P's text format: sections of one line each, their name first.

PARAMETER names, POINTS coordinates in brackets, METRIC and REGION (the call path) name what the
lines of DATA are of, one for each point in its order. Source: docs/file-formats.md of Extra-P 4.2.
A comment "# constant NAME VALUE", as `leadline export` writes it, is a parameter of its region.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.record.foreign.extrap import Point, check_parameters, tables_of
from leadline.record.foreign.table import ForeignError, PrintedTable, name, number

_SECTION = re.compile(r"(PARAMETER|POINTS|METRIC|REGION|DATA)(?:\s+(.*))?$")
_CONSTANT = re.compile(r"#\s*constant\s+(\w+)\s+(\S+)\s*$")
_COORDINATE = re.compile(r"[()]|[^\s()]+")


def recognises(lines: Sequence[str]) -> bool:
    """Whether some line is a section PARAMETER."""
    return any(re.match(r"PARAMETER\s", line) for line in lines)


def parse(lines: Sequence[str]) -> tuple[PrintedTable, ...]:
    """The tables in `lines`; ForeignError for a line that is no section, and missing DATA."""
    reader = _Reader()
    for line, text in enumerate(lines, 1):
        reader.take(line, text)
    reader.close(max(len(lines), 1))
    return tables_of(reader.found, len(lines))


class _Reader:
    """Goes through the sections and keeps what DATA lines that follow are of."""

    def __init__(self) -> None:
        self.found: list[Point] = []
        self.names: list[str] = []
        self.points: list[tuple[float, ...]] = []
        self.metric = self.path = ""
        self.constants: dict[str, float] = {}
        self.taken = 0
        """DATA lines since METRIC or REGION."""
        self.awaited = ""
        """The METRIC or REGION that no DATA line has followed yet."""

    def take(self, line: int, text: str) -> None:
        """What the line says."""
        constant = _CONSTANT.match(text)
        if constant:
            check_parameters([*self.names, *self.constants, constant[1]], line)
            self.constants[constant[1]] = number(constant[2], line)
        if not text.strip() or text.startswith("#"):
            return
        section = _SECTION.match(text.rstrip())
        if section is None:
            raise ForeignError(line, f"{text[:60]!r} is no section of Extra-P's text format")
        kind, value = section[1], section[2] or ""
        if not value:
            raise ForeignError(line, f"{kind} has nothing after it: cut short?")
        match kind:
            case "PARAMETER":
                self._parameters(line, value.split())
            case "POINTS":
                self._coordinates(line, value)
            case "DATA":
                self._data(line, value.split())
            case _:
                self._begin(line, kind, value)

    def close(self, line: int) -> None:
        """ForeignError unless the points of the last region all have their DATA."""
        self._check_whole(line)
        if self.awaited:
            raise ForeignError(line, f"the text breaks off here: {self.awaited} has no DATA")

    def _parameters(self, line: int, names: Sequence[str]) -> None:
        self.names += names
        check_parameters(self.names, line)
        if self.points:
            raise ForeignError(line, "PARAMETER stands behind POINTS, which it should precede")

    def _coordinates(self, line: int, text: str) -> None:
        if not self.names:
            raise ForeignError(line, "POINTS stands before PARAMETER, which it should follow")
        for words in _in_brackets(text, line):
            if len(words) != len(self.names):
                raise ForeignError(
                    line, f"point {' '.join(words)[:40]!r} has {len(words)} numbers, PARAMETER "
                    f"names {len(self.names)}"
                )  # fmt: skip
            self.points.append(tuple(number(word, line) for word in words))

    def _begin(self, line: int, section: str, value: str) -> None:
        """METRIC or REGION: DATA lines begin with the first point again."""
        self._check_whole(line)
        if section == "METRIC":
            self.metric = name(value, line)
        else:
            self.path, self.constants = name(value, line), {}
        self.taken, self.awaited = 0, f"{section} {value[:40]}"

    def _check_whole(self, line: int) -> None:
        if self.taken not in (0, len(self.points)):
            raise ForeignError(
                line, f"{self.taken} DATA lines end here, there are {len(self.points)} POINTS"
            )  # fmt: skip

    def _data(self, line: int, words: Sequence[str]) -> None:
        if self.taken >= len(self.points):
            raise ForeignError(line, f"one DATA line more than there are POINTS: {self.taken}")
        values = tuple(number(word, line) for word in words)
        parameters = dict(zip(self.names, self.points[self.taken], strict=True)) | self.constants
        self.found.append(Point(line, self.path, self.metric, parameters, values))
        self.taken, self.awaited = self.taken + 1, ""


def _in_brackets(text: str, line: int) -> list[list[str]]:
    """The words of each point in "(2 8) (2 16)"; one outside of brackets is a point by itself."""
    found: list[list[str]] = []
    depth = 0
    for word in _COORDINATE.findall(text):
        if word == ")":
            depth -= 1
        elif depth == 0:
            found.append([] if word == "(" else [word])
        elif word != "(":
            found[-1].append(word)
        depth += word == "("
        if depth < 0:
            break
    if depth != 0:
        raise ForeignError(line, "a bracket lacks its other: cut short?")
    return found
