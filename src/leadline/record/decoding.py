"""Decoding of JSON into typed values: bounds stand in the annotations, messages say the place."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import (
    BoolType,
    CollectionType,
    DataclassType,
    DictType,
    EnumType,
    FloatType,
    IntType,
    NoneType,
    StrType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    VarTupleType,
    type_info,
)

from leadline.record.fields import MOST_FLOAT, FormatError, shown

Typed = TypeVar("Typed")

_FAULT = re.compile(r"(?P<fault>.*) - at `\$(?P<place>[^`]*)`", re.DOTALL)
"""msgspec's message; what is said may quote a value that has the same words in it."""
_LACKS = re.compile(r"Object missing required field `(.*)`")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[(\.\.\.)\]")
"""A key, an index, or that it is in one of the values of a mapping."""


def decoded(value: object, kind: type[Typed]) -> Typed:
    """Value of JSON as a `kind`: a TypedDict, dataclass, or what these are made of.

    Keys that `kind` doesn't have are ignored.

    Raises:
        FormatError: Something lacks, is of another type, or beyond the bounds of its annotation;
            the message says where, what is there, and what is expected.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise FormatError(_described(str(error), value, type_info(kind))) from None
    except UnicodeEncodeError:
        place, text = next(_unpaired(value))
        fault = f"{shown(text)} has half of a surrogate pair"
        raise FormatError(": ".join([*place, fault])) from None


@contextlib.contextmanager
def at(*place: str | int) -> Iterator[None]:
    """Puts keys and indices before the message of a FormatError from within."""
    try:
        yield
    except FormatError as error:
        raise FormatError(": ".join([*map(str, place), str(error)])) from None


def check_printable(row: Mapping[str, Any], *names: str) -> None:
    """FormatError where one of these texts is empty, or has what no terminal prints."""
    for name in names:
        if not row[name] or not row[name].isprintable():
            raise FormatError(f"{name}: {shown(row[name])} is no name")


def _unpaired(value: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Texts that no encoding has, and where they are; of keys: in which object."""
    match value:
        case str():
            if not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
                yield place, value
        case dict():
            for key, one in value.items():
                yield from _unpaired(key, place)
                yield from _unpaired(one, (*place, key))
        case list():
            for number, one in enumerate(value):
                yield from _unpaired(one, (*place, str(number)))


def _described(error: str, value: Any, kind: Type) -> str:
    """Message for msgspec's `error` about `value`, which should have been of `kind`."""
    match = _FAULT.fullmatch(error)
    fault, steps = (match["fault"], match["place"]) if match else (error, "")
    place: list[str] = []
    for key, index, of_mapping in _STEP.findall(steps):
        kind = _within(kind, key or int(index or 0))
        step = _first_unlike(value, kind) if of_mapping else key or index
        place.append(step)
        value = value[int(step) if index else step]
    lacking = _LACKS.match(fault)
    fault = f"lacks {lacking[1]!r}" if lacking else _mismatch(value, _unless_null(kind))
    return ": ".join([*place, fault])


def _unless_null(kind: Type) -> Type:
    """Type beside null, where null is allowed."""
    if isinstance(kind, UnionType):
        (kind,) = (type_ for type_ in kind.types if not isinstance(type_, NoneType))
    return kind


def _first_unlike(values: Mapping[str, Any], kind: Type) -> str:
    """First key of a mapping whose value isn't of the plain type `kind`, else its first key."""
    plain: dict[type, tuple[type, ...]] = {
        IntType: (int,), FloatType: (int, float), BoolType: (bool,), StrType: (str,),
    }  # fmt: skip
    of_kind = plain.get(type(kind), ())
    unlike = (key for key, one in values.items() if not isinstance(one, of_kind))
    return next(unlike, next(iter(values)))


def _within(kind: Type, key: str | int) -> Type:
    """Type of the field `key` of an object, or of the item of that index; of a mapping's values."""
    match _unless_null(kind):
        case TypedDictType(fields=fields) | DataclassType(fields=fields):
            return next(field.type for field in fields if field.encode_name == key)
        case CollectionType(item_type=item) | VarTupleType(item_type=item):
            return item
        case TupleType(item_types=items) if isinstance(key, int):
            return items[key]
        case DictType(value_type=item):
            return item
        case other:
            raise TypeError(f"{other} has nothing within")


def _mismatch(value: Any, kind: Type) -> str:
    """What is wrong with `value`, which isn't of `kind`."""
    match kind:
        case IntType(ge=least, le=most):
            bounds = f" from {least} to {most}" * (least is not None)
            return f"{shown(value)} is not a whole number{bounds}"
        case FloatType():
            return f"{shown(value)} {_beyond(value, kind)}"
        case EnumType(cls=words):
            return f"{shown(value)} is none of {', '.join(word.value for word in words)}"
    if isinstance(kind, TupleType) and isinstance(value, list):
        return f"{shown(value)} has {len(value)} values where {len(kind.item_types)} belong"
    objects = (TypedDictType, DataclassType, DictType)
    names = {BoolType: "bool", StrType: "str"} | dict.fromkeys(objects, "dict")
    return f"{shown(value)} is not of type {names.get(type(kind), 'list')}"


def _beyond(value: Any, kind: FloatType) -> str:
    """What is wrong with `value` where a number within the bounds of `kind` belongs."""
    if type(value) not in (int, float) or not -MOST_FLOAT <= value <= MOST_FLOAT:
        return "is no finite number"
    if kind.gt is not None and kind.lt is not None:
        return f"isn't above {kind.gt:g} and below {kind.lt:g}"
    if kind.le == MOST_FLOAT:
        return f"isn't {kind.ge:g} or more"
    return f"isn't between {kind.ge:g} and {kind.le:g}"
