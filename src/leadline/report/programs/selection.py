"""What SQL selected, for programs: values that JSON lacks become text, or null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from leadline.record.caveats import Caveat
from leadline.report.records import Records, json_value


class SelectionContent(TypedDict):
    """What was selected, and what isn't whole of the runs that it was selected from."""

    rows: Sequence[Mapping[str, Any]]
    """Each by the names of its columns; null where there is no value."""
    warnings: Sequence[Caveat]
    """What of the runs is damaged, missing or left out."""


def selection_content(selected: Records, warnings: Sequence[Caveat]) -> SelectionContent:
    """All rows, and the `warnings` of reading runs."""
    names = _distinct(selected.columns)
    rows = [dict(zip(names, map(json_value, row), strict=True)) for row in selected.rows]
    return {"rows": rows, "warnings": warnings}


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
