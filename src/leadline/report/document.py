"""What a report for readers consists of: sections with a heading, a table and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text; a column's title may have several lines."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a table or none, and sentences below it."""

    heading: str
    table: Table | None = None
    notes: tuple[str, ...] = ()


Document = Sequence[Section]


def printable(text: str) -> str:
    """`text` with every control character but the newline shown as a question mark."""
    if text.isprintable():  # nearly always
        return text
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
