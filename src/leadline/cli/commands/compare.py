"""`leadline compare`: which configuration or run is faster, by how much, how sure."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_between, add_strict, runs_apart
from leadline.errors import UsageError
from leadline.units import parse_share

if TYPE_CHECKING:
    from leadline.compare.pairs import ComparisonResult
    from leadline.record.run import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline compare`."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="one run and --baseline, or two: the first is the baseline",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        help="variant that the others are compared with",
    )
    parser.add_argument(
        "--threshold",
        default="2%",
        metavar="SHARE",
        help="largest difference that counts as none (default: 2%%)",
    )
    parser.add_argument(
        "--against-model",
        action="store_true",
        help="give verdicts on measured values against simulated or predicted ones, with the "
        "model as reference",
    )
    add_between(parser)
    add_strict(parser)
    add_forms(parser)
    parser.epilog = (
        "Exit status: 0 no regression, 1 regression, 2 usage, 3 nothing slower, but more than a "
        "tenth of cells not decided. Never 1 for what wasn't measured, unless by --against-model; "
        "0 where all of it is simulated against simulated. 4 by --strict: a run isn't whole."
    )


def execute(arguments: argparse.Namespace) -> int:
    """Prints the comparison; 0: no regression, 1: regression, 3: over a tenth is undecided.

    4: --strict objects.
    """
    from leadline.report.programs.compared import compared_content, compared_records
    from leadline.report.text.comparison import Compared, comparison_document

    threshold = parse_share(arguments.threshold)
    paths, baseline, between = arguments.runs, arguments.baseline, arguments.between
    if len(paths) > 2:
        raise UsageError(f"only two runs can be compared, found {len(paths)}: {' '.join(paths)}")
    if len(paths) == 2 and baseline is not None:
        raise UsageError(f"--baseline {baseline} is for one run; of two, the first is the baseline")
    if len(paths) == 1 and between is not None:
        raise UsageError(f"--between {between} is for two runs; variants of one share its blocks")
    reader = Reader(arguments.strict)
    runs = tuple(map(reader.run, paths))
    result = _compare(runs, threshold, arguments, reader)
    compared = Compared(runs, result, threshold)
    report = Report(
        document=lambda: comparison_document(compared),
        content=lambda: compared_content(compared),
        records=lambda: compared_records(compared),
    )
    print_report(report, arguments.form)
    return reader.status(compared.result.exit_status)


def _compare(
    runs: Sequence[Run], threshold: float, arguments: argparse.Namespace, reader: Reader
) -> ComparisonResult:
    """The second of two runs against the first, or a run's variants against the baseline."""
    from leadline.compare.analysis import Analysis
    from leadline.compare.origins import MODELS
    from leadline.compare.pairs import compare_runs, compare_within

    baseline, against_model = arguments.baseline, arguments.against_model
    origins = dict.fromkeys(
        configuration.origin for run in runs for configuration in run.configurations
    )
    if against_model and not any(origin in MODELS for origin in origins):
        paths, seen = " ".join(run.path for run in runs), " and ".join(origins)
        raise UsageError(
            f"--against-model is for simulated or predicted values; those in {paths} are {seen}"
        )
    if len(runs) == 2:
        both = Analysis(runs[0]), Analysis(runs[1])
        known = runs_apart(arguments.runs, arguments.between, reader)
        return compare_runs(*both, threshold, against_model=against_model, known=known)
    if baseline is None:
        names = ", ".join(dict.fromkeys(c.variant for c in runs[0].configurations))
        raise UsageError(f"give a second run, or --baseline with one of: {names}")
    return compare_within(
        Analysis(runs[0]), baseline, threshold=threshold, against_model=against_model
    )
