"""`leadline dims`: into which grid a number of ranks should be cut, by itself and for a machine."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.jobs import read_machine
from leadline.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline dims`."""
    parser.add_argument("ranks", type=int, metavar="RANKS", help="number of ranks")
    parser.add_argument(
        "--ndims",
        type=int,
        default="2",
        metavar="N",
        help="number of axes (default: 2)",
    )
    parser.add_argument(
        "--machine",
        metavar="KIND:WORD",
        help="machine that the grid is to fit, as for map",
    )
    parser.add_argument("--cores", type=int, metavar="N", help="slots of every node, as for map")
    parser.add_argument("--json", action="store_true", help="print JSON")


def execute(arguments: argparse.Namespace) -> int:
    """Prints the balanced grid, and the one for the machine if one is given; 0."""
    from leadline.mapping.dims import cut_for, dims_create
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import grids_content
    from leadline.report.text.mapping import Factorisation, dims_document
    from leadline.topology.allocation import first_slots
    from leadline.topology.networks import MOST_DIMS, MOST_SLOTS

    ranks, ndims = arguments.ranks, arguments.ndims
    for value, name, most in ((ranks, "RANKS", MOST_SLOTS), (ndims, "--ndims", MOST_DIMS)):
        if not 1 <= value <= most:
            raise UsageError(f"{name} {value} must lie between 1 and {most:,}")
    if arguments.machine is None:
        factorisations = [Factorisation("balanced", dims_create(ranks, ndims), None)]
    else:
        machine = first_slots(read_machine(arguments.machine, arguments.cores), ranks).machine
        names = ("balanced", f"for {machine.name}")
        factorisations = [
            Factorisation(name, cut.dims, cut.metrics)
            for name, cut in zip(names, cut_for(machine, ranks, ndims), strict=True)
        ]
    if arguments.json:
        print(document_text(grids_content(factorisations), indent=None))
    else:
        print_document(dims_document(factorisations))
    return 0
