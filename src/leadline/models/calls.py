"""Calls of a program: the operations of a step, their sizes and counts, as a TOML text.

docs/reference.md has the keys of a [[call]].
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np

from leadline.errors import FileError, UsageError, unknown_name
from leadline.statistics.intervals import Floats
from leadline.units import MOST_BYTES, format_size, parse_size

MOST = 10**12
"""Most steps of a program and calls of a step; more is a typing error."""
MOST_RANKS = 2**24
MOST_POWER = 3
ROUNDING = 1e-14
"""Relative rounding error of a quotient by a root of p."""
_DIVIDED = re.compile(r"([^/]*\S)\s*/(.*)")
_POWER = re.compile(r"\s*p\s*(?:\^\s*(?:\(\s*(\d+/\d+)\s*\)|(\d+(?:\.\d+)?)))?\s*")
_HEADER = re.compile(r"\s*\[\[\s*call\s*\]\]")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class CallSize:
    """Size that is the same on any number of ranks p, or divided by a power of p."""

    bytes: int
    power: Fraction = Fraction(0)
    """Power of p that divides the size; 0: the size is the same on any p."""

    def shares(self, ranks: Floats) -> Floats:
        """Bytes on `ranks`, fractional where the division leaves a remainder."""
        return np.asarray(self.bytes / np.power(ranks, float(self.power)), dtype=np.float64)

    def on(self, ranks: Floats) -> Floats:
        """Whole bytes on `ranks`: the largest of shares that differ by a remainder."""
        return np.asarray(np.ceil(self.shares(ranks) * (1 - ROUNDING)), dtype=np.float64)

    def __str__(self) -> str:
        """Text of the size, e.g. "8 KiB", "1 MiB / p", "1 GiB / p^2", "1 MiB / p^(2/3)"."""
        if self.power == 0:
            return format_size(self.bytes)
        exponent = str(self.power) if self.power.denominator == 1 else f"({self.power})"
        return f"{format_size(self.bytes)} / p{f'^{exponent}' * (self.power != 1)}"


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """Operation of a step."""

    pattern: str
    """Name of the pattern, with its options."""
    size: CallSize
    count: float = 1.0
    """Calls per step; 0.1: one in every tenth step."""
    ranks: int | None = None
    """Ranks of a group, where all groups call at once; None: all ranks take part."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of a program, in the order of the text."""

    calls: tuple[ProgramCall, ...] = ()
    steps: int = 1


def parse_calls(text: str, file: str, known: Callable[[str], str] = str) -> Calls:
    """Calls of the program described by `text`, which errors call `file`.

    `known` gives the pattern that a name means, and raises a UsageError where it means none.

    Raises:
        FileError: Not TOML, no call, a key that is unknown or missing, an invalid value.
    """
    source = _Source(text.removeprefix("\ufeff"), file)
    table = source.table()
    source.refuse_others(table, ("steps", "call"), None)
    tables = table.get("call", [])
    if not isinstance(tables, list) or not all(isinstance(call, dict) for call in tables):
        raise source.error("call", None, "call is not a list of tables; write [[call]] above each")
    if not tables:
        raise FileError(file, None, "no call in it; write [[call]], pattern = ... and size = ...")
    steps = 1
    if "steps" in table:
        steps = source.read(table, "steps", None, _whole("steps", 1, MOST, "100"))
    calls = (_call(call, place, source, known) for place, call in enumerate(tables))
    return Calls(tuple(calls), steps)


# -- values ----------------------------------------------------------------------------------------


def _call(
    table: Mapping[str, object], place: int, source: _Source, known: Callable[[str], str]
) -> ProgramCall:
    """Call in the [[call]] of index `place`."""

    def pattern(value: object) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise UsageError(f'pattern {_seen(value)} is not a name; write e.g. "allreduce"')
        return known(value.strip())

    def count(value: object) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST:
            return float(value)
        raise UsageError(
            f"count {_seen(value)} is not a number above 0 and up to {MOST:,}; write e.g. 10, or "
            "0.1 for a call in every tenth step"
        )

    if "steps" in table:
        raise source.error("steps", place, "steps are the program's; write it above all [[call]]")
    source.refuse_others(table, ("pattern", "size", "count", "ranks"), place)
    for key, example in (("pattern", '"allreduce"'), ("size", '"8KiB"')):
        if key not in table:
            raise source.error(None, place, f"a call lacks its {key}; write {key} = {example}")
    ranks = _whole("ranks", 2, MOST_RANKS, "4")
    return ProgramCall(
        pattern=source.read(table, "pattern", place, pattern),
        size=source.read(table, "size", place, _size),
        count=source.read(table, "count", place, count) if "count" in table else 1.0,
        ranks=source.read(table, "ranks", place, ranks) if "ranks" in table else None,
    )


