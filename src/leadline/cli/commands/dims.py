"""`leadline dims`: into which grid a number of ranks should be cut, by itself and for a machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.parsing.jobs import read_machine
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.report.text.dims import Factorisation
    from leadline.topology.networks import Machine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline dims`."""
    parser.add_argument("ranks", type=int, metavar="RANKS", help="how many there are")
    parser.add_argument("--ndims", type=int, default="2", metavar="N", help="axes (default: 2)")
    parser.add_argument("--machine", metavar="KIND:WORD", help="as for map: cut for this machine")
    parser.add_argument("--cores", type=int, metavar="N", help="of a node, as for map")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def execute(arguments: argparse.Namespace) -> int:
    """Prints the grids; 0."""
    from leadline.report.formats.json_text import document_text
    from leadline.report.formats.plain_text import print_document
    from leadline.report.programs.mapping import grids_content
    from leadline.report.text.dims import dims_document

    found = _factorised(arguments.ranks, arguments.ndims, _machine(arguments))
    if arguments.json:
        print(document_text(grids_content(found), indent=None))
    else:
        print_document(dims_document(found))
    return 0


def _machine(arguments: argparse.Namespace) -> Machine | None:
    """The first slots of the machine, one for each rank; None where no machine is given."""
    from leadline.topology.allocation import first_slots
    from leadline.topology.networks import MOST_DIMS, MOST_SLOTS

    for value, name, most in (
        (arguments.ranks, "RANKS", MOST_SLOTS),
        (arguments.ndims, "--ndims", MOST_DIMS),
    ):
        if not 1 <= value <= most:
            raise UsageError(f"{name} {value} must lie between 1 and {most:,}")
    if arguments.machine is None:
        return None
    return first_slots(read_machine(arguments.machine, arguments.cores), arguments.ranks).machine


def _factorised(ranks: int, ndims: int, machine: Machine | None) -> list[Factorisation]:
    """The even grid, and the one for the machine if there is one."""
    from leadline.mapping.dims import cut_for, dims_create
    from leadline.report.text.dims import Factorisation

    if machine is None:
        return [Factorisation("balanced", dims_create(ranks, ndims), None)]
    names = ("balanced", f"for {machine.name}")
    cuts = cut_for(machine, ranks, ndims)
    return [
        Factorisation(name, cut.dims, cut.metrics) for name, cut in zip(names, cuts, strict=True)
    ]
