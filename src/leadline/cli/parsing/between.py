"""How far runs lie apart where nothing was changed: the option that states it, or runs beside."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.files import real
from leadline.units import parse_share

if TYPE_CHECKING:
    from leadline.cli.parsing.reading import Reader
    from leadline.compare.between import RunsApart

MOST_BESIDE = 40
"""Runs beside those that are compared; of more, the latest written."""


OF_TWO = "of two runs: how far runs lie apart where nothing was changed"


def add_between(parser: argparse.ArgumentParser, what: str = OF_TWO) -> None:
    """The option `--between`; `what` it says."""
    parser.add_argument(
        "--between",
        metavar="SHARE",
        help=f"{what}, a standard deviation (default: as comparable runs beside do)",
    )


def runs_apart(paths: Sequence[str], stated: str | None, reader: Reader) -> RunsApart:
    """What is known of it: as `stated`, else by the runs that lie beside those in `paths`.

    Runs beside that `reader` can't read are left out. UsageError where no share is stated.
    """
    from leadline.compare.analysis import Analysis
    from leadline.compare.between import RunsApart
    from leadline.store import runs_beside

    if stated is not None:
        return RunsApart(parse_share(stated))
    own = {real(path) for path in paths}
    beside = dict.fromkeys(run for path in paths for run in runs_beside(path) if run not in own)
    found = []
    for directory in list(beside)[:MOST_BESIDE]:
        with reader.leaving_out(beside=True):
            found.append(Analysis(reader.run(directory, beside=True)))
    return RunsApart(beside=tuple(found))
