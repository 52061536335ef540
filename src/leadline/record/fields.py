"""Checks of what is read from JSON: each returns the value that it was given, or raises."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Check = Callable[[Any], Any]

LINES_NAMED = 5
"""The most lines that one message lists."""
MOST_FLOAT = sys.float_info.max


class FormatError(Exception):
    """Input that doesn't conform to its format; the message states where it differs."""


def in_lines(numbers: Sequence[int]) -> str:
    """Line numbers of a file for a message, e.g. "lines 2, 3, 5, 7, 11 and 4 more"."""
    named = ", ".join(map(str, numbers[:LINES_NAMED]))
    more = len(numbers) - LINES_NAMED
    return f"lines {named}{f' and {more} more' if more > 0 else ''}"


def shown(value: Any) -> str:
    """`value` for a message, at most 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def of_type(kind: type) -> Check:
    """Accepts values of exactly the type `kind` (so that true is no number)."""

    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise FormatError(f"{shown(value)} is not of type {kind.__name__}")
        return value

    return check


def whole(least: int, most: int) -> Check:
    """Accepts whole numbers from `least` to `most`."""

    def check(value: Any) -> Any:
        if type(value) is not int or not least <= value <= most:
            raise FormatError(f"{shown(value)} is not a whole number from {least} to {most}")
        return value

    return check


def list_of(each: Check) -> Check:
    """Accepts lists whose elements pass `each`; returns a tuple."""
    return lambda value: tuple(each(element) for element in of_type(list)(value))


text = of_type(str)


def field(record: Mapping[str, Any], name: str, check: Check) -> Any:
    """The checked value of `record[name]`; FormatError, with the name, where there is none."""
    if name not in record:
        raise FormatError(f"lacks {name!r}")
    try:
        return check(record[name])
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None
