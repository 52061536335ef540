"""GitHub's Markdown, in which every character of a report stands for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline.errors import printable
from leadline.report.document import Document

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&]|^[-+#]")


def escaped(text: str) -> str:
    """`text` as one line that Markdown shows literally."""
    return _MARKUP.sub(r"\\\g<0>", printable(text).replace("\n", " "))


def markdown_lines(document: Document) -> Iterator[str]:
    """The report as GitHub's Markdown."""
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
            yield from map(_markdown_note, section.notes)


def _markdown_note(note: str) -> str:
    """A cause and its remedy stay two lines, which Markdown would run together."""
    return f"* {'<br>'.join(map(escaped, note.splitlines()))}"


def _markdown_row(cells: Sequence[str], literal: bool = False) -> str:
    return f"| {' | '.join(cell if literal else escaped(cell) for cell in cells)} |"
