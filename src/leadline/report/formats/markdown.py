"""GitHub's Markdown, with every character of a report escaped that would be markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline.errors import printable
from leadline.report.document import Document

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&]|^[-+#]")


def escaped(text: str) -> str:
    """`text` in one line, escaped so that Markdown shows it literally."""
    return _MARKUP.sub(r"\\\g<0>", printable(text).replace("\n", " "))


def markdown_lines(document: Document) -> Iterator[str]:
    """The lines of a report: a heading, a table and a bulleted list for each section."""
    for number, section in enumerate(document):
        if number:
            yield ""
        yield f"### {escaped(section.heading)}"
        if section.table:
            yield ""
            yield _markdown_row(section.table.titles)
            yield _markdown_row(["---"] * len(section.table.columns), literal=True)
            yield from map(_markdown_row, section.table.rows)
        if section.notes:
            yield ""
            # <br> keeps a cause and its remedy on lines of their own
            for note in section.notes:
                yield f"* {'<br>'.join(map(escaped, note.splitlines()))}"


def _markdown_row(cells: Sequence[str], literal: bool = False) -> str:
    return f"| {' | '.join(cell if literal else escaped(cell) for cell in cells)} |"
