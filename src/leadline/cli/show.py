"""`leadline show`: what a run measured, as tables and sentences, or for programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.forms import Forms, add_forms

if TYPE_CHECKING:
    from leadline.record import Run


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
    from leadline.compare import THRESHOLD
    from leadline.overlap import hidden_shares
    from leadline.report import rows
    from leadline.report.measured import Measured, run_document
    from leadline.standings import standings_of
    from leadline.summaries import ping_pongs, summarise

    summaries = summarise(run, tails)
    standings = standings_of(run, THRESHOLD)
    measured = Measured(
        run, summaries, standings, ping_pongs(summaries), THRESHOLD, hidden_shares(run)
    )
    Forms(
        document=lambda: run_document(measured, by_ranks),
        json=lambda: rows.measured_json(measured),
        csv=lambda: rows.measured_csv(measured),
    ).print(form)
