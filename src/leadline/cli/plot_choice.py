"""Which figure `leadline plot` draws: of what runs have, what its words choose."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from leadline.errors import UsageError
from leadline.record.foreign.names import measured_pattern
from leadline.units import format_size, parse_share, parse_size

if TYPE_CHECKING:
    from leadline.cli.reading import Reader
    from leadline.compare.analysis import Analysis
    from leadline.compare.curves import Curve
    from leadline.report.figures.figure import Figure
    from leadline.report.figures.plots import Plotted


def chosen_figure(
    arguments: argparse.Namespace, analyses: Sequence[Analysis], reader: Reader
) -> Figure:
    """The figure; UsageError for a pattern, ranks, size or pair that wasn't measured."""
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
    from leadline.cli.apart import runs_apart
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
