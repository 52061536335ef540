"""The forms in which a report is printed: text, JSON, CSV or Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.report.document import Document


def add_forms(parser: argparse.ArgumentParser) -> None:
    """The options that choose a form, at most one of them; text is the default."""
    forms = parser.add_mutually_exclusive_group()
    for name, what in (("json", "JSON"), ("csv", "CSV"), ("markdown", "Markdown")):
        forms.add_argument(
            f"--{name}", action="store_const", const=name, dest="form", help=f"print {what}"
        )
    parser.set_defaults(form="text")


@dataclass(frozen=True, slots=True)
class Forms:
    """What makes each form of one report, when it is asked for."""

    document: Callable[[], Document]
    json: Callable[[], str]
    csv: Callable[[], str]

    def print(self, form: str) -> None:
        """Prints the report on stdout in the form "text", "json", "csv" or "markdown"."""
        from leadline.report.formats.markdown import markdown_lines
        from leadline.report.formats.terminal import print_document

        if form == "json":
            print(self.json())
        elif form == "csv":
            print(self.csv())
        elif form == "markdown":
            print("\n".join(markdown_lines(self.document())))
        else:
            print_document(self.document())
