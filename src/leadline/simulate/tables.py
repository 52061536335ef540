"""Tables of a TOML file in which every value is checked; errors report its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from leadline.errors import FileError, unknown_name

MOST_RATE, MOST_SECONDS, MOST_WHOLE = 1e30, 1e6, 2**40
"""Limits far beyond any machine, and far from where arithmetic fails."""
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_ROW = re.compile(r"\[(\d+)\]$")
_QUOTES = re.compile("[\"']")


def load_table(text: str, file: str) -> TomlTable:
    """The outermost table of `text`; FileError where that isn't TOML."""
    try:
        return TomlTable(text, file, "", tomllib.loads(text))
    except RecursionError:
        raise FileError(file, None, "not TOML: lists within lists, too deep") from None
    except ValueError as error:
        at = _AT_LINE.search(str(error))
        problem = f"not TOML: {_AT_LINE.sub('', str(error))}; write e.g. latency_s = 1e-6"
        raise FileError(file, int(at[1]) if at else None, problem) from None


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table with its place in the text, which values of tomllib lack."""

    text: str
    file: str
    path: str
    values: Mapping[str, Any]
    key: str = ""
    """The last part of its path, which may contain dots; "" for the outermost table or a row."""

    def refuse_others(self, *keys: str) -> None:
        """FileError: a key isn't one of `keys`."""
        for key in self.values:
            if key not in keys:
                what = f"key of [{self.path}]" if self.path else "key"
                raise self.error(key, str(unknown_name(what, key[:40], keys)))

    def rate(self, key: str) -> float:
        """A number above 0."""
        return self._number(key, MOST_RATE, "16e9")

    def seconds(self, key: str) -> float:
        """A number, at least 0."""
        return self._number(key, MOST_SECONDS, "1e-6", zero=True)

    def share(self, key: str) -> float:
        """A number above 0, at most 1."""
        return self._number(key, 1.0, "0.5")

    def _number(self, key: str, most: float, example: str, *, zero: bool = False) -> float:
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            what = f"is not a number; write e.g. {example}"
            raise self.error(key, f"{self._full(key)} = {_seen(value)} {what}")
        if not 0 <= value <= most or (value == 0 and not zero):
            what = f"must be {'0 or more' if zero else 'more than 0'}, and at most {most:g}"
            raise self.error(key, f"{self._full(key)} = {_seen(value)} {what}")
        return float(value)

    def optional_rate(self, key: str) -> float | None:
        """A number above 0, or None where there is none."""
        return self.rate(key) if key in self.values else None

    def whole(self, key: str, *, least: int) -> int:
        """A whole number."""
        value: int = self._value(key)
        if not _is_whole(value, least):
            what = f"is not a whole number, {least} to 2^40; write e.g. {max(least, 8)}"
            raise self.error(key, f"{self._full(key)} = {_seen(value)} {what}")
        return value

    def truth(self, key: str) -> bool:
        """A boolean; false where there is none."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"{self._full(key)} = {_seen(value)} must be true or false")
        return value

    def word(self, key: str) -> str:
        """A text that isn't empty."""
        value = self._value(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(
                key, f'{self._full(key)} = {_seen(value)} is no text; write {key} = ".."'
            )
        return value

    def choice(self, key: str, valid: Collection[str]) -> str:
        """One of `valid`."""
        value = self.word(key)
        if value not in valid:
            raise self.error(key, str(unknown_name(self._full(key), value, valid)))
        return value

    def wholes(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers, at least 1; empty where there is none."""
        values = self.values.get(key, [])
        if not isinstance(values, list) or not all(_is_whole(value, 1) for value in values):
            what = "is no list of whole numbers, 1 to 2^40; write e.g. [4, 2]"
            raise self.error(key, f"{self._full(key)} = {_seen(values)} {what}")
        return tuple(values)

    def table(self, key: str, *, needed: bool = True) -> TomlTable:
        """A table in this one; an empty one where there is none and none is `needed`."""
        value = self._value(key) if needed else self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.error(
                key, f"{self._full(key)} = {_seen(value)} is no table; write [{self._full(key)}]"
            )
        return TomlTable(self.text, self.file, self._full(key), value, key)

    def tables(self) -> list[TomlTable]:
        """All tables in this one, which contains nothing else."""
        if not self.values:
            raise self.error(None, f"[{self.path}] is empty; give one at least")
        return [self.table(key) for key in self.values]

    def rows(self, key: str) -> list[TomlTable]:
        """The tables of a list of tables."""
        rows = self._value(key)
        if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
            what = f"{self._full(key)} is no list of tables; write [[{self._full(key)}]]"
            raise self.error(key, what)
        paths = [f"{self._full(key)}[{number}]" for number in range(len(rows))]
        return [TomlTable(self.text, self.file, *row) for row in zip(paths, rows, strict=True)]

    def words(self) -> dict[str, str]:
        """The text of each key."""
        return {key: self.word(key) for key in self.values}

    def lists(self) -> dict[str, tuple[str, ...]]:
        """The list of texts of each key."""
        for key, value in self.values.items():
            texts = value if isinstance(value, list) else []
            if not texts or not all(isinstance(one, str) and one.strip() for one in texts):
                what = f"{self._full(key)} is no list of texts; name the figures it was fitted to"
                raise self.error(key, what)
        return {key: tuple(value) for key, value in self.values.items()}

    def leaves(self) -> Iterator[str]:
        """The full keys of all values in this table and the tables in it."""
        for key, value in self.values.items():
            if isinstance(value, dict):
                yield from self.table(key).leaves()
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                for row in self.rows(key):
                    yield from row.leaves()
            else:
                yield self._full(key)

    def error(self, key: str | None, problem: str) -> FileError:
        """A FileError with the line of `key`, or else of the table."""
        return FileError(self.file, self._line(key), problem)

    def _value(self, key: str) -> Any:
        if key not in self.values:
            where = f"[{self.path}] has" if self.path else "there is"
            raise self.error(None, f"{where} no {key}; add it")
        return self.values[key]

    def _full(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _line(self, key: str | None) -> int | None:
        row = _ROW.search(self.path)
        header, number = self.path[: row.start()] if row else self.path, int(row[1]) if row else 0
        lines = self.text.splitlines()
        opens = re.compile(rf"\s*\[+\s*{re.escape(header)}\s*\]")
        bare = [_QUOTES.sub("", line) for line in lines]
        found = [n for n, line in enumerate(bare, 1) if opens.match(line)] if header else [0]
        if len(found) <= number:  # it is written inside another
            parent, _, inner = header.rpartition(".")
            return replace(self, path=parent)._line(inner)
        first = found[number]
        if key is None:
            return first or None
        inside = rf"(?:\[+\s*(?:{re.escape(header)}\.)?)?"
        begins = re.compile(rf"""\s*{inside}["']?{re.escape(key)}\b""")
        numbered = enumerate(lines[first:], first + 1)
        return next((number for number, line in numbered if begins.match(line)), first or None)


def _seen(value: object) -> str:
    """A value as an error shows it."""
    try:
        return repr(value)[:40]
    except ValueError:  # an integer of thousands of digits
        return "of thousands of digits"


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_WHOLE
