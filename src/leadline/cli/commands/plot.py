"""`leadline plot`: one figure of one or several runs, for a paper: what words choose of them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import UsageError
from leadline.units import format_size, parse_share, parse_size

if TYPE_CHECKING:
    from leadline.cli.parsing.reading import Reader
    from leadline.compare.analysis import Analysis
    from leadline.compare.curves import Curve
    from leadline.report.figures.figure import Figure
    from leadline.report.figures.plots import Plotted

FORMS = (".svg", ".pdf", ".png")
INCHES = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)")
SMALLEST_IN, LARGEST_IN = 1.0, 40.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline plot`."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="one run or several")
    parser.add_argument(
        "-o", "--out", required=True, metavar="FILE", help="its end decides: .svg, .pdf, .png"
    )
    parser.add_argument("--pattern", metavar="P", help="default: the first that was measured")
    parser.add_argument("--ranks", type=int, metavar="N", help="default: the fewest measured")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--bandwidth", action="store_true", help="size over time in place of time")
    what.add_argument(
        "--ratio", nargs=2, metavar="NAME", help="the first one's time over the second one's"
    )
    what.add_argument("--by-ranks", action="store_true", help="against the number of ranks")
    parser.add_argument(
        "--at", metavar="S", help="with --by-ranks: message size (default: smallest)"
    )
    parser.add_argument(
        "--threshold", default="2%", metavar="SHARE", help="half width of a ratio's band"
    )
    parser.add_argument("--size", default="3.4x2.5", metavar="WxH", help="in inches")
    add_strict(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Draws the figure; 0, unless --strict objects."""
    form = figure_form("--out", arguments.out)
    if arguments.at and not arguments.by_ranks:
        raise UsageError(f"--at {arguments.at} is for --by-ranks; give both or neither")
    size_in = _inches(arguments.size)
    from leadline.cli.commands.plot import chosen_figure
    from leadline.cli.parsing.files import write
    from leadline.cli.parsing.reading import load_measured
    from leadline.report.figures.figure import drawn

    reader = Reader(arguments.strict)
    figure = chosen_figure(arguments, load_measured(arguments.runs, reader), reader)
    write(arguments.out, drawn(figure, form, size_in))
    return reader.status()


def figure_form(option: str, out: str) -> str:
    """As the file `out` of an option ends: "svg", "pdf" or "png"; UsageError for other ends."""
    end = Path(out).suffix.lower()
    if end not in FORMS:
        raise UsageError(f"{option} {out}: end the name in .svg, .pdf or .png")
    return end.removeprefix(".")


def _inches(text: str) -> tuple[float, float]:
    match = INCHES.fullmatch(text)
    sides = [float(side) for side in match.groups()] if match else []
    if not sides or min(sides) < SMALLEST_IN or max(sides) > LARGEST_IN:
        raise UsageError(f"--size {text!r}: give inches such as 3.4x2.5, each from 1 to 40")
    return sides[0], sides[1]


def chosen_figure(
    arguments: argparse.Namespace, analyses: Sequence[Analysis], reader: Reader
) -> Figure:
    """The figure; UsageError for a pattern, ranks, size or pair that wasn't measured."""
    from leadline.record.foreign.names import measured_pattern
    from leadline.report.figures.plots import plotted, ranks_figure, ratio_figure, size_figure

    shown = plotted(analyses)
    patterns = dict.fromkeys(row.pattern for _, row in shown.rows)
    where = ", ".join(one.run.path for one in analyses)
    pattern = measured_pattern(arguments.pattern or next(iter(patterns)), patterns, where)
    if arguments.by_ranks:
        _check_several_ranks(pattern, shown)
        return ranks_figure(shown, pattern, _size(arguments.at, pattern, shown))
    ranks = _ranks(arguments.ranks, pattern, shown)
    if arguments.ratio:
        threshold = parse_share(arguments.threshold)
        curve = _curve(analyses, arguments.ratio, (pattern, ranks), threshold, reader)
        return ratio_figure(curve, threshold, shown.series)
    figure = size_figure(shown, pattern, ranks, arguments.bandwidth)
    if not figure.lines:
        raise UsageError(f"{pattern} was measured at 0 B only, which has no bandwidth")
    return figure


def _check_several_ranks(pattern: str, shown: Plotted) -> None:
    """UsageError where a line over ranks would be a point."""
    measured = {row.ranks for _, row in shown.rows if row.pattern == pattern}
    if len(measured) < 2:
        raise UsageError(
            f"--by-ranks: {pattern} was measured with {measured.pop()} ranks alone; measure it "
            "with run --ranks 2,3,4, or leave --by-ranks out"
        )


def _ranks(chosen: int | None, pattern: str, shown: Plotted) -> int:
    measured = sorted({row.ranks for _, row in shown.rows if row.pattern == pattern})
    if chosen is not None and chosen not in measured:
        seen = ", ".join(map(str, measured))
        raise UsageError(f"--ranks {chosen}: {pattern} was measured on {seen}")
    return measured[0] if chosen is None else chosen


def _size(chosen: str | None, pattern: str, shown: Plotted) -> int:
    measured = sorted({row.size_bytes for _, row in shown.rows if row.pattern == pattern})
    size_bytes = parse_size(chosen) if chosen else measured[0]
    if size_bytes not in measured:
        seen = ", ".join(map(format_size, measured))
        raise UsageError(f"--at {chosen}: {pattern} was measured at {seen}")
    return size_bytes


def _curve(
    analyses: Sequence[Analysis],
    names: Sequence[str],
    place: tuple[str, int],
    threshold: float,
    reader: Reader,
) -> Curve:
    """The curve of the first name over the second's; UsageError where there is none."""
    candidate, baseline = names
    if len(analyses) == 1:
        candidate, baseline = (_label(name, analyses[0]) for name in names)
    curves = list(_curves(analyses, candidate, baseline, threshold, reader))
    for curve in curves:
        whole = curve.whole
        if (whole.candidate, whole.baseline) == (candidate, baseline) and (
            whole.pattern,
            whole.ranks,
        ) == place:
            return curve
    pairs = dict.fromkeys(f"{one.whole.candidate!r} {one.whole.baseline!r}" for one in curves)
    raise UsageError(
        f"--ratio {candidate!r} {baseline!r} has no {place[0]} on {place[1]} ranks; "
        f"there is: {', '.join(pairs) or 'nothing'}"
    )


def _label(name: str, analysis: Analysis) -> str:
    """What a variant is called in comparisons of its run."""
    from leadline.compare.sides import sides_called

    called = sides_called(name, analysis.sides)
    return called[0].label if called else name


def _curves(
    analyses: Sequence[Analysis], candidate: str, baseline: str, threshold: float, reader: Reader
) -> Iterator[Curve]:
    """Within a run, or between any two of several."""
    from leadline.cli.parsing.between import runs_apart
    from leadline.compare.pairs import compare_runs, compare_within
    from leadline.compare.sides import run_names

    if len(analyses) == 1:
        yield from compare_within(analyses[0], baseline, [candidate], threshold).curves
        return
    names = run_names([one.run for one in analyses])
    known = runs_apart([one.run.path for one in analyses], None, reader)
    for first, second in permutations(zip(analyses, names, strict=True), 2):
        pair = (first[1], second[1])
        yield from compare_runs(first[0], second[0], threshold, pair, known=known).curves
