"""`leadline calibrate`: a machine file from a measured run, and how far off it is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.new_file import check_new, write_new

if TYPE_CHECKING:
    from leadline.simulate.calibration import SimulatedTimes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline calibrate`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument("--machine", required=True, metavar="NAME", help="what the file calls it")
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="a new file for `leadline simulate --machine`"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Calibrates, writes and prints what was held out; 0."""
    from leadline.compare.analysis import Analysis
    from leadline.measure.variants import check_name
    from leadline.simulate.calibration import calibrated
    from leadline.simulate.writing import machine_text
    from leadline.store import load

    check_new(arguments.out, "--out")
    name = check_name(arguments.machine)
    run = load(arguments.run)
    found = calibrated(Analysis(run), name)
    patterns = ", ".join(dict.fromkeys(one.pattern for one in found.held_out))
    source = f"calibrated from {arguments.run}, {patterns}, {run.provenance.started or 'no date'}"
    write_new(arguments.out, machine_text(found.machine, source), "--out")
    print("held out: every other size, and of three numbers of ranks the second")
    _print_errors(found.held_out)
    if found.not_fitted:
        print("not fitted: patterns of which nothing was fitted")
        _print_errors(found.not_fitted)
    return 0


def _print_errors(several: Sequence[SimulatedTimes]) -> None:
    for one in several:
        by = f" by {one.algorithm}" if one.algorithm else ""
        own = ", messages of its own cost" if one.own_messages else ""
        print(f"  {one.variant}  {one.pattern}{by}{own}: {_far(one.errors)}")
    print(f"  all together: {_far([error for one in several for error in one.errors])}")


def _far(errors: Sequence[float]) -> str:
    import numpy as np

    if not errors:
        return "nothing was held out"
    median, most = np.quantile(errors, (0.5, 0.9))
    return f"median {median:.1%}, 9 of 10 within {most:.1%}, {len(errors)} cells"
