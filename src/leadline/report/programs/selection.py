"""What SQL selected, for programs: values that JSON lacks become text, or null."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.report.records import Records, Value, json_value


def selection_content(selected: Records) -> list[dict[str, Value]]:
    """A list of objects, one a row."""
    names = _distinct(selected.columns)
    return [dict(zip(names, map(json_value, row), strict=True)) for row in selected.rows]


def selection_records(selected: Records) -> Records:
    """The rows as they are; lists and the like as JSON has them."""
    return Records(selected.columns, [list(map(_field, row)) for row in selected.rows])


def _field(value: object) -> object:
    return json_value(value) if isinstance(value, list | dict) else value


def _distinct(names: Sequence[str]) -> list[str]:
    """`names`, those that came before with their place behind them: an object has a key once."""
    return [
        f"{name}_{place + 1}" if name in names[:place] else name for place, name in enumerate(names)
    ]
