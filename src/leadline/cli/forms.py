"""The forms in which a report is printed: text, JSON, CSV or Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.report.document import Document
    from leadline.report.records import Records


@dataclass(frozen=True, slots=True)
class Report:
    """What a command has to say; each part is made only if the form asked for shows it."""

    document: Callable[[], Document]
    """For readers."""
    content: Callable[[], Mapping[str, object]]
    """For programs that read JSON: everything."""
    records: Callable[[], Records]
    """For programs that read CSV."""


def print_report(report: Report, form: str) -> None:
    """Prints the report on stdout as TEXT or in one of FORMS."""
    from leadline.report.formats.terminal import print_document

    if form == TEXT:
        print_document(report.document())
    else:
        print(FORMS[form].text(report))


@dataclass(frozen=True, slots=True)
class Form:
    """One form besides text."""

    label: str
    text: Callable[[Report], str]


def _json(report: Report) -> str:
    from leadline.report.formats.json_text import document_text

    return document_text(report.content())


def _csv(report: Report) -> str:
    from leadline.report.formats.csv_text import csv_text

    return csv_text(report.records())


def _markdown(report: Report) -> str:
    from leadline.report.formats.markdown import markdown_lines

    return "\n".join(markdown_lines(report.document()))


TEXT = "text"
"""As wide as the terminal, and coloured there."""
FORMS: Mapping[str, Form] = {
    "json": Form("JSON", _json),
    "csv": Form("CSV", _csv),
    "markdown": Form("Markdown", _markdown),
}
"""By the name of the option."""


def add_forms(parser: argparse.ArgumentParser) -> None:
    """The options that choose a form, at most one of them; text is the default."""
    forms = parser.add_mutually_exclusive_group()
    for name, form in FORMS.items():
        forms.add_argument(
            f"--{name}", action="store_const", const=name, dest="form", help=f"print {form.label}"
        )
    parser.set_defaults(form=TEXT)
