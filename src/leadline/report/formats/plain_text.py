"""Text for readers: of a given width, with wide tables in parts; in colour on a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from leadline.errors import printable
from leadline.report.document import SEPARATOR, Document, Section, Table, TableCell

GAP = 2
"""Blanks between columns, and before the first one."""
LEAST_ROOM = 24
"""Fewest characters a line of a prose column, however narrow the width."""
PLAIN_WIDTH = 100
"""Width of text that is printed elsewhere than on a terminal, unless COLUMNS is set."""
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMG]i?)?B\b|%|[um]?s\b)")
_NO_BREAK = "\N{NO-BREAK SPACE}"


class Role(Enum):
    """What a line of text is."""

    HEADING = auto()
    TITLE = auto()
    CELLS = auto()
    NOTE = auto()


STYLES = {Role.HEADING: "bold", Role.TITLE: "dim", Role.CELLS: "", Role.NOTE: ""}
"""How rich shows a line on a terminal."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a report."""

    text: str
    role: Role
    strong: tuple[tuple[int, int], ...] = ()
    """Spans of the cells that stand out: first column, and one past the last."""


def print_document(document: Document) -> None:
    """Prints `document` on stdout; its layout is the same with and without colour."""
    lines = text_lines(document, shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns)
    if not sys.stdout.isatty():
        for line in lines:
            print(line.text)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for line in lines:
        text = Text(line.text, STYLES[line.role])
        if line.role is Role.CELLS:
            text.highlight_words(["faster"], "green")
            text.highlight_words(["slower", "failed"], "red")
            for begin, end in line.strong:
                text.stylize("bold", begin, end)
        console.print(text, soft_wrap=True)


def text_lines(document: Document, width: int) -> Iterator[TextLine]:
    """The lines of a report, `width` characters wide; wider tables are printed in parts."""
    for number, section in enumerate(document):
        if number:
            yield TextLine("", Role.NOTE)
        for text in folded_heading(section.heading, width):
            yield TextLine(text, Role.HEADING)
        whole = folded_table(chosen_table(section, width), width) if section.table else None
        for part, table in enumerate(fitting_tables(whole, width) if whole else ()):
            yield from [TextLine("", Role.NOTE)] * (part > 0)
            yield from _table_lines(table)
        for note in section.notes:
            for text in wrapped(note, width):
                yield TextLine(text, Role.NOTE)


def chosen_table(section: Section, width: int) -> Table:
    """The widest of a section's tables that fits in `width`, else the widest of all.

    That one is then printed in parts. A table of prose is folded, so that it always fits.
    """
    assert section.table is not None
    tables = (section.table, *section.narrower)
    return next(
        (table for table in tables if table.prose or table_width(table) <= width), section.table
    )


def folded_heading(heading: str, width: int) -> list[str]:
    """The lines of a heading, which is broken between its parts only."""
    lines = [""]
    for part in printable(heading).split(SEPARATOR):
        longer = f"{lines[-1]}{SEPARATOR}{part}" if lines[-1] else part
        if lines[-1] and len(longer) > width:
            lines.append(f"{' ' * GAP}{part}")
        else:
            lines[-1] = longer
    return lines


def wrapped(note: str, width: int) -> list[str]:
    """A note's lines, indented; lines after a newline in the note are indented further.

    No line breaks between a number and its unit.
    """
    lines: list[str] = []
    for number, line in enumerate(_BEFORE_UNIT.sub(_NO_BREAK, printable(note)).split("\n")):
        indent = " " * GAP * (1 if number == 0 else 2)
        lines += textwrap.wrap(
            line, width, initial_indent=indent, subsequent_indent=" " * GAP * 2,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _table_lines(table: Table) -> Iterator[TextLine]:
    """The lines of a table: titles of several lines are aligned at their last line."""
    widths = [column_width(table, column) for column in range(len(table.columns))]
    titles = [title.split("\n") for title in table.columns]
    height = max(map(len, titles))
    header = [[""] * (height - len(title)) + title for title in titles]
    for cells in zip(*header, strict=True):
        yield TextLine(_joined(cells, widths), Role.TITLE)
    for row in table.rows:
        strong = []
        for column, cell in enumerate(row):
            if isinstance(cell, TableCell) and cell.fastest:
                begin = GAP * (column + 1) + sum(widths[:column])
                strong.append((begin, begin + len(printable(cell, ""))))
        yield TextLine(_joined(row, widths), Role.CELLS, tuple(strong))


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (printable(cell, "").ljust(width) for cell, width in zip(cells, widths, strict=True))
    return (" " * GAP + (" " * GAP).join(padded)).rstrip()


def folded_table(table: Table, width: int) -> Table:
    """`table` with its last column, if that is prose, folded into rows of its own."""
    if not table.prose:
        return table
    others = range(len(table.columns) - 1)
    taken = GAP + sum(GAP + column_width(table, column) for column in others)
    fold = textwrap.TextWrapper(
        max(width - taken, LEAST_ROOM), subsequent_indent=" " * GAP,
        break_long_words=False, break_on_hyphens=False,
    ).wrap  # fmt: skip
    rows = [
        (*(cell if number == 0 else "" for cell in row[:-1]), line)
        for row in table.rows
        for number, line in enumerate(fold(row[-1]) or [""])
    ]
    return replace(table, rows=tuple(rows))


def fitting_tables(table: Table, width: int) -> Iterator[Table]:
    """`table` itself where it fits in `width`, else parts that each begin with its first column.

    A part has at least one more column, however narrow the width.
    """
    widths = [GAP + column_width(table, i) for i in range(len(table.columns))]
    part, used = [0], widths[0]
    for column in range(1, len(widths)):
        if len(part) > 1 and used + widths[column] > width:
            yield _columns(table, part)
            part, used = [0], widths[0]
        part.append(column)
        used += widths[column]
    yield _columns(table, part)


def table_width(table: Table) -> int:
    """The length of the table's longest line."""
    return sum(GAP + column_width(table, column) for column in range(len(table.columns)))


def column_width(table: Table, column: int) -> int:
    """The length of the longest line in a column."""
    cells = [table.columns[column], *(row[column] for row in table.rows)]
    return max(len(line) for cell in cells for line in cell.split("\n"))


def _columns(table: Table, chosen: Sequence[int]) -> Table:
    """The part of `table` with the `chosen` columns, without rows that are empty in it."""
    part = table.only(chosen)
    rows = tuple(
        cells
        for row, cells in zip(table.rows, part.rows, strict=True)
        if not (row[0] and any(row[1:])) or any(cells[1:])
    )
    return replace(part, rows=rows)
