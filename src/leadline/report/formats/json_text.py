"""JSON as RFC 8259 has it: neither infinite nor undefined numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass


def json_text(
    content: object, indent: int | None = 2, separators: tuple[str, str] | None = None
) -> str:
    """`content` in lines, in one line without `indent`; a dataclass becomes an object.

    ValueError: a number is infinite or undefined. TypeError: JSON has no such value.
    """
    return json.dumps(
        content, indent=indent, separators=separators, allow_nan=False, default=_object
    )


def _object(value: object) -> Mapping[str, object]:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} of {type(value)} has no form in JSON")
