"""`leadline plot`: one figure of one or several runs, for a paper."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from leadline.cli.parsing.reading import Reader, add_strict, load_measured, runs_apart
from leadline.errors import UsageError
from leadline.units import format_size, parse_share, parse_size

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.compare.curves import Curve
    from leadline.report.figures.figure import Figure

INCHES = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)")
SMALLEST_IN, LARGEST_IN = 1.0, 40.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline plot`."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="one run or several")
    parser.add_argument(
        "-o", "--out", required=True, metavar="FILE", help="file for the figure: .svg, .pdf or .png"
    )
    parser.add_argument(
        "--pattern",
        metavar="P",
        help="pattern with its options (default: the first that was measured)",
    )
    parser.add_argument(
        "--ranks",
        type=int,
        metavar="N",
        help="number of ranks (default: the fewest measured)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--bandwidth", action="store_true", help="size over time in place of time")
    what.add_argument(
        "--ratio",
        nargs=2,
        metavar="NAME",
        help="the first variant's time over the second's, with its interval and the "
        "threshold as a band",
    )
    what.add_argument(
        "--by-ranks",
        action="store_true",
        help="time against the number of ranks, powers of two and others apart",
    )
    parser.add_argument(
        "--at", metavar="S", help="with --by-ranks: message size (default: the smallest)"
    )
    parser.add_argument(
        "--threshold",
        default="2%",
        metavar="SHARE",
        help="half width of a ratio's band (default: 2%%)",
    )
    parser.add_argument(
        "--size",
        default="3.4x2.5",
        metavar="WxH",
        help="width and height in inches (default: 3.4x2.5)",
    )
    add_strict(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Draws the figure; 0, unless --strict objects."""
    from leadline.cli.parsing.files import form_of, write

    form = form_of(arguments.out, "--out")
    if arguments.at and not arguments.by_ranks:
        raise UsageError(f"--at {arguments.at} is for --by-ranks; give both or neither")
    match = INCHES.fullmatch(arguments.size)
    size_in = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if min(size_in) < SMALLEST_IN or max(size_in) > LARGEST_IN:
        raise UsageError(
            f"--size {arguments.size!r}: give inches such as 3.4x2.5, each from 1 to 40"
        )
    from leadline.report.figures.figure import drawn

    reader = Reader(arguments.strict)
    figure = _figure(arguments, load_measured(arguments.runs, reader), reader)
    write(arguments.out, drawn(figure, form, size_in))
    return reader.status()


def _figure(arguments: argparse.Namespace, analyses: Sequence[Analysis], reader: Reader) -> Figure:
    """The figure asked for; UsageError for a pattern, ranks, size or pair that wasn't measured."""
    from leadline.patterns.names import measured_pattern
    from leadline.report.figures.plots import plotted, ranks_figure, ratio_figure, size_figure

    shown = plotted(analyses)
    patterns = dict.fromkeys(row.pattern for _, row in shown.rows)
    where = ", ".join(analysis.run.path for analysis in analyses)
    pattern = measured_pattern(arguments.pattern or next(iter(patterns)), patterns, where)
    rows = [row for _, row in shown.rows if row.pattern == pattern]
    measured_ranks = sorted({row.ranks for row in rows})
    if arguments.by_ranks:
        if len(measured_ranks) < 2:  # a line over ranks would be a point
            raise UsageError(
                f"--by-ranks: {pattern} was measured with {measured_ranks[0]} ranks alone; measure "
                "it with run --ranks 2,3,4, or leave --by-ranks out"
            )
        sizes = sorted({row.size_bytes for row in rows})
        size_bytes = parse_size(arguments.at) if arguments.at else sizes[0]
        if size_bytes not in sizes:
            seen = ", ".join(map(format_size, sizes))
            raise UsageError(f"--at {arguments.at}: {pattern} was measured at {seen}")
        return ranks_figure(shown, pattern, size_bytes)
    ranks = measured_ranks[0] if arguments.ranks is None else arguments.ranks
    if ranks not in measured_ranks:
        seen = ", ".join(map(str, measured_ranks))
        raise UsageError(f"--ranks {ranks}: {pattern} was measured on {seen}")
    if arguments.ratio:
        threshold = parse_share(arguments.threshold)
        curve = _ratio_curve(analyses, arguments.ratio, pattern, ranks, threshold, reader)
        return ratio_figure(curve, threshold, shown.series)
    figure = size_figure(shown, pattern, ranks, arguments.bandwidth)
    if not figure.lines:
        raise UsageError(f"{pattern} was measured at 0 B only, which has no bandwidth")
    return figure


def _ratio_curve(
    analyses: Sequence[Analysis],
    names: Sequence[str],
    pattern: str,
    ranks: int,
    threshold: float,
    reader: Reader,
) -> Curve:
    """The curve of the first name's time over the second's, within a run or between two of several.

    UsageError where there is none.
    """
    from leadline.compare.pairs import compare_runs, compare_within
    from leadline.compare.sides import run_names, sides_called

    candidate, baseline = names
    curves: list[Curve] = []
    if len(analyses) == 1:
        (analysis,) = analyses
        candidate, baseline = (
            called[0].label if (called := sides_called(name, analysis.sides)) else name
            for name in names
        )
        curves += compare_within(analysis, baseline, [candidate], threshold).curves
    else:
        labels = run_names([analysis.run for analysis in analyses])
        known = runs_apart([analysis.run.path for analysis in analyses], None, reader)
        for first, second in permutations(zip(analyses, labels, strict=True), 2):
            pair = (first[1], second[1])
            curves += compare_runs(first[0], second[0], threshold, pair, known=known).curves
    wanted = (candidate, baseline, pattern, ranks)
    for curve in curves:
        whole = curve.whole
        if (whole.candidate, whole.baseline, whole.pattern, whole.ranks) == wanted:
            return curve
    pairs = dict.fromkeys(f"{one.whole.candidate!r} {one.whole.baseline!r}" for one in curves)
    raise UsageError(
        f"--ratio {candidate!r} {baseline!r} has no {pattern} on {ranks} ranks; "
        f"there is: {', '.join(pairs) or 'nothing'}"
    )
