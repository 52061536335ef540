"""The rows that SQL selected, as a document; times stay in seconds."""

from __future__ import annotations

from leadline.report.document import Section, Table
from leadline.report.formats.json_text import json_text
from leadline.report.records import Records, json_value
from leadline.report.text.phrases import MISSING, plural


def selection_document(selected: Records) -> list[Section]:
    """One table, headed by its number of rows."""
    rows = tuple(tuple(map(_cell, row)) for row in selected.rows)
    return [Section(plural(len(rows), "row"), Table(tuple(selected.columns), rows))]


def _cell(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, list | dict):
        return json_text(json_value(value), indent=None)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
