"""What a report for readers consists of: sections with a heading, a table and sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

SEPARATOR = " · "


class TableCell(str):
    """The text of a cell, or of a column's title, that has a short form or is marked.

    It is text to every format; what has neither a short form nor a mark is a plain `str`.
    """

    __slots__ = ("fastest", "short")

    short: str
    """The text that stands here in a table's short form."""
    fastest: bool
    """Whether it is shown to be the fastest, or one of several; it stands out on a terminal."""

    def __new__(cls, text: str, short: str | None = None, fastest: bool = False) -> Self:
        """Make a cell of `text`; its short form is the text itself unless given."""
        cell = super().__new__(cls, text)
        cell.short = text if short is None else short
        cell.fastest = fastest
        return cell


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text cells; a column's title may have several lines."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    prose: bool = False
    """The last column may be folded between words."""

    @property
    def titles(self) -> list[str]:
        """The columns' titles in one line each; a hyphen at the end of a line divides a word."""
        return [title.replace("-\n", "").replace("\n", " ") for title in self.columns]

    def only(self, columns: Sequence[int]) -> Table:
        """The table with only these columns, by index."""
        rows = tuple(tuple(row[i] for i in columns) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in columns), rows=rows)

    def short(self, columns: Collection[int] | None = None) -> Table:
        """The table in its short form, or with only these columns short, by index; marks stay."""

        def shortened(row: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(
                TableCell(cell.short, fastest=cell.fastest)
                if isinstance(cell, TableCell) and (columns is None or column in columns)
                else cell
                for column, cell in enumerate(row)
            )

        return replace(self, columns=shortened(self.columns), rows=tuple(map(shortened, self.rows)))


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a table or none, and sentences below it."""

    heading: str
    table: Table | None = None
    notes: tuple[str, ...] = ()
    narrower: tuple[Table, ...] = ()
    """Tables to use instead where `table` is too wide: the first that fits."""


Document = Sequence[Section]
