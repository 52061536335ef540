"""A report on stdout: as wide as the terminal and in colour, or as plain text elsewhere."""

from __future__ import annotations

import shutil
import sys

from leadline.report.document import Document
from leadline.report.formats.plain_text import Role, text_lines

PLAIN_WIDTH = 100
"""Away from a terminal, unless COLUMNS says otherwise."""
STYLES = {Role.HEADING: "bold", Role.TITLE: "dim", Role.CELLS: "", Role.NOTE: ""}


def print_document(document: Document) -> None:
    """Prints `document` on stdout; its layout is the same with and without colour."""
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
    if sys.stdout.isatty():
        _print_coloured(document, width)
    else:
        for line in text_lines(document, width):
            print(line.text)


def _print_coloured(document: Document, width: int) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for line in text_lines(document, width):
        text = Text(line.text, STYLES[line.role])
        if line.role is Role.CELLS:
            text.highlight_words(["faster"], "green")
            text.highlight_words(["slower", "failed"], "red")
            for begin, end in line.strong:
                text.stylize("bold", begin, end)
        console.print(text, soft_wrap=True)
