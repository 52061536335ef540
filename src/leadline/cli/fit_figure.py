"""The figure of `leadline fit --plot`: what was measured, what was fitted to it, residuals."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leadline.errors import UsageError
from leadline.units import format_size

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.models.model import Model, NotFitted
    from leadline.models.sampling import FittedSweep
    from leadline.report.figures.fitted import FittedPanel
    from leadline.report.text.fitted import Fitted


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
    from leadline.cli.options import sizes_of
    from leadline.cli.plot import figure_form

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
    from leadline.cli.report import write
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
