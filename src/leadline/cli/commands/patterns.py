"""`leadline patterns`: which patterns there are, and what they are called elsewhere."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.forms import Report, add_forms, print_report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline patterns`."""
    parser.add_argument(
        "name", nargs="*", metavar="NAME",
        help="a pattern, the beginning of its name, or what MPI, OSU or IMB call it: alltoall, "
        "osu_latency, PingPong (none: list all)",
    )  # fmt: skip
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Prints a line a pattern, or all that is to be known of those that are named."""
    from leadline.measure.known_patterns import known_patterns
    from leadline.report.programs.patterns import patterns_content, patterns_records
    from leadline.report.text.patterns import pattern_document, patterns_document

    known = known_patterns(arguments.name)
    document = pattern_document if arguments.name else patterns_document
    report = Report(
        document=lambda: document(known),
        content=lambda: patterns_content(known),
        records=lambda: patterns_records(known),
    )
    print_report(report, arguments.form)
    return 0
