"""The forms in which a report is printed: text, JSON, CSV or Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.report.document import Document
    from leadline.report.records import Records


def add_forms(parser: argparse.ArgumentParser) -> None:
    """The options that choose a form, at most one of them; text is the default."""
    forms = parser.add_mutually_exclusive_group()
    for name, what in (("json", "JSON"), ("csv", "CSV"), ("markdown", "Markdown")):
        forms.add_argument(
            f"--{name}", action="store_const", const=name, dest="form", help=f"print {what}"
        )
    parser.set_defaults(form="text")


@dataclass(frozen=True, slots=True)
class Report:
    """What a command has to say; each part is made only if the form asked for shows it."""

    document: Callable[[], Document]
    """For readers."""
    content: Callable[[], object]
    """For programs that read JSON: everything."""
    records: Callable[[], Records]
    """For programs that read CSV."""


def print_report(report: Report, form: str) -> None:
    """Prints the report on stdout in the form "text", "json", "csv" or "markdown"."""
    from leadline.report.formats.csv_text import csv_text
    from leadline.report.formats.json_text import json_text
    from leadline.report.formats.markdown import markdown_lines
    from leadline.report.formats.terminal import print_document

    if form == "json":
        print(json_text(report.content()))
    elif form == "csv":
        print(csv_text(report.records()))
    elif form == "markdown":
        print("\n".join(markdown_lines(report.document())))
    else:
        print_document(report.document())
