"""A program's calls: which operations a step has, of which size, how often; a text of TOML.

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
"""Steps of a program and calls of a step; what is more is a slip of the keyboard."""
MOST_RANKS = 2**24
MOST_POWER = 3
ROUNDING = 1e-14
"""What a quotient by a root of p may be off by, relatively."""
_DIVIDED = re.compile(r"([^/]*\S)\s*/(.*)")
_POWER = re.compile(r"\s*p\s*(?:\^\s*(?:\(\s*(\d+/\d+)\s*\)|(\d+(?:\.\d+)?)))?\s*")
_HEADER = re.compile(r"\s*\[\[\s*call\s*\]\]")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class CallSize:
    """A size that is the same on any number of ranks p, or divided by a power of it."""

    bytes: int
    power: Fraction = Fraction(0)
    """Of p; 0: the size is the same."""

    def shares(self, ranks: Floats) -> Floats:
        """In bytes on so many ranks, broken where the division leaves a rest."""
        return np.asarray(self.bytes / np.power(ranks, float(self.power)), dtype=np.float64)

    def on(self, ranks: Floats) -> Floats:
        """In whole bytes on so many ranks: the largest of shares that differ by a rest."""
        return np.asarray(np.ceil(self.shares(ranks) * (1 - ROUNDING)), dtype=np.float64)

    def __str__(self) -> str:
        """E.g. "8 KiB", "1 MiB / p", "1 GiB / p^2", "1 MiB / p^(2/3)"."""
        if self.power == 0:
            return format_size(self.bytes)
        exponent = str(self.power) if self.power.denominator == 1 else f"({self.power})"
        return f"{format_size(self.bytes)} / p{f'^{exponent}' * (self.power != 1)}"


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """One operation of a step."""

    pattern: str
    """With its options."""
    size: CallSize
    count: float = 1.0
    """In a step; 0.1: in every tenth."""
    ranks: int | None = None
    """That take part together, in groups all at once; None: all ranks."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Those of a program, in the order of the text."""

    calls: tuple[ProgramCall, ...] = ()
    steps: int = 1


def parse_calls(text: str, file: str, known: Callable[[str], str] = str) -> Calls:
    """The calls in `text`; errors call it `file`.

    `known`: gives the pattern that a name means, and raises a UsageError where it means none.

    Raises:
        FileError: Not TOML, no call, a key that is unknown or lacks, a value that is none.
    """
    source = _Source(text.removeprefix("\ufeff"), file)
    table = source.table()
    source.refuse_others(table, ("steps", "call"), None)
    found = table.get("call", [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise source.error("call", None, "call is not a list of tables; write [[call]] above each")
    if not found:
        raise FileError(file, None, "no call in it; write [[call]], pattern = ... and size = ...")
    steps = source.read(table, "steps", None, _steps) if "steps" in table else 1
    calls = (_call(one, place, source, known) for place, one in enumerate(found))
    return Calls(tuple(calls), steps)


# -- values ----------------------------------------------------------------------------------------


def _call(
    table: Mapping[str, object], place: int, source: _Source, known: Callable[[str], str]
) -> ProgramCall:
    if "steps" in table:
        raise source.error("steps", place, "steps are the program's; write it above all [[call]]")
    source.refuse_others(table, ("pattern", "size", "count", "ranks"), place)
    for key, example in (("pattern", '"allreduce"'), ("size", '"8KiB"')):
        if key not in table:
            raise source.error(None, place, f"a call lacks its {key}; write {key} = {example}")
    return ProgramCall(
        pattern=source.read(table, "pattern", place, lambda value: known(_pattern(value))),
        size=source.read(table, "size", place, _size),
        count=source.read(table, "count", place, _count) if "count" in table else 1.0,
        ranks=source.read(table, "ranks", place, _ranks) if "ranks" in table else None,
    )


def _pattern(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise UsageError(f'pattern {_seen(value)} is not a name; write e.g. "allreduce"')
    return value.strip()


def _size(value: object) -> CallSize:
    if isinstance(value, str):
        divided = _DIVIDED.fullmatch(value)
        if divided:
            return CallSize(parse_size(divided[1]), _power(divided[2], value))
        return CallSize(parse_size(value))
    return CallSize(_whole(value, "size", 0, MOST_BYTES, '8192, "8KiB" or "1MiB/p"'))


def _power(divisor: str, size: str) -> Fraction:
    """That of p which a size is divided by."""
    match = _POWER.fullmatch(divisor)
    written = (match[1] or match[2] or "1") if match else "0"
    power = Fraction(written) if len(written) <= 10 and not written.endswith("/0") else Fraction(0)
    if not 0 < power <= MOST_POWER:
        raise UsageError(
            f"size {size[:40]!r} is divided by {divisor.strip()[:20]!r}, which isn't p, the number "
            f"of ranks, nor a power of it above 0 and up to {MOST_POWER}; write p, p^2 or p^(2/3)"
        )
    return power


def _count(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST:
        return float(value)
    raise UsageError(
        f"count {_seen(value)} is not a number above 0 and up to {MOST:,}; write e.g. 10, or 0.1 "
        "for a call in every tenth step"
    )


def _steps(value: object) -> int:
    return _whole(value, "steps", 1, MOST, "100")


def _ranks(value: object) -> int:
    return _whole(value, "ranks", 2, MOST_RANKS, "4")


def _whole(value: object, what: str, least: int, most: int, example: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(
            f"{what} {_seen(value)} is not a whole number from {least} to {most:,}; "
            f"write e.g. {example}"
        )
    return value


def _seen(value: object) -> str:
    """A value in an error, as TOML was read."""
    try:
        return repr(value)[:40]
    except ValueError:  # an integer of thousands of digits
        return "of thousands of digits"


# -- places ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Source:
    """A text, and where in it things stand: TOML's values don't know."""

    text: str
    file: str

    def table(self) -> dict[str, object]:
        """What the text says."""
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
        """A value by its reader, whose UsageError becomes one that says where."""
        try:
            return reader(table[key])
        except UsageError as error:
            raise self.error(key, place, str(error)) from None

    def refuse_others(
        self, table: Mapping[str, object], keys: Collection[str], place: int | None
    ) -> None:
        """A FileError for the first key that isn't one of `keys`."""
        for key in table:
            if key not in keys:
                raise self.error(key, place, str(unknown_name("key", key[:40], keys)))

    def error(self, key: str | None, place: int | None, problem: str) -> FileError:
        """That names the line of `key`, in the call of this index, or the call's own."""
        return FileError(self.file, self._line(key, place), problem)

    def _line(self, key: str | None, place: int | None) -> int | None:
        lines = self.text.splitlines()
        headers = [n for n, line in enumerate(lines, 1) if _HEADER.match(line)]
        if place is not None and place >= len(headers):
            return None  # calls are written in another way
        first = None if place is None else headers[place]
        end = [*headers, len(lines) + 1][len(headers) if place is None else place + 1]
        begins = re.compile(rf"""\s*["'\[]*\s*{re.escape(key or "")}["']?\s*[\].=]""")
        places = range(first or 1, end) if key else ()
        return next((n for n in places if begins.match(lines[n - 1])), first)
