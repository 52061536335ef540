"""What SQL selected, as a document and for programs; times stay the seconds that they are."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Protocol

from leadline.report.document import Section, Table
from leadline.report.text.phrases import MISSING, plural


class Answer(Protocol):
    """A statement's result."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names, not always different."""

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """None: NULL."""


def answer_document(answer: Answer) -> list[Section]:
    """One table, headed by its number of rows."""
    rows = tuple(tuple(map(_text, row)) for row in answer.rows)
    return [Section(plural(len(rows), "row"), Table(answer.columns, rows))]


def answer_json(answer: Answer) -> str:
    """A list of objects, one a row."""
    rows = [dict(zip(_distinct(answer.columns), row, strict=True)) for row in answer.rows]
    return json.dumps(_plain(rows), indent=2, allow_nan=False)


def answer_csv(answer: Answer) -> str:
    """The rows below their columns' names; lists and the like as JSON, NULL as nothing."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([_field(value) for value in row] for row in answer.rows)
    return text.getvalue().rstrip("\n")


def _text(value: Any) -> str:
    if value is None:
        return MISSING
    return f"{value:.6g}" if isinstance(value, float) else str(_field(value))


def _field(value: Any) -> Any:
    return json.dumps(_plain(value)) if isinstance(value, list | dict) else value


def _plain(value: Any) -> Any:
    """`value` as JSON has it: neither infinite nor undefined numbers, dates as text."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Decimal):
        return _plain(float(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)


def _distinct(names: Sequence[str]) -> list[str]:
    """`names`, those that came before with their place behind them: an object has a key once."""
    return [
        f"{name}_{place + 1}" if name in names[:place] else name for place, name in enumerate(names)
    ]
