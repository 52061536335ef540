"""`leadline dims`: into which grid a number of ranks should be cut, by itself and for a machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.machines import read_machine
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
    from leadline.report.formats.json_text import json_text
    from leadline.report.formats.terminal import print_document
    from leadline.report.programs.mapping import grids_content
    from leadline.report.text.dims import dims_document

    machine = _machine(arguments)
    found = [_factorised(arguments.ranks, arguments.ndims, None, machine)]
    if machine is not None:
        found.append(_factorised(arguments.ranks, arguments.ndims, machine, machine))
    if arguments.json:
        print(json_text(grids_content(found), indent=None))
    else:
        print_document(dims_document(found))
    return 0


def _machine(arguments: argparse.Namespace) -> Machine | None:
    """The first slots of the machine, one for each rank; None where no machine is given."""
    from leadline.topology.allocation import first_slots
    from leadline.topology.words.dims import MOST_DIMS, MOST_SLOTS

    for value, name, most in (
        (arguments.ranks, "RANKS", MOST_SLOTS),
        (arguments.ndims, "--ndims", MOST_DIMS),
    ):
        if not 1 <= value <= most:
            raise UsageError(f"{name} {value} must lie between 1 and {most:,}")
    if arguments.machine is None:
        return None
    return first_slots(read_machine(arguments.machine, arguments.cores), arguments.ranks).machine


def _factorised(
    ranks: int, ndims: int, aim: Machine | None, machine: Machine | None
) -> Factorisation:
    """The grid cut for `aim`, and what a domain's faces cost on `machine` once it is mapped."""
    from leadline.mapping import dims_create, map_ranks
    from leadline.report.text.dims import Factorisation
    from leadline.topology.words.grid import domain_grid

    dims = dims_create(ranks, ndims, aim)
    metrics = None
    if machine is not None:
        metrics = map_ranks(domain_grid(dims), machine, metric="hop-bytes", steps=0).after
    return Factorisation("balanced" if aim is None else f"for {aim.name}", dims, metrics)
