"""The figure of `leadline fit --plot`: what was measured, what was fitted to it, residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.models.model import Model


def write_figure(out: str, form: str, analysis: Analysis, models: Sequence[Model]) -> None:
    """Draws `models`, which were fitted to a run, into the file `out` as "svg", "pdf" or "png".

    UsageError where there is no curve to draw, or more than a figure has room for.
    """
    from leadline.cli.report import write
    from leadline.models.sampling import fitted_curves
    from leadline.report.figures.fitted import MOST_PANELS, drawn_panels, fitted_panels
    from leadline.report.figures.plots import plotted

    panels = fitted_panels(plotted([analysis]), fitted_curves(models))
    if not panels:
        raise UsageError(f"--plot {out}: nothing was fitted that has several sizes")
    if len(panels) > MOST_PANELS:
        patterns = ", ".join(dict.fromkeys(model.pattern for model in models))
        raise UsageError(
            f"--plot {out}: {len(panels)} patterns and numbers of ranks are more than the "
            f"{MOST_PANELS} that a figure has room for; choose with --pattern: {patterns}"
        )
    write(out, drawn_panels(panels, form), "--plot")
