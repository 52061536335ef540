"""JSON whose values know the line that they stand on, so that errors can name it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.record.foreign.table import ForeignError, name, number

DEEPEST = 32
"""The most lists and objects within each other; the formats that are read have six."""
_TOKEN = re.compile(
    r"[ \t\r\n]*"
    r'([\[\]{},:]|"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d[\d.eE+-]*|true\b|false\b|null\b)'
)
_BLANK = re.compile(r"[ \t\r\n]*")
_KINDS = {
    str: "a text", bool: "true or false", int: "a number", float: "a number",
    dict: "an object", list: "a list", type(None): "null",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Located:
    """A value of JSON; asking for it as another kind than it is raises ForeignError."""

    line: int
    """Where it begins, from 1."""
    value: object
    """As by `json.loads`, but the members of objects and the items of lists are Located."""

    def members(self, what: str) -> Mapping[str, Located]:
        """The members of an object, in their order; `what` names it in the error."""
        if isinstance(self.value, dict):
            return self.value
        raise self._other("an object", what)

    def member(self, name: str, what: str) -> Located:
        """The member `name` of an object."""
        found = self.members(what).get(name)
        if found is None:
            raise ForeignError(self.line, f"{what} has no {name!r}")
        return found

    def items(self, what: str) -> Sequence[Located]:
        """The items of a list."""
        if isinstance(self.value, list):
            return self.value
        raise self._other("a list", what)

    def text(self, what: str) -> str:
        """A string of printable characters."""
        if isinstance(self.value, str):
            return name(self.value, self.line)
        raise self._other("a text", what)

    def amount(self, what: str) -> float:
        """A finite number from 0 up."""
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return number(repr(self.value), self.line)
        raise self._other("a number", what)

    def amounts(self, what: str) -> tuple[float, ...]:
        """A list of such numbers, which isn't empty."""
        if not self.items(what):
            raise ForeignError(self.line, f"{what} is an empty list")
        return tuple(one.amount(what) for one in self.items(what))

    def _other(self, wanted: str, what: str) -> ForeignError:
        found = _KINDS[type(self.value)]
        return ForeignError(self.line, f"{what} should be {wanted}, found {found}")


def located(text: str, line: int = 1) -> Located:
    """The single value in `text`, which begins on `line`; ForeignError where it isn't JSON."""
    reader = _Reader(text, line)
    found = reader.value(reader.token(), 0)
    if reader.rest():
        raise ForeignError(reader.line, f"{reader.rest()!r} follows where the JSON has ended")
    return found


class _Reader:
    """Goes through a text token by token."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.line, self.at = text, line, 0

    def token(self) -> str:
        """The next token; `line` is then the line that it stands on."""
        match = _TOKEN.match(self.text, self.at)
        begin = match.start(1) if match else self._blank()
        self.line += self.text.count("\n", self.at, begin)
        if match is None:
            self.at = begin
            found = self.text[begin : begin + 20]
            complaint = f"{found!r} is no JSON" if found else "the text breaks off here"
            raise ForeignError(self.line, complaint)
        self.at = match.end()
        return match[1]

    def rest(self) -> str:
        """The text that comes next, shortened; "": nothing but blanks."""
        begin = self._blank()
        self.line += self.text.count("\n", self.at, begin)
        self.at = begin
        return self.text[begin : begin + 20]

    def value(self, token: str, depth: int) -> Located:
        """The value that begins with `token`, which was just taken."""
        line = self.line
        if depth > DEEPEST:
            raise ForeignError(line, f"more than {DEEPEST} lists and objects within each other")
        if token == "{":
            return Located(line, self._object(depth))
        if token == "[":
            return Located(line, self._list(depth))
        try:
            return Located(line, json.loads(token))
        except ValueError:
            raise ForeignError(line, f"{token[:20]!r} is no value of JSON") from None

    def _object(self, depth: int) -> dict[str, Located]:
        found: dict[str, Located] = {}
        token = self.token()
        while token != "}":
            member = self.value(token, depth + 1).text("the name of a member")
            if member in found:
                raise ForeignError(self.line, f"the object has two members {member[:60]!r}")
            self._expect(self.token(), ":")
            found[member] = self.value(self.token(), depth + 1)
            token = self._after_comma("}")
        return found

    def _list(self, depth: int) -> list[Located]:
        found: list[Located] = []
        token = self.token()
        while token != "]":
            found.append(self.value(token, depth + 1))
            token = self._after_comma("]")
        return found

    def _after_comma(self, end: str) -> str:
        """`end`, or the token behind a comma."""
        token = self.token()
        if token == end:
            return token
        self._expect(token, ",", end)
        token = self.token()
        if token == end:
            raise ForeignError(self.line, f"{end!r} follows a comma")
        return token

    def _expect(self, token: str, *wanted: str) -> None:
        if token not in wanted:
            kinds = " or ".join(map(repr, wanted))
            raise ForeignError(self.line, f"{kinds} was expected, found {token[:20]!r}")

    def _blank(self) -> int:
        match = _BLANK.match(self.text, self.at)
        return match.end() if match else self.at
