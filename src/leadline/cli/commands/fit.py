"""`leadline fit`: what a run's operations take, in closed forms, for readers and for `predict`.

Its figure shows what was measured, what was fitted to it, and residuals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.cli.parsing.between import add_between, runs_apart
from leadline.cli.parsing.files import check_new, write_new
from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_strict
from leadline.errors import UsageError, unknown_name
from leadline.units import format_size

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.models.model import Model, NotFitted
    from leadline.models.sampling import FittedSweep
    from leadline.record.run import Run
    from leadline.report.figures.fitted import FittedPanel
    from leadline.report.text.fitted import Fitted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline fit`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument("--pattern", metavar="P,...", help="default: all that were measured")
    parser.add_argument("--variant", metavar="NAME,...", help="default: all")
    parser.add_argument(
        "--oversubscribed", action="store_true", help="also numbers of ranks that share cores"
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="a new file for `leadline predict`")
    add_between(parser, "of another run: how far runs lie apart where nothing was changed")
    add_figure_arguments(parser)
    add_strict(parser)
    add_forms(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Fits, prints and writes; 0, also where nothing can be fitted, unless --strict objects."""
    from leadline.compare.analysis import Analysis
    from leadline.report.formats.json_text import document_text
    from leadline.report.programs.fitted import fitted_content, fitted_records
    from leadline.report.text.fitted import fitted_document

    if arguments.out:
        check_new(arguments.out, "--out")
    figure = figure_order(arguments)
    reader = Reader(arguments.strict)
    analysis = Analysis(reader.run(arguments.run))
    found = _fitted(analysis, arguments, reader)
    report = Report(
        document=lambda: fitted_document(found),
        content=lambda: fitted_content(found),
        records=lambda: fitted_records(found),
    )
    if figure:
        write_figure(figure, analysis, found)
    if arguments.out:
        write_new(arguments.out, f"{document_text(report.content())}\n", "--out")
    print_report(report, arguments.form)
    return reader.status()


def _fitted(analysis: Analysis, arguments: argparse.Namespace, reader: Reader) -> Fitted:
    from leadline.models.fitted import apart_of, fitted
    from leadline.models.model import Model, NotFitted
    from leadline.report.text.fitted import Fitted

    run = analysis.run
    patterns = _patterns(arguments.pattern, run)
    variants = _chosen(arguments.variant, "variant", (one.variant for one in run.configurations))
    known = runs_apart([arguments.run], arguments.between, reader)
    apart = apart_of(analysis, known)
    found = [
        one
        for one in fitted(analysis, patterns, arguments.oversubscribed, apart)
        if variants is None or one.variant in variants
    ]
    return Fitted(
        run,
        tuple(one for one in found if isinstance(one, Model)),
        tuple(dict.fromkeys(one for one in found if isinstance(one, NotFitted))),
    )


def _patterns(text: str | None, run: Run) -> list[str] | None:
    """The patterns in `text`; None: all. UsageError where one wasn't measured."""
    from leadline.cli.parsing.options import words
    from leadline.record.foreign.names import measured_pattern

    if text is None:
        return None
    known = [cell.pattern for cell in run.cells]
    return [measured_pattern(name, known, run.path) for name in words(text, "--pattern")]


def _chosen(text: str | None, what: str, measured: Iterable[str]) -> list[str] | None:
    """The names in `text`; None: all. UsageError where one wasn't measured."""
    from leadline.cli.parsing.options import words

    if text is None:
        return None
    known, names = dict.fromkeys(measured), words(text, f"--{what}")
    for name in names:
        if name not in known:
            raise unknown_name(what, name, known)
    return names


@dataclass(frozen=True, slots=True)
class FigureOrder:
    """What is to be drawn into which file."""

    out: str
    form: str
    """As its name ends: "svg", "pdf" or "png"."""
    by_ranks: bool
    """Against ranks; else against sizes, where there are several."""
    sizes: tuple[int, ...] | None
    """Of panels against ranks; None: the least and the largest of each model."""


