"""`leadline show`: what a run measured, as tables and sentences, or for programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report
from leadline.cli.parsing import say_of_more
from leadline.cli.reading import NOT_WHOLE, Reader, add_strict

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.report.text.measured import Measured


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline show`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    say_of_more(parser, "takes one run; hold two side by side by `leadline compare A B`")
    parser.add_argument("--tails", action="store_true", help="p90 and p99 of single operations")
    parser.add_argument(
        "--by-ranks", action="store_true", help="tables against the number of ranks, not the size"
    )
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prints the report on the run; 0 unless --strict objects, also to a cell without a time."""
    from leadline.compare.analysis import Analysis

    reader = Reader(arguments.strict)
    analysis = Analysis(reader.run(arguments.run))
    print_run(analysis, arguments.form, arguments.tails, arguments.by_ranks)
    return reader.status(NOT_WHOLE if arguments.strict and analysis.untimed else 0)


def print_run(
    analysis: Analysis, form: str = "text", tails: bool = False, by_ranks: bool = False
) -> None:
    """Prints the report on a run in the form "text", "json", "csv" or "markdown"."""
    from leadline.compare.analysis import THRESHOLD
    from leadline.report.programs.measured import measured_content, measured_records
    from leadline.report.text.run import run_document

    measured = computed(analysis, THRESHOLD, tails)
    report = Report(
        document=lambda: run_document(measured, by_ranks),
        content=lambda: measured_content(measured),
        records=lambda: measured_records(measured),
    )
    print_report(report, form)


def computed(analysis: Analysis, threshold: float, tails: bool = False) -> Measured:
    """Everything that reports on a run say; with `tails` its quantiles."""
    from leadline.compare.ranking import standings_of
    from leadline.models.fitted import overview
    from leadline.models.pingpong import ping_pongs
    from leadline.report.text.measured import Measured

    return Measured(
        run=analysis.run,
        untimed=analysis.untimed,
        rows=analysis.summaries_with_tails if tails else analysis.summaries,
        standings=standings_of(analysis, threshold),
        pingpongs=ping_pongs(analysis),
        threshold=threshold,
        overlaps=analysis.hidden_shares,
        rates=analysis.rates,
        forms=overview(analysis),
    )
