"""JSON by RFC 8259, which has no infinite or undefined numbers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol

FORMAT = 2
"""The version of what every command prints under `--json`. It is raised where a key is removed or
changes its meaning, not where one is added. 2: rankings, groups, overheads and core_latency_ns (in
1: standings, tiers, taxes, handover_ns)."""
_PLACE = "\ue000 numbers \ue000"
"""Placeholder of a list of numbers; no text of ours or a user's has it."""


class Array(Protocol):
    """A numpy array, whose items orjson reads in place."""

    def tolist(self) -> Any:
        """The items as a list."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    values: Array


def numbers(values: Array) -> Any:
    """A value that json_text writes as the list of `values`; ten million items take 0.1 s."""
    return _Numbers(values)


def json_text(
    content: object, indent: int | None = 2, separators: tuple[str, str] | None = None
) -> str:
    """`content` as JSON, on one line if `indent` is None; a dataclass becomes an object.

    Raises:
        ValueError: A number is infinite or undefined.
        TypeError: JSON has no such value.
    """
    texts: list[str] = []

    def form(value: object) -> object:
        if isinstance(value, _Numbers):
            import orjson

            # `default` gets arrays whose items aren't contiguous
            option = orjson.OPT_SERIALIZE_NUMPY
            listed = orjson.dumps(value.values, default=lambda a: a.tolist(), option=option)
            texts.append(listed.decode("ascii"))
            return _PLACE
        if is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name) for field in fields(value)}
        if isinstance(value, Mapping):
            return dict(value)
        raise TypeError(f"{value!r} of {type(value)} has no form in JSON")

    text = json.dumps(content, indent=indent, separators=separators, allow_nan=False, default=form)
    if not texts:
        return text
    first, *rest = text.split(json.dumps(_PLACE))
    return "".join([first, *itertools.chain(*zip(texts, rest, strict=True))])


def document_text(content: Mapping[str, object], indent: int | None = 2) -> str:
    """What a command prints under --json: the format's version, then `content`; see json_text."""
    return json_text({"format": FORMAT, **content}, indent=indent)
