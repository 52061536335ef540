"""`leadline report`: runs as one HTML file that opens anywhere, offline."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import UsageError
from leadline.units import parse_share

if TYPE_CHECKING:
    from leadline.compare.summaries import Summary
    from leadline.record.run import Run
    from leadline.report.page.reported import Reported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline report`."""
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="one run, or several: the first is the baseline"
    )
    parser.add_argument("--out", metavar="FILE", help="default: RUN.html here; - is stdout")
    parser.add_argument("--baseline", metavar="NAME", help="the only variant others are held to")
    parser.add_argument(
        "--threshold", default="2%", metavar="SHARE", help="smaller is no difference (default: 2%%)"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Writes the page; 0, whatever it says."""
    from leadline.report.page import page

    threshold = parse_share(arguments.threshold)
    found = load_measured(arguments.runs)
    out = arguments.out or f"{Path(arguments.runs[0]).resolve().name}.html"
    write(out, page(_reported(found, arguments.baseline, threshold)).encode())
    return 0


def load_measured(paths: Sequence[str]) -> list[tuple[Run, tuple[Summary, ...]]]:
    """The runs in `paths` and what they measured.

    UsageError for a run that is named twice, and if none measured anything.
    """
    from leadline.compare.summaries import summarise
    from leadline.store import load

    places = [Path(path).resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"{path} is given twice; name each run once")
    found = [(run, summarise(run)) for run in map(load, paths)]
    if not any(rows for _, rows in found):
        raise UsageError(
            f"nothing was measured in {' '.join(paths)}; `leadline show` says what failed"
        )
    return found


def write(out: str, content: bytes) -> None:
    """Puts `content` into the file `out`, whatever was there, or on stdout if that is "-"."""
    if out == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(out).write_bytes(content)
    except OSError as error:
        raise UsageError(f"--out {out}: {error.strerror or error}") from None
    print(f"wrote {out}", file=sys.stderr)


def _reported(
    found: Sequence[tuple[Run, tuple[Summary, ...]]], baseline: str | None, threshold: float
) -> Reported:
    from leadline.cli.show import computed
    from leadline.compare.baselines import contrasts_of
    from leadline.compare.distributions import distributions_of
    from leadline.report.page.reported import Reported

    runs = [run for run, _ in found]
    return Reported(
        tuple(computed(run, rows, threshold) for run, rows in found),
        contrasts_of(runs, baseline, threshold),
        tuple(map(distributions_of, runs)),
        threshold,
    )
