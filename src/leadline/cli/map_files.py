"""Files that `leadline map` makes of a mapping: a launcher's, a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.pictures import check_picture, form_of, write_image
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.report.text.mapping import Mapped

CSV = "csv"
"""The placement for no launcher: a row a rank."""


def check_files(arguments: argparse.Namespace) -> None:
    """UsageError for --emit or --plot that can be refused before anything is computed."""
    from leadline.mapping.launchfiles import EMITTERS

    if arguments.emit and arguments.json:
        raise UsageError("--emit and --json both go to stdout; give one")
    if arguments.emit and arguments.emit not in (*EMITTERS, CSV):
        raise unknown_name("launch file", arguments.emit, (*EMITTERS, CSV))
    if arguments.plot:
        check_picture(arguments.plot)
    if arguments.job and (arguments.emit or arguments.plot):
        raise UsageError("--emit and --plot are for one job; map the others one by one")


def print_placement(mapped: Mapped, form: str) -> None:
    """Prints the launcher's file that --emit names."""
    from leadline.mapping.launchfiles import COLUMNS, EMITTERS, Placement, placement_rows
    from leadline.report.formats.csv_text import csv_text
    from leadline.report.records import Records

    allocation, permutation = mapped.job.allocation, mapped.mapping.permutation.tolist()
    placement = Placement(allocation, permutation)
    if form == CSV:
        print(csv_text(Records(COLUMNS, placement_rows(placement))))
    else:
        print(EMITTERS[form](placement))


def write_picture(mapped: Mapped, path: str) -> None:
    """Draws the mapping, before and after, into the file `path`."""
    import numpy as np

    from leadline.mapping.scenes import scenes
    from leadline.report.figures.picture import picture

    identity = np.arange(len(mapped.job.allocation), dtype=np.int64)
    shown = scenes(mapped.job, [identity, mapped.mapping.permutation])
    write_image(picture(mapped, shown, form_of(path)), path)
