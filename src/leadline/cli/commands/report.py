"""`leadline report`: runs as one HTML file that opens anywhere, offline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import write
from leadline.cli.parsing.reading import Reader, add_between, add_strict, load_measured, runs_apart
from leadline.files import real
from leadline.units import parse_share

if TYPE_CHECKING:
    from leadline.compare.analysis import Analysis
    from leadline.compare.between import RunsApart
    from leadline.report.page.reported import Reported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline report`."""
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="one run, or several: the first is the baseline"
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="file for the page, - for stdout (default: the first run's name and .html, in the "
        "current folder)",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        help="the only variant that others are compared with (default: each library, of more "
        "than six the first, and each raw transport)",
    )
    parser.add_argument(
        "--threshold",
        default="2%",
        metavar="SHARE",
        help="largest difference that counts as none (default: 2%%)",
    )
    add_between(parser)
    add_strict(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Writes the page; 0, whatever it shows, unless --strict objects."""
    from leadline.report.page import page

    threshold = parse_share(arguments.threshold)
    reader = Reader(arguments.strict)
    analyses = load_measured(arguments.runs, reader)
    out = arguments.out or f"{real(arguments.runs[0]).name}.html"
    known = runs_apart(arguments.runs, arguments.between, reader) if len(analyses) > 1 else None
    write(out, page(_reported(analyses, arguments.baseline, threshold, known)).encode())
    return reader.status()


def _reported(
    analyses: Sequence[Analysis],
    baseline: str | None,
    threshold: float,
    known: RunsApart | None = None,
) -> Reported:
    """Everything that the page shows."""
    from leadline.cli.outcome import computed
    from leadline.compare.baselines import contrasts_of
    from leadline.models.sampling import fitted_curves, fitted_sweeps
    from leadline.report.page.reported import Reported

    measured = tuple(computed(analysis, threshold) for analysis in analyses)
    return Reported(
        measured,
        contrasts_of(analyses, baseline, threshold, known),
        tuple(analysis.distributions for analysis in analyses),
        tuple(fitted_curves(one.forms.found) for one in measured),
        tuple(fitted_sweeps(one.forms.found) for one in measured),
        threshold,
    )
