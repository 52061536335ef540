"""`leadline history`: the trend of curves over many runs, and where their level changed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import RecordError, UsageError
from leadline.units import parse_share, parse_size

if TYPE_CHECKING:
    from pathlib import Path

    from leadline.compare.history import Choice, TrendPoint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline history`."""
    parser.add_argument("directory", metavar="DIR", help="runs are looked for anywhere below it")
    parser.add_argument("--patterns", metavar="P,...", help="default: all that were measured")
    parser.add_argument("--variants", metavar="NAME,...", help="default: all")
    parser.add_argument("--sizes", metavar="S,...", help="default: all, as one geometric mean")
    parser.add_argument("--last", metavar="N", help="look at the N latest runs only")
    parser.add_argument(
        "--threshold", default="2%", metavar="SHARE", help="smaller is no change (default: 2%%)"
    )
    add_strict(parser)
    add_forms(parser)
    parser.epilog = (
        "Exit status: 0 no slowdown at the end, 1 a slowdown, 2 usage, 4 by --strict: a run isn't "
        "whole, or left out because it can't be read."
    )


def execute(arguments: argparse.Namespace) -> int:
    """Prints the trends; 1 where the last level of one is a slowdown, else 0.

    4: --strict objects.
    """
    from leadline.cli.parsing.options import whole_number
    from leadline.compare.history import history_of
    from leadline.report.programs.history import history_content, history_records
    from leadline.report.text.history import history_document
    from leadline.store import runs_below

    threshold, choice = parse_share(arguments.threshold), _choice(arguments)
    last = whole_number(arguments.last, "--last", 2) if arguments.last else None
    reader = Reader(arguments.strict)
    directories = runs_below(arguments.directory, reader.say)
    points, undated = _points(directories, choice, last, reader)
    history = history_of(points, threshold, undated, reader.said)
    report = Report(
        document=lambda: history_document(history, threshold),
        content=lambda: history_content(history),
        records=lambda: history_records(history),
    )
    print_report(report, arguments.form)
    return reader.status(history.exit_status)


def _choice(arguments: argparse.Namespace) -> Choice:
    from leadline.cli.parsing.options import words
    from leadline.compare.history import Choice

    chosen = {
        name: words(text, f"--{name}") if text else []
        for name, text in vars(arguments).items()
        if name in ("patterns", "variants", "sizes")
    }
    sizes = [parse_size(size) for size in chosen["sizes"]]
    return Choice(chosen["patterns"], chosen["variants"], sizes)


def _points(
    directories: list[Path], choice: Choice, last: int | None, reader: Reader
) -> tuple[list[TrendPoint], int]:
    """Of the latest `last` runs in order of their start; and how many runs have no such time.

    Those that `reader` can't read are left out; of those before the latest it tells, and that is
    all. UsageError where nothing is chosen.
    """
    from leadline.compare.analysis import Analysis
    from leadline.compare.history import points_of

    dated: list[tuple[float, str, list[TrendPoint]]] = []
    undated = 0
    for directory in directories:
        with reader.leaving_out():
            run = reader.run(directory)
            started = run.provenance.started
            undated += not started
            if started:
                points = list(points_of(Analysis(run), choice))
                dated.append((_seconds(started, run.path), run.path, points))
    dated.sort(key=lambda one: one[0])
    latest = dated[-(last or 0) :]
    for _, path, _ in dated[: len(dated) - len(latest)]:
        reader.pass_over(path)
    found = [point for _, _, points in latest for point in points]
    if not found:
        raise UsageError(
            "no run has the cells that were chosen, and the time when it was started; imported "
            "runs have it by leadline import --date"
        )
    return found, undated


def _seconds(started: str, path: str) -> float:
    """Since 1970; RecordError where the run at `path` was `started` at no date."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(started).timestamp()
    except (ValueError, OverflowError) as error:
        raise RecordError(path, None, f"was started at no date: {error}") from None
