"""Tables of a TOML file, read as dataclasses whose annotations have the bounds of values.

msgspec describes the annotations. It doesn't decode by them: a dataclass would lose keys that it
doesn't have, and messages need lines of the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast

from msgspec.inspect import (
    BoolType,
    DataclassType,
    DictType,
    Field,
    FloatType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from leadline.errors import FileError, unknown_name

_Typed = TypeVar("_Typed")

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

    def read(
        self,
        kind: type[_Typed],
        by_hand: Mapping[str, Callable[[TomlTable], object]] = MappingProxyType({}),
        keys: Collection[str] = (),
    ) -> _Typed:
        """A `kind`, a dataclass whose fields are the keys of this table.

        Args:
            kind: The class; the annotations of its fields have types, bounds and examples.
            by_hand: Field that isn't a key, or of which the annotation doesn't describe the
                table's form -> its value, from this table.
            keys: Keys that `by_hand` reads.

        Raises:
            FileError: A key is unknown or missing, or its value is of another type, or beyond the
                bounds of its annotation.
        """
        described = _fields(cast(type, kind))
        self.refuse_others(*(name for name in described if name not in by_hand), *keys)
        values = {
            name: by_hand[name](self) if name in by_hand else self._typed(name, one.type)
            for name, one in described.items()
            if name in by_hand or one.required or name in self.values
        }
        return kind(**values)

    def _typed(self, key: str, kind: Type, example: str = "") -> Any:
        """The value of `key`, which has to be there, as its annotation `kind` has it."""
        match kind:
            case Metadata(type=inner, extra_json_schema=extra):
                return self._typed(key, inner, (extra or {})["examples"][0])
            case UnionType(types=(inner, NoneType())):
                return self._typed(key, inner)
            case DataclassType(cls=inner):
                return self.table(key).read(inner)
            case DictType(value_type=inner):
                table = self.table(key)
                return {name: table._typed(name, inner) for name in table.values}
            case LiteralType(values=words):
                return self.choice(key, [str(word) for word in words])
        value = self._value(key)
        if not _is_of(value, kind):
            raise self.error(key, f"{self._full(key)}{_mismatch(key, value, kind, example)}")
        form = {FloatType: float, VarTupleType: tuple}.get(type(kind))
        return form(value) if form else value

    def choice(self, key: str, valid: Collection[str]) -> str:
        """One of `valid`."""
        value = self._typed(key, StrType())
        if value not in valid:
            raise self.error(key, str(unknown_name(self._full(key), value, valid)))
        return str(value)

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


@cache
def _fields(kind: type) -> dict[str, Field]:
    """The fields of a dataclass in its order, with their annotations."""
    described = type_info(kind)
    assert isinstance(described, DataclassType)
    by_name = {field.name: field for field in described.fields}
    return {field.name: by_name[field.name] for field in fields(kind)}


def _is_of(value: object, kind: Type) -> bool:
    """Whether a value that isn't a table is of `kind`, and within its bounds."""
    match kind:
        case BoolType():
            return isinstance(value, bool)
        case IntType() | FloatType():
            number = isinstance(value, int | float if isinstance(kind, FloatType) else int)
            return number and not isinstance(value, bool) and _is_within(value, kind)
        case StrType(pattern=pattern):
            return isinstance(value, str) and re.search(pattern or "", value) is not None
        case VarTupleType(item_type=item, min_length=least):
            return (
                isinstance(value, list)
                and len(value) >= (least or 0)
                and all(_is_of(one, item) for one in value)
            )
    raise TypeError(f"{kind} has no form in TOML")


def _is_within(value: Any, kind: IntType | FloatType) -> bool:
    above = kind.gt is None or value > kind.gt
    return above and (kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le)


def _mismatch(key: str, value: object, kind: Type, example: str) -> str:
    """Why `value` isn't of `kind`, and what to write, after the full key."""
    match kind:
        case FloatType(gt=above, ge=least, le=most):
            if isinstance(value, bool) or not isinstance(value, int | float):
                what = f"is not a number; write e.g. {example}"
            else:
                bound = f"{least:g} or more" if above is None else f"more than {above:g}"
                what = f"must be {bound}, and at most {most:g}"
        case IntType(ge=least):
            what = f"is not a whole number, {_range(kind)}; write e.g. {max(least or 0, 8)}"
        case BoolType():
            what = "must be true or false"
        case StrType():
            what = f'is no text; write {key} = ".."'
        case VarTupleType(item_type=IntType() as item):
            what = f"is no list of whole numbers, {_range(item)}; write e.g. [4, 2]"
        case _:
            return " is no list of texts; name the figures it was fitted to"
    return f" = {_seen(value)} {what}"


def _range(kind: IntType) -> str:
    """Bounds of a whole number, the upper one a power of two."""
    return f"{kind.ge} to 2^{(kind.le or 0).bit_length() - 1}"


def _seen(value: object) -> str:
    """A value as an error shows it."""
    try:
        return repr(value)[:40]
    except ValueError:  # an integer of thousands of digits
        return "of thousands of digits"
