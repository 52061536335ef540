"""`leadline calibrate`: a machine file from a measured run, and how far off it is."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.files import check_new, write_new
from leadline.cli.parsing.reading import Reader, add_strict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline calibrate`."""
    parser.add_argument("run", metavar="RUN", help="a directory that `leadline run` wrote")
    parser.add_argument(
        "--machine",
        required=True,
        metavar="NAME",
        help="name of the machine in the file",
    )
    parser.add_argument(
        "-o",
        "--out",
        required=True,
        metavar="FILE",
        help="new machine file, for `leadline simulate --machine`",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print how far the machine deviates from the run, cell by cell, as JSON",
    )
    add_strict(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Calibrates, writes the file, prints how far off it is; 0, unless --strict objects."""
    from leadline.compare.analysis import Analysis
    from leadline.measure.spec import check_name
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.calibrated import calibrated_content
    from leadline.report.text.calibrated import calibrated_document
    from leadline.simulate.calibration import calibrated
    from leadline.simulate.machine_files import machine_text

    check_new(arguments.out, "--out")
    name = check_name(arguments.machine)
    reader = Reader(arguments.strict)
    run = reader.run(arguments.run)
    source = f"calibrated from {arguments.run}, {run.provenance.started or 'no date'}"
    calibration = calibrated(Analysis(run), name, source)
    write_new(arguments.out, machine_text(calibration.machine), "--out")
    if arguments.json:
        print(document_text(calibrated_content(calibration, arguments.out)))
    else:
        print_document(calibrated_document(calibration))
    return reader.status()
