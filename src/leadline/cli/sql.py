"""`leadline sql`: one SELECT over the stored batches and cells of any number of runs."""

from __future__ import annotations

import argparse

from leadline.cli.forms import Forms, add_forms


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline sql`."""
    parser.add_argument(
        "statement", metavar="SELECT", help='e.g. "FROM measurements WHERE size_bytes = 8"'
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="directories of runs")
    add_forms(parser)
    parser.epilog = (
        "Tables: runs, configurations, cells, measurements, blocks, timings, batches, failures, "
        'warnings. "DESCRIBE blocks" lists a table\'s columns.'
    )


def execute(arguments: argparse.Namespace) -> int:
    """Prints what the statement selects; 0, also where that is nothing."""
    from leadline.query.database import query
    from leadline.report.text.answers import answer_csv, answer_document, answer_json

    answer = query(arguments.statement, arguments.runs)
    Forms(
        document=lambda: answer_document(answer),
        json=lambda: answer_json(answer),
        csv=lambda: answer_csv(answer),
    ).print(arguments.form)
    return 0
