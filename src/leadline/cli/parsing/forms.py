"""Output of commands: a report as text, JSON, CSV or Markdown, and messages on stderr.

--quiet leaves out plan, progress and hints, --verbose adds some; failures and errors are printed
in any case.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.errors import CELLS, printable

if TYPE_CHECKING:
    from leadline.measure.campaign import Observer
    from leadline.measure.preparation import Compiling
    from leadline.report.document import Document
    from leadline.report.records import Records


def say(text: str) -> None:
    """Prints `text` on stderr at once; names in it can't send control codes to a terminal."""
    print(printable(text, CELLS), file=sys.stderr, flush=True)


def add_quiet(parser: argparse._ActionsContainer) -> None:
    """The options -q and -v of a command that measures."""
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print no plan, no progress and no hints, only failures",
    )
    loudness.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print the command that starts each library's ranks, as a shell takes it",
    )


def compiling_for(quiet: bool) -> Compiling:
    """An observer that prints what is compiled; nothing where it is to be `quiet`."""
    from leadline.report.text.progress import say_compiling

    return (lambda names, done: None) if quiet else say_compiling


def observer_for(total_s: float, arguments: argparse.Namespace) -> Observer:
    """An observer that shows the progress of a campaign of `total_s` seconds.

    With --quiet it prints failures only.
    """
    from leadline.report.text.progress import FailuresOnly, progress_for

    if arguments.quiet:
        return FailuresOnly()
    return progress_for(total_s, arguments.verbose)


@dataclass(frozen=True, slots=True)
class Report:
    """The output of a command; each part is made only if the form asked for needs it."""

    document: Callable[[], Document]
    """For readers."""
    content: Callable[[], Mapping[str, object]]
    """For programs that read JSON: everything."""
    records: Callable[[], Records]
    """For programs that read CSV."""


def print_report(report: Report, form: str) -> None:
    """Prints the report on stdout as TEXT or in one of FORMS."""
    from leadline.report.formats.plain_text import print_document

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
