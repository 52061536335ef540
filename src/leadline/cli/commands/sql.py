"""`leadline sql`: one SELECT over the stored batches and cells of any number of runs."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_strict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline sql`."""
    parser.add_argument(
        "statement", metavar="SELECT", help='e.g. "FROM measurements WHERE size_bytes = 8"'
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="directories of runs")
    add_strict(parser)
    add_forms(parser)
    parser.epilog = (
        "Tables: runs, configurations, cells, measurements, blocks, timings, batches, failures, "
        'warnings. "DESCRIBE blocks" lists a table\'s columns.'
    )


def execute(arguments: argparse.Namespace) -> int:
    """Prints what the statement selects; 0, also where that is nothing, unless --strict objects."""
    from leadline.query.database import query
    from leadline.report.programs.selection import selection_content, selection_records
    from leadline.report.records import Records
    from leadline.report.text.selection import selection_document

    reader = Reader(arguments.strict)
    answer = query(arguments.statement, arguments.runs, reader.stored)
    selected = Records(answer.columns, answer.rows)
    report = Report(
        document=lambda: selection_document(selected),
        content=lambda: selection_content(selected, reader.warnings),
        records=lambda: selection_records(selected),
    )
    print_report(report, arguments.form)
    return reader.status()
