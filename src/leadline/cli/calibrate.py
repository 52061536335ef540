"""`leadline calibrate`: a machine file from a measured run, and how far off it is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from leadline.cli.new_file import check_new, write_new


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
    print("held out: every other size; |simulated / measured - 1|")
    for one in found.held_out:
        by = f" by {one.algorithm}" if one.algorithm else ""
        print(f"{one.variant}  {one.pattern}{by}: {_far(one.errors)}")
    print(f"all together: {_far([error for one in found.held_out for error in one.errors])}")
    return 0


def _far(errors: Sequence[float]) -> str:
    import numpy as np

    if not errors:
        return "nothing was held out"
    median, most = np.quantile(errors, (0.5, 0.9))
    return f"median {median:.1%}, 9 of 10 within {most:.1%}, {len(errors)} sizes"