def _size(value: object) -> CallSize:
    """Size of a call, as a number of bytes, "8KiB", or "1MiB/p^2"."""
    if not isinstance(value, str):
        return CallSize(_whole("size", 0, MOST_BYTES, '8192, "8KiB" or "1MiB/p"')(value))
    divided = _DIVIDED.fullmatch(value)
    if not divided:
        return CallSize(parse_size(value))
    size, divisor = parse_size(divided[1]), divided[2]
    match = _POWER.fullmatch(divisor)
    written = (match[1] or match[2] or "1") if match else "0"
    power = Fraction(written) if len(written) <= 10 and not written.endswith("/0") else Fraction(0)
    if not 0 < power <= MOST_POWER:
        raise UsageError(
            f"size {value[:40]!r} is divided by {divisor.strip()[:20]!r}, which isn't p, the "
            f"number of ranks, nor a power of it above 0 and up to {MOST_POWER}; write p, p^2 or "
            "p^(2/3)"
        )
    return CallSize(size, power)


def _whole(what: str, least: int, most: int, example: str) -> Callable[[object], int]:
    """Reader of whole numbers from `least` to `most`."""

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UsageError(
                f"{what} {_seen(value)} is not a whole number from {least} to {most:,}; "
                f"write e.g. {example}"
            )
        return value

    return check


def _seen(value: object) -> str:
    """Representation of a TOML value in an error."""
    try:
        return repr(value)[:40]
    except ValueError:  # an integer of thousands of digits
        return "of thousands of digits"


# -- places ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    """TOML text, with the lines of its keys, which parsed values don't have."""

    text: str
    file: str

    def table(self) -> dict[str, object]:
        """Parsed text."""
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise FileError(self.file, None, "not TOML: lists within lists, too deep") from None
        except ValueError as error:
            at = _AT_LINE.search(str(error))
            line = int(at[1]) if at else None
            problem = _AT_LINE.sub("", str(error))
            raise FileError(
                self.file, line, f'not TOML: {problem}; write e.g. size = "8KiB"'
            ) from None

    def read(
        self,
        table: Mapping[str, object],
        key: str,
        place: int | None,
        reader: Callable[[object], _Value],
    ) -> _Value:
        """Value of `key` by `reader`, whose UsageError becomes one with the line."""
        try:
            return reader(table[key])
        except UsageError as error:
            raise self.error(key, place, str(error)) from None

    def refuse_others(
        self, table: Mapping[str, object], keys: Collection[str], place: int | None
    ) -> None:
        """Raises a FileError for the first key that isn't one of `keys`."""
        for key in table:
            if key not in keys:
                raise self.error(key, place, str(unknown_name("key", key[:40], keys)))

    def error(self, key: str | None, place: int | None, problem: str) -> FileError:
        """Error at the line of `key`, in the call of index `place`, or at the call's own line."""
        return FileError(self.file, self._line(key, place), problem)

    def _line(self, key: str | None, place: int | None) -> int | None:
        """Line of `key`, else of the call's header; None: unknown."""
        lines = self.text.splitlines()
        headers = [n for n, line in enumerate(lines, 1) if _HEADER.match(line)]
        if place is not None and place >= len(headers):
            return None  # calls are written in another way
        first = None if place is None else headers[place]
        end = [*headers, len(lines) + 1][len(headers) if place is None else place + 1]
        begins = re.compile(rf"""\s*["'\[]*\s*{re.escape(key or "")}["']?\s*[\].=]""")
        places = range(first or 1, end) if key else ()
        return next((n for n in places if begins.match(lines[n - 1])), first)
