"""`leadline fit`: what a run's operations take, in closed forms, for readers and for `predict`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from leadline.cli.apart import add_between, runs_apart
from leadline.cli.fit_figure import add_figure_arguments, figure_order, write_figure
from leadline.cli.forms import Report, add_forms, print_report
from leadline.cli.new_file import check_new, write_new
from leadline.cli.reading import Reader, add_strict
from leadline.errors import unknown_name

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.record.run import Run
    from leadline.report.text.fitted import Fitted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline fit`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument("--pattern", metavar="P,...", help="default: all that were measured")
    parser.add_argument("--variant", metavar="NAME,...", help="default: all")
    parser.add_argument(
        "--oversubscribed", action="store_true", help="also numbers of ranks that share cores"
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="a new file for `leadline predict`")
    add_between(parser, "of another run: how far runs lie apart where nothing was changed")
    add_figure_arguments(parser)
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Fits, prints and writes; 0, also where nothing can be fitted, unless --strict objects."""
    from leadline.compare.analysis import Analysis
    from leadline.report.formats.json_text import document_text
    from leadline.report.programs.fitted import fitted_content, fitted_records
    from leadline.report.text.fitted import fitted_document

    if arguments.out:
        check_new(arguments.out, "--out")
    figure = figure_order(arguments)
    reader = Reader(arguments.strict)
    analysis = Analysis(reader.run(arguments.run))
    found = _fitted(analysis, arguments, reader)
    report = Report(
        document=lambda: fitted_document(found),
        content=lambda: fitted_content(found),
        records=lambda: fitted_records(found),
    )
    if figure:
        write_figure(figure, analysis, found)
    if arguments.out:
        write_new(arguments.out, f"{document_text(report.content())}\n", "--out")
    print_report(report, arguments.form)
    return reader.status()


def _fitted(analysis: Analysis, arguments: argparse.Namespace, reader: Reader) -> Fitted:
    from leadline.models.fitted import fitted
    from leadline.models.model import Model, NotFitted
    from leadline.models.runs_apart import apart_of
    from leadline.report.text.fitted import Fitted

    run = analysis.run
    patterns = _patterns(arguments.pattern, run)
    variants = _chosen(arguments.variant, "variant", (one.variant for one in run.configurations))
    known = runs_apart([arguments.run], arguments.between, reader)
    apart = apart_of(analysis, known)
    found = [
        one
        for one in fitted(analysis, patterns, arguments.oversubscribed, apart)
        if variants is None or one.variant in variants
    ]
    return Fitted(
        run,
        tuple(one for one in found if isinstance(one, Model)),
        tuple(dict.fromkeys(one for one in found if isinstance(one, NotFitted))),
    )


def _patterns(text: str | None, run: Run) -> list[str] | None:
    """The patterns in `text`; None: all. UsageError where one wasn't measured."""
    from leadline.cli.options import words
    from leadline.record.foreign.names import measured_pattern

    if text is None:
        return None
    known = [cell.pattern for cell in run.cells]
    return [measured_pattern(name, known, run.path) for name in words(text, "--pattern")]


def _chosen(text: str | None, what: str, measured: Iterable[str]) -> list[str] | None:
    """The names in `text`; None: all. UsageError where one wasn't measured."""
    from leadline.cli.options import words

    if text is None:
        return None
    known, names = dict.fromkeys(measured), words(text, f"--{what}")
    for name in names:
        if name not in known:
            raise unknown_name(what, name, known)
    return names
