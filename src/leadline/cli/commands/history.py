"""`leadline history`: the trend of curves over many runs, and where their level changed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import RecordError, UsageError
from leadline.record.terms import current_label
from leadline.units import parse_share, parse_size

if TYPE_CHECKING:
    from pathlib import Path

    from leadline.compare.history import Choice, TrendPoint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline history`."""
    parser.add_argument(
        "directory",
        metavar="DIR",
        help="directory that is searched for runs at any depth",
    )
    parser.add_argument(
        "--patterns",
        metavar="P,...",
        help="patterns to show (default: all that were measured)",
    )
    parser.add_argument("--variants", metavar="NAME,...", help="variants to show (default: all)")
    parser.add_argument(
        "--sizes",
        metavar="S,...",
        help="sizes in a curve's geometric mean, e.g. 8 or 0,8,64KiB (default: all)",
    )
    parser.add_argument(
        "--last",
        metavar="N",
        help="number of runs to show, the latest ones (default: all)",
    )
    parser.add_argument(
        "--threshold",
        default="2%",
        metavar="SHARE",
        help="largest change that counts as none (default: 2%%)",
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
    from leadline.cli.parsing.options import whole_number, words
    from leadline.compare.history import Choice, history_of
    from leadline.report.programs.history import history_content, history_records
    from leadline.report.text.history import history_document
    from leadline.store import runs_below

    threshold = parse_share(arguments.threshold)
    patterns, variants, sizes = (
        words(text, f"--{name}") if (text := getattr(arguments, name)) else []
        for name in ("patterns", "variants", "sizes")
    )
    choice = Choice(
        [current_label(pattern) for pattern in patterns],
        variants,
        [parse_size(size) for size in sizes],
    )
    last = whole_number(arguments.last, "--last", 2) if arguments.last else None
    reader = Reader(arguments.strict)
    directories = runs_below(arguments.directory, reader.say)
    points, undated = _points(directories, choice, last, reader)
    history = history_of(points, threshold, undated, reader.warnings)
    report = Report(
        document=lambda: history_document(history, threshold),
        content=lambda: history_content(history),
        records=lambda: history_records(history),
    )
    print_report(report, arguments.form)
    return reader.status(history.exit_status)


def _points(
    directories: list[Path], choice: Choice, last: int | None, reader: Reader
) -> tuple[list[TrendPoint], int]:
    """Points of the `last` latest runs in order of their start, and the number of undated runs.

    Runs that `reader` can't read are left out; it reports those before the latest, which don't
    count for --strict. UsageError where nothing is chosen.
    """
    from datetime import datetime

    from leadline.compare.analysis import Analysis
    from leadline.compare.history import points_of

    dated: list[tuple[float, str, list[TrendPoint]]] = []
    undated = 0
    for directory in directories:
        with reader.leaving_out():
            run = reader.run(directory)
            started = run.provenance.started
            if not started:
                undated += 1
                continue
            points = list(points_of(Analysis(run), choice))
            try:
                started_s = datetime.fromisoformat(started).timestamp()
            except (ValueError, OverflowError) as error:
                raise RecordError(run.path, None, f"was started at no date: {error}") from None
            dated.append((started_s, run.path, points))
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