def add_figure_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say what is drawn."""
    parser.add_argument(
        "--plot", metavar="FILE", help="a figure of forms and residuals: .svg, .pdf or .png"
    )
    parser.add_argument(
        "--by-ranks", action="store_true", help="with --plot: against the number of ranks"
    )
    parser.add_argument(
        "--at", metavar="S,...", help="with --by-ranks: sizes (default: smallest and largest)"
    )


def figure_order(arguments: argparse.Namespace) -> FigureOrder | None:
    """What `arguments` ask for; UsageError where a word is missing that another needs."""
    from leadline.cli.commands.plot import figure_form
    from leadline.cli.parsing.options import sizes_of

    if arguments.at is not None and not arguments.by_ranks:
        raise UsageError(f"--at {arguments.at} is for --by-ranks; give both or neither")
    if arguments.by_ranks and not arguments.plot:
        raise UsageError("--by-ranks is for figures; say which file by --plot FILE")
    if not arguments.plot:
        return None
    sizes = None if arguments.at is None else sizes_of(arguments.at, "--at")
    form = figure_form("--plot", arguments.plot)
    return FigureOrder(arguments.plot, form, arguments.by_ranks, sizes)


def write_figure(order: FigureOrder, analysis: Analysis, fitted: Fitted) -> None:
    """Draws what was fitted to the run of `analysis` into a file.

    UsageError where there is nothing to draw, or more than a figure has room for.
    """
    from leadline.cli.parsing.files import write
    from leadline.report.figures.fitted import MOST_PANELS, drawn_panels

    models = fitted.models
    if not models:
        raise UsageError(f"--plot {order.out}: nothing was fitted{_reason(fitted.refused)}")
    panels = _panels(order, analysis, models)
    if len(panels) > MOST_PANELS:
        patterns = ", ".join(dict.fromkeys(model.pattern for model in models))
        kinds = "sizes" if order.by_ranks else "numbers of ranks"
        raise UsageError(
            f"--plot {order.out}: {len(panels)} patterns and {kinds} are more than the "
            f"{MOST_PANELS} that a figure has room for; choose with --pattern: {patterns}"
        )
    write(order.out, drawn_panels(panels, order.form), "--plot")


def _reason(refused: Sequence[NotFitted]) -> str:
    """Why the first one has no model."""
    return "".join(f"; {one.variant}, {one.pattern}: {one.reason}" for one in refused[:1])


def _panels(
    order: FigureOrder, analysis: Analysis, models: Sequence[Model]
) -> Sequence[FittedPanel]:
    from leadline.models.sampling import fitted_curves
    from leadline.report.figures.fitted import fitted_panels, swept_panels
    from leadline.report.figures.plots import plotted

    if order.by_ranks:
        _check_swept(order, models)
    shown = plotted([analysis])
    against_sizes = () if order.by_ranks else fitted_curves(models)
    against_ranks = tuple(_sweeps(order, models))
    return [*fitted_panels(shown, against_sizes), *swept_panels(shown, against_ranks)]


def _sweeps(order: FigureOrder, models: Sequence[Model]) -> Iterator[FittedSweep]:
    """Against ranks, if asked for; of models of one size alone in any case."""
    from leadline.models.sampling import fitted_sweeps

    for model in models:
        if order.by_ranks or len(model.sizes_bytes) == 1:
            sizes = order.sizes or (model.sizes_bytes[0], model.sizes_bytes[-1])
            yield from (one for one in fitted_sweeps([model]) if one.size_bytes in sizes)


def _check_swept(order: FigureOrder, models: Sequence[Model]) -> None:
    """UsageError where nothing was fitted to several numbers of ranks, or not at these sizes."""
    swept = sorted({size for one in models if len(one.ranks) > 1 for size in one.sizes_bytes})
    if not swept:
        raise UsageError(
            f"--plot {order.out}: nothing was fitted to several numbers of ranks; leave --by-ranks "
            "out, or measure three or more (leadline run --ranks 2,3,4)"
        )
    for size_bytes in order.sizes or ():
        if size_bytes not in swept:
            sizes = ", ".join(map(format_size, swept))
            raise UsageError(
                f"--at {format_size(size_bytes)}: nothing was fitted over ranks there; there are "
                f"{sizes}"
            )
