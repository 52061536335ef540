"""`leadline show`: what a run measured, as tables and sentences, or for programs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.forms import Report, add_forms, print_report

if TYPE_CHECKING:
    from leadline.compare.summaries import Summary
    from leadline.record.run import Run
    from leadline.report.text.measured import Measured


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline show`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument("--tails", action="store_true", help="p90 and p99 of single operations")
    parser.add_argument(
        "--by-ranks", action="store_true", help="tables against the number of ranks, not the size"
    )
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prints the report on the run; 0, whatever it says."""
    from leadline.store import load

    print_run(load(arguments.run), arguments.form, arguments.tails, arguments.by_ranks)
    return 0


def print_run(run: Run, form: str = "text", tails: bool = False, by_ranks: bool = False) -> None:
    """Prints the report on `run` in the form "text", "json", "csv" or "markdown"."""
    from leadline.compare.pairs import THRESHOLD
    from leadline.compare.summaries import summarise
    from leadline.report.programs.measured import measured_content, measured_records
    from leadline.report.text.run import run_document

    measured = computed(run, summarise(run, tails), THRESHOLD)
    report = Report(
        document=lambda: run_document(measured, by_ranks),
        content=lambda: measured_content(measured),
        records=lambda: measured_records(measured),
    )
    print_report(report, form)


def computed(run: Run, rows: Sequence[Summary], threshold: float) -> Measured:
    """Everything that reports on `run` and its `rows` say."""
    from leadline.compare.overlap import hidden_shares
    from leadline.compare.ranking import standings_of
    from leadline.compare.rates import rates
    from leadline.models.pingpong import ping_pongs
    from leadline.report.text.measured import Measured

    return Measured(
        run=run,
        rows=rows,
        standings=standings_of(run, threshold),
        pingpongs=ping_pongs(rows),
        threshold=threshold,
        overlaps=hidden_shares(run),
        rates=rates(run, rows),
    )
