"""JSON as RFC 8259 has it: neither infinite nor undefined numbers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol

FORMAT = 1
"""Of what `--json` prints, of every command: raised where a key that was is gone, or says something
else; a key that is new doesn't raise it."""
_PLACE = "\ue000 numbers \ue000"
"""Where a list of numbers goes; no text of ours or a user's has it."""


class Array(Protocol):
    """One of numpy's, of which orjson reads the items where they lie."""

    def tolist(self) -> Any:
        """The items as a list."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    values: Array


def numbers(values: Array) -> Any:
    """A value whose JSON is the list of `values`: ten million take a tenth of a second."""
    return _Numbers(values)


def json_text(
    content: object, indent: int | None = 2, separators: tuple[str, str] | None = None
) -> str:
    """`content` in lines, in one line without `indent`; a dataclass becomes an object.

    ValueError: a number is infinite or undefined. TypeError: JSON has no such value.
    """
    texts: list[str] = []

    def form(value: object) -> object:
        if isinstance(value, _Numbers):
            texts.append(_listed(value.values))
            return _PLACE
        return _object(value)

    text = json.dumps(content, indent=indent, separators=separators, allow_nan=False, default=form)
    if not texts:
        return text
    first, *rest = text.split(json.dumps(_PLACE))
    return "".join([first, *itertools.chain(*zip(texts, rest, strict=True))])


def document_text(content: Mapping[str, object], indent: int | None = 2) -> str:
    """What a command prints under --json: `content`, and of which format it is; see json_text."""
    return json_text({"format": FORMAT, **content}, indent=indent)


def _listed(values: Array) -> str:
    import orjson

    def apart(array: Array) -> Any:
        """Of items that don't follow each other."""
        return array.tolist()

    option = orjson.OPT_SERIALIZE_NUMPY
    return orjson.dumps(values, default=apart, option=option).decode("ascii")


def _object(value: object) -> Mapping[str, object]:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} of {type(value)} has no form in JSON")
