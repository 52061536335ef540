"""`leadline simulate`: what patterns would take on a machine you don't have, as a run."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.forms import add_forms
from leadline.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from leadline.measure.described import DescribedCells
    from leadline.measure.order import Order
    from leadline.simulate.campaign import Setup, Simulation
    from leadline.simulate.machine import MachineModel
    from leadline.topology.allocation import Allocation

DEFAULT_PATTERNS = "pingpong,pair,halo"
TOLD_EVERY_S = 1.0
"""How often a line says what is being simulated, where that takes long."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline simulate`."""
    where = parser.add_argument_group("where")
    where.add_argument(
        "--machine", required=True, metavar="NAME|FILE",
        help="one that comes along, e.g. cray-t3e-900, or a file that describes one",
    )  # fmt: skip
    where.add_argument(
        "--library", metavar="NAME", help="whose costs messages have (default: the machine's first)"
    )
    where.add_argument(
        "--allocation", metavar="SLOTS",
        help="in which order ranks get slots, as for map: all, first:N, t3e:N, list:FILE or "
        "holes:FILE (default: as the machine's file says)",
    )  # fmt: skip
    where.add_argument(
        "--mapping", default="default", metavar="default|paper|hops|load|internode|hop-bytes|FILE",
        help="where ranks of patterns with a grid are: in their order, sorted as in the paper on "
        "the T3E, where a metric of map is small, or as a file of slots says (default: default)",
    )  # fmt: skip
    where.add_argument(
        "--what-if", metavar="KEY=FACTORx,...",
        help="beside it the machine changed: link=2x,latency=0.5x,dims=16x8x8",
    )  # fmt: skip
    where.add_argument(
        "--job", action="append", default=[], metavar="KEY=VALUE,...",
        help="one of several jobs at once, each alone and together: "
        "pattern=halo:4x4x4,ranks=64,allocation=list:FILE (repeatable)",
    )  # fmt: skip
    what = parser.add_argument_group("what")
    what.add_argument(
        "--patterns", default=DEFAULT_PATTERNS, metavar="P,...",
        help=f"with options: halo:4x4x4, bcast:rotating (default: {DEFAULT_PATTERNS})",
    )  # fmt: skip
    what.add_argument("--ranks", default="2", metavar="N,...", help="default: 2")
    what.add_argument("--root", default="0", metavar="N", help="of bcast, ... (default: 0)")
    what.add_argument("--sizes", metavar="S,...", help="e.g. 0,8,64KiB,1MB; default: 12 sizes")
    out = parser.add_argument_group("what comes out")
    out.add_argument("--out", metavar="DIR", help="default: leadline-DATE-TIME")
    out.add_argument("--name", metavar="VARIANT", help="what tables call it (default: the machine)")
    out.add_argument(
        "--plot", metavar="FILE",
        help="a picture, .svg or .png, of one repetition of the first pattern on most ranks at its "
        "largest size: the machine with the bytes of its links, and who does what when; in order "
        "and as --mapping says, with --what-if on both machines, with --job alone and together",
    )  # fmt: skip
    add_forms(parser)
    parser.epilog = (
        "Exit status: 0 all of it has a time, 1 a cell was left out (a warning says why), 2 usage."
    )


def execute(arguments: argparse.Namespace) -> int:
    """Simulates, writes the run and prints its tables; 0: all of it, 1: a cell has no time."""
    from leadline.cli.outcome import status_of
    from leadline.cli.show import print_run
    from leadline.measure.described import described_cells
    from leadline.simulate.campaign import simulated, write_run
    from leadline.store import check_unused, load

    setups = _setups(arguments)
    if arguments.plot:
        _check_plot(arguments, setups[0])
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    if arguments.job:
        found, cells = _of_jobs(arguments, setups)
    else:
        cells = described_cells(_order(arguments))
        found = [simulated(setup, cells, _teller()) for setup in setups]
    write_run(str(directory), found, cells, time.strftime("%Y-%m-%dT%H:%M:%S%z"))
    run = load(directory)
    print_run(run, arguments.form)
    if arguments.plot:
        _draw(arguments, setups, cells)
    print(f"\nrun directory: {directory}", file=sys.stderr)
    return status_of(run)


def _check_plot(arguments: argparse.Namespace, setup: Setup) -> None:
    """UsageError for a --plot that can be refused before anything is simulated."""
    from leadline.cli.pictures import check_picture
    from leadline.cli.simulated_jobs import read_simulated_jobs
    from leadline.measure.described import described_cells
    from leadline.simulate.replay import check_replayable

    check_picture(arguments.plot)
    order = _order(arguments)
    if arguments.job:
        for job in read_simulated_jobs(arguments.job, setup, order):
            check_replayable(job.setup, job.cells)
    else:
        check_replayable(setup, described_cells(order))


