"""`leadline fit`: what a run's operations take, in closed forms, for readers and for `predict`.

Its figure shows what was measured, what was fitted to it, and residuals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_new, form_of, write, write_new
from leadline.cli.parsing.forms import Report, add_forms, print_report
from leadline.cli.parsing.reading import Reader, add_between, add_strict, runs_apart
from leadline.errors import UsageError, unknown_name
from leadline.units import format_size

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.models.model import Model
    from leadline.report.text.fitted import Fitted


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """What is to be drawn into which file."""

    out: str
    form: str
    """As its name ends: "svg", "pdf" or "png"."""
    by_ranks: bool
    """Against ranks; else against sizes, where there are several."""
    sizes: tuple[int, ...] | None
    """Sizes of panels against ranks, in bytes; None: the least and the largest of each model."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline fit`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument(
        "--pattern",
        metavar="P,...",
        help="patterns with their options (default: all that were measured)",
    )
    parser.add_argument("--variant", metavar="NAME,...", help="variants (default: all)")
    parser.add_argument(
        "--oversubscribed",
        action="store_true",
        help="also fit numbers of ranks that share cores, with a warning",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="new file with the models, for `leadline predict`",
    )
    add_between(parser, "spread to another run where nothing was changed")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="figure of the forms, their intervals, breakpoints and residuals, at most 24 "
        "panels: .svg, .pdf or .png",
    )
    parser.add_argument(
        "--by-ranks",
        action="store_true",
        help="with --plot: against the number of ranks, a panel for each pattern and size",
    )
    parser.add_argument(
        "--at",
        metavar="S,...",
        help="with --by-ranks: message sizes (default: the smallest and the largest of each "
        "pattern)",
    )
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
    figure = _figure_order(arguments)
    reader = Reader(arguments.strict)
    analysis = Analysis(reader.run(arguments.run))
    found = _fitted(analysis, arguments, reader)
    report = Report(
        document=lambda: fitted_document(found),
        content=lambda: fitted_content(found),
        records=lambda: fitted_records(found),
    )
    if figure:
        _write_figure(figure, analysis, found)
    if arguments.out:
        write_new(arguments.out, f"{document_text(report.content())}\n", "--out")
    print_report(report, arguments.form)
    return reader.status()


def _figure_order(arguments: argparse.Namespace) -> FigureRequest | None:
    """The figure that `arguments` ask for; UsageError where an option lacks another one."""
    from leadline.cli.parsing.options import sizes_of

    if arguments.at is not None and not arguments.by_ranks:
        raise UsageError(f"--at {arguments.at} is for --by-ranks; give both or neither")
    if arguments.by_ranks and not arguments.plot:
        raise UsageError("--by-ranks is for figures; say which file by --plot FILE")
    if not arguments.plot:
        return None
    sizes = None if arguments.at is None else sizes_of(arguments.at, "--at")
    return FigureRequest(arguments.plot, form_of(arguments.plot), arguments.by_ranks, sizes)


def _fitted(analysis: Analysis, arguments: argparse.Namespace, reader: Reader) -> Fitted:
    """The models asked for; UsageError for a pattern or a variant that wasn't measured."""
    from leadline.cli.parsing.options import words
    from leadline.models.fitted import apart_of, fitted
    from leadline.models.model import Model, NotFitted
    from leadline.patterns.names import measured_pattern
    from leadline.report.text.fitted import Fitted

    run = analysis.run
    patterns = variants = None
    if arguments.pattern is not None:
        measured = [cell.pattern for cell in run.cells]
        named = words(arguments.pattern, "--pattern")
        patterns = [measured_pattern(name, measured, run.path) for name in named]
    if arguments.variant is not None:
        known = dict.fromkeys(configuration.variant for configuration in run.configurations)
        variants = words(arguments.variant, "--variant")
        for name in variants:
            if name not in known:
                raise unknown_name("variant", name, known)
    apart = apart_of(analysis, runs_apart([arguments.run], arguments.between, reader))
    found = [
        result
        for result in fitted(analysis, patterns, arguments.oversubscribed, apart)
        if variants is None or result.variant in variants
    ]
    return Fitted(
        run,
        tuple(model for model in found if isinstance(model, Model)),
        tuple(dict.fromkeys(result for result in found if isinstance(result, NotFitted))),
    )


def _write_figure(request: FigureRequest, analysis: Analysis, fitted: Fitted) -> None:
    """Draws what was fitted to the run of `analysis` into a file.

    UsageError where there is nothing to draw, or more than a figure has room for.
    """
    from leadline.models.sampling import fitted_curves, fitted_sweeps
    from leadline.report.figures.fitted import (
        MOST_PANELS,
        drawn_panels,
        fitted_panels,
        swept_panels,
    )
    from leadline.report.figures.plots import plotted

    models = fitted.models
    if not models:
        reason = "".join(
            f"; {refused.variant}, {refused.pattern}: {refused.reason}"
            for refused in fitted.refused[:1]
        )
        raise UsageError(f"--plot {request.out}: nothing was fitted{reason}")
    if request.by_ranks:
        _check_swept(request, models)
    shown = plotted([analysis])
    sweeps = tuple(
        sweep
        for model in models
        if request.by_ranks
        or len(model.sizes_bytes) == 1  # one of a single size has no other figure
        for sweep in fitted_sweeps([model])
        if sweep.size_bytes in (request.sizes or (model.sizes_bytes[0], model.sizes_bytes[-1]))
    )
    curves = () if request.by_ranks else fitted_curves(models)
    panels = [*fitted_panels(shown, curves), *swept_panels(shown, sweeps)]
    if len(panels) > MOST_PANELS:
        patterns = ", ".join(dict.fromkeys(model.pattern for model in models))
        kinds = "sizes" if request.by_ranks else "numbers of ranks"
        raise UsageError(
            f"--plot {request.out}: {len(panels)} patterns and {kinds} are more than the "
            f"{MOST_PANELS} that a figure has room for; choose with --pattern: {patterns}"
        )
    write(request.out, drawn_panels(panels, request.form), "--plot")


def _check_swept(request: FigureRequest, models: Sequence[Model]) -> None:
    """UsageError where nothing was fitted to several numbers of ranks, or not at these sizes."""
    swept = sorted({size for model in models if len(model.ranks) > 1 for size in model.sizes_bytes})
    if not swept:
        raise UsageError(
            f"--plot {request.out}: nothing was fitted to several numbers of ranks; leave "
            "--by-ranks out, or measure three or more (leadline run --ranks 2,3,4)"
        )
    for size_bytes in request.sizes or ():
        if size_bytes not in swept:
            sizes = ", ".join(map(format_size, swept))
            raise UsageError(
                f"--at {format_size(size_bytes)}: nothing was fitted over ranks there; there are "
                f"{sizes}"
            )
