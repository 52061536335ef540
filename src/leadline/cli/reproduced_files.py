"""What `leadline reproduce` writes besides what it prints: a page, and a folder of drawings."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.figure_folder import check_folder, draw_each
from leadline.cli.new_file import check_directory
from leadline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from leadline.reproduce.figures import ReproducedFigure
    from leadline.reproduce.reproduction import ReproducedPaper


def add_files(parser: argparse.ArgumentParser) -> None:
    """The options that name them."""
    parser.add_argument("--report", metavar="FILE", help="write all of it as one HTML file, too")
    parser.add_argument("--plot", metavar="DIR", help="draw the papers' figures there, as SVG")


def check_files(arguments: argparse.Namespace) -> None:
    """UsageError where what was asked for can't be written, before anything is simulated."""
    report = arguments.report
    if report == "-":
        raise UsageError("--report -: what is printed is on stdout; name a file, e.g. papers.html")
    if report is not None:
        check_directory(report, "--report")
        if Path(report).is_dir():
            raise UsageError(f"--report {report} is a directory; name a file in it")
    if arguments.plot is not None:
        check_folder(arguments.plot, "--plot")


def write_files(
    arguments: argparse.Namespace,
    papers: Sequence[ReproducedPaper],
    drawings: Callable[[], Sequence[ReproducedFigure]],
) -> None:
    """Writes what was asked for, over whatever was there; only then `drawings` are made."""
    if arguments.report is None and arguments.plot is None:
        return
    from leadline.cli.report import write
    from leadline.report.page.reproduced import reproduced_page

    figures = drawings()
    if arguments.report is not None:
        write(arguments.report, reproduced_page(papers, figures).encode(), "--report")
    if arguments.plot is not None:
        draw_each((one.figure for one in figures), arguments.plot, "--plot")