def _draw(arguments: argparse.Namespace, setups: Sequence[Setup], cells: DescribedCells) -> None:
    from leadline.cli.simulated_jobs import read_simulated_jobs
    from leadline.cli.simulated_picture import draw_jobs, draw_setups

    if arguments.job:
        order = _order(arguments)
        draw_jobs([read_simulated_jobs(arguments.job, s, order) for s in setups], arguments.plot)
    else:
        draw_setups(setups, cells, arguments.plot)


def _of_jobs(
    arguments: argparse.Namespace, setups: Sequence[Setup]
) -> tuple[list[Simulation], DescribedCells]:
    """What each job takes alone, and while the others go on; UsageError beside --what-if."""
    from dataclasses import replace

    from leadline.cli.simulated_jobs import read_simulated_jobs
    from leadline.measure.described import joined_cells
    from leadline.simulate.campaign import simulated

    if len(setups) > 1 or arguments.allocation:
        raise UsageError("--job is for one machine, each job with its own allocation=; leave out "
                         "--what-if and --allocation")  # fmt: skip
    jobs, found = read_simulated_jobs(arguments.job, setups[0], _order(arguments)), []
    for job in jobs:
        others = [one for one in jobs if one is not job]
        found.append(simulated(job.setup, job.cells, _teller()))
        beside = replace(job.setup, variant=f"{job.setup.variant}+others")
        found.append(simulated(beside, job.cells, _teller(), others))
    return found, joined_cells([job.cells for job in jobs])


def _setups(arguments: argparse.Namespace) -> list[Setup]:
    """The machine, and the changed one where --what-if asks for it."""
    from leadline.files import read_text
    from leadline.measure.variants import check_name
    from leadline.simulate.campaign import MAPPINGS, Setup
    from leadline.simulate.shipped import machine_named
    from leadline.simulate.what_if import changed, suffix_of
    from leadline.topology.readers.slots import parse_slots

    machine, word = machine_named(arguments.machine), arguments.mapping
    library = library_of(machine, arguments.library)
    files = {} if word in MAPPINGS else {word: parse_slots(read_text(word), word)}
    name = check_name(arguments.name or _name(machine, library, word))
    wanted = [(name, machine, "")]
    if arguments.what_if is not None:
        beside = check_name(name + suffix_of(arguments.what_if))
        wanted.append((beside, changed(machine, arguments.what_if), arguments.what_if))
    return [
        Setup(name, one, one.profiles[library], word, files, what_if, pool_of(one, arguments))
        for name, one, what_if in wanted
    ]


def pool_of(machine: MachineModel, arguments: argparse.Namespace) -> Allocation | None:
    """The slots that --allocation chooses; None: it isn't given."""
    from leadline.cli.machines import read_allocation

    if arguments.allocation is None:
        return None
    return read_allocation(machine.whole(), arguments.allocation)


def library_of(machine: MachineModel, name: str | None) -> str:
    """The one that --library names, or the machine's first; UsageError where it has none so."""
    if name is not None and name not in machine.profiles:
        raise unknown_name(f"library of {machine.name}", name, machine.profiles)
    return name or next(iter(machine.profiles))


def _name(machine: MachineModel, library: str, mapping: str) -> str:
    """What differs from the default is in it: "cray-t3e-900", "cray-t3e-900-cray-mpi-hops"."""
    from leadline.measure.variants import name_from

    other = [library] * (library != next(iter(machine.profiles)))
    laid = [Path(mapping).stem] * (mapping != "default")
    return name_from("-".join([machine.name, *other, *laid]))


def _order(arguments: argparse.Namespace) -> Order:
    from leadline.cli.options import root_of, sizes_of, whole_number, words
    from leadline.measure.order import Order

    ranks = tuple(whole_number(n, "--ranks", 1) for n in words(arguments.ranks, "--ranks"))
    return Order(
        patterns=tuple(words(arguments.patterns, "--patterns")),
        sizes=sizes_of(arguments.sizes),
        ranks=ranks,
        root=root_of(arguments.root, ranks),
    )


def _teller() -> Callable[[str], None]:
    """Says on stderr what is being simulated, at most once in TOLD_EVERY_S."""
    told = time.monotonic()

    def tell(what: str) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY_S:
            print(f"simulating {what}", file=sys.stderr, flush=True)
            told = time.monotonic()

    return tell
