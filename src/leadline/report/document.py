"""What a report for readers consists of: sections with a heading, a table and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text cells; a column's title may have several lines."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    prose: bool = False
    """The last column may be folded between words."""
    strong: frozenset[tuple[int, int]] = frozenset()
    """(row, column) of the cells that stand out on a terminal."""

    @property
    def titles(self) -> list[str]:
        """The columns' titles in one line each; a hyphen at the end of a line divides a word."""
        return [title.replace("-\n", "").replace("\n", " ") for title in self.columns]

    def only(self, columns: Sequence[int]) -> Table:
        """The table with only these columns, by index, in which no cell stands out."""
        rows = tuple(tuple(row[i] for i in columns) for row in self.rows)
        titles = tuple(self.columns[i] for i in columns)
        return replace(self, columns=titles, rows=rows, strong=frozenset())


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a table or none, and sentences below it."""

    heading: str
    table: Table | None = None
    notes: tuple[str, ...] = ()
    narrower: tuple[Table, ...] = ()
    """Tables to use instead where `table` is too wide: the first that fits."""


Document = Sequence[Section]
