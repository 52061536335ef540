"""`leadline trace`: who sends what to whom, phase by phase."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.files import replace
from leadline.cli.parsing.forms import Report, add_forms, print_report, say
from leadline.errors import UsageError
from leadline.units import parse_duration

DEFAULT_SIZE = "1KiB"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline trace`."""
    parser.add_argument(
        "--patterns", required=True, metavar="P,...",
        help="patterns with options: halo:8x4x4, bcast:rotating",
    )  # fmt: skip
    parser.add_argument(
        "--ranks",
        default="2",
        metavar="N,...",
        help="numbers of ranks, more than cores if need be (default: 2)",
    )
    parser.add_argument(
        "--root",
        default="0",
        metavar="N",
        help="root rank of patterns with a fixed root (default: 0)",
    )
    parser.add_argument("--sizes", metavar="S,...", help=f"message sizes (default: {DEFAULT_SIZE})")
    parser.add_argument(
        "--repetitions",
        default="1",
        metavar="N",
        help="number of repetitions of each pattern, back to back (default: 1)",
    )
    parser.add_argument(
        "--patience", default="20s", metavar="TIME",
        help="timeout after which a rank is reported as hung (default: 20s)",
    )  # fmt: skip
    parser.add_argument(
        "--goal",
        metavar="FILE",
        help="file for the trace, of which there must be one, as a GOAL schedule for "
        "LogGOPSim and ATLAHS",
    )
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Traces and prints; 0, also where a pattern sends nothing."""
    from leadline.cli.parsing.options import ranks_of, root_of, sizes_of, whole_number, words
    from leadline.measure.spec import Request
    from leadline.measure.tracing import traced
    from leadline.report.programs.trace import goal_text, traces_content, traces_records
    from leadline.report.text.trace import title_of, traces_document
    from leadline.topology.schedules import schedule_of

    ranks = ranks_of(arguments.ranks)
    patterns = tuple(words(arguments.patterns, "--patterns"))
    sizes = sizes_of(DEFAULT_SIZE if arguments.sizes is None else arguments.sizes)
    if arguments.goal and max(len(ranks), len(patterns), len(sizes)) > 1:
        raise UsageError(
            "--goal writes one schedule: give one pattern, one size and one number of ranks"
        )
    request = Request(
        patterns=patterns,
        sizes=sizes,
        sizes_asked=arguments.sizes is not None,
        ranks=ranks,
        root=root_of(arguments.root, ranks),
        patience_s=parse_duration(arguments.patience),
    )
    traces = traced(request, whole_number(arguments.repetitions, "--repetitions", 1))
    if arguments.goal:
        (cell,) = traces.cells
        text = goal_text(schedule_of(cell.trace), title_of(cell))
        replace(arguments.goal, text.encode(), "--goal")
        say(f"wrote {arguments.goal}")
    report = Report(
        document=lambda: traces_document(traces),
        content=lambda: traces_content(traces),
        records=lambda: traces_records(traces),
    )
    print_report(report, arguments.form)
    return 0
