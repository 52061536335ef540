"""`leadline plot`: one figure of one or several runs, for a paper."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from leadline.cli.reading import Reader, add_strict
from leadline.errors import UsageError

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
    from leadline.cli.plot_choice import chosen_figure
    from leadline.cli.report import load_measured, write
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
