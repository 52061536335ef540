"""JSON as RFC 8259 has it: neither infinite nor undefined numbers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

_PLACE = "\ue000 written \ue000"
"""Where something written goes; no text of ours or a user's has it."""


@dataclass(frozen=True, slots=True)
class _Written:
    text: str


def written(text: str) -> Any:
    """A value whose JSON is `text` already: of very long lists, which that makes faster."""
    return _Written(text)


def json_text(
    content: object, indent: int | None = 2, separators: tuple[str, str] | None = None
) -> str:
    """`content` in lines, in one line without `indent`; a dataclass becomes an object.

    ValueError: a number is infinite or undefined. TypeError: JSON has no such value.
    """
    texts: list[str] = []

    def form(value: object) -> object:
        if isinstance(value, _Written):
            texts.append(value.text)
            return _PLACE
        return _object(value)

    text = json.dumps(content, indent=indent, separators=separators, allow_nan=False, default=form)
    if not texts:
        return text
    first, *rest = text.split(json.dumps(_PLACE))
    return "".join([first, *itertools.chain(*zip(texts, rest, strict=True))])


def _object(value: object) -> Mapping[str, object]:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} of {type(value)} has no form in JSON")
