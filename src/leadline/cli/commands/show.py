"""`leadline show`: what a run measured, as tables and sentences, or for programs."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.forms import add_forms
from leadline.cli.parsing.parser import say_of_more
from leadline.cli.parsing.reading import NOT_WHOLE, Reader, add_strict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline show`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    say_of_more(parser, "takes one run; hold two side by side by `leadline compare A B`")
    parser.add_argument(
        "--full",
        action="store_true",
        help="print all tables, sentences and warnings, not the first screen",
    )
    parser.add_argument(
        "--tails",
        action="store_true",
        help="p90 and p99 of single operations, where they were timed one by one",
    )
    parser.add_argument(
        "--by-ranks",
        action="store_true",
        help="tables against the number of ranks in place of the size, powers of two first",
    )
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prints the report on the run; 0 unless --strict objects, also to a cell without a time."""
    from leadline.cli.outcome import print_run
    from leadline.compare.analysis import Analysis

    reader = Reader(arguments.strict)
    analysis = Analysis(reader.run(arguments.run))
    print_run(analysis, arguments.form, arguments.full, arguments.tails, arguments.by_ranks)
    return reader.status(NOT_WHOLE if arguments.strict and analysis.untimed else 0)
