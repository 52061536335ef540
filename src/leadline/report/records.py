"""Rows of a report for programs, as CSV has them, and single values as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

Value = str | int | float | None | dict[str, "Value"] | list["Value"]
"""Values that JSON can represent; numbers are finite."""


@dataclass(frozen=True, slots=True)
class Records:
    """Rows of values under the names of their columns, which SQL may give twice."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    """A value is None where there is none."""
    comments: Sequence[str] = ()
    """Lines that explain the rows."""


def records_of(
    columns: Sequence[str], rows: Sequence[Mapping[str, object]], comments: Sequence[str] = ()
) -> Records:
    """The values of `rows` by column; a row may lack some."""
    return Records(columns, [[row.get(name) for name in columns] for row in rows], comments)


def json_value(value: object) -> Value:
    """A database's value as JSON has it: null for what isn't finite, dates as text."""
    if isinstance(value, dict):
        return {str(key): json_value(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(one) for one in value]
    if isinstance(value, Decimal):
        return json_value(float(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)
