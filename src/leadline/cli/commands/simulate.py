"""`leadline simulate`: what patterns would take on a machine you don't have, as a run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from leadline.cli.parsing.files import check_picture, form_of, write
from leadline.cli.parsing.forms import add_forms, say
from leadline.cli.parsing.simulated import DEFAULT_PATTERNS, DEFAULT_RANKS, jobs_by_machine

if TYPE_CHECKING:
    from leadline.mapping.scenes import Scene
    from leadline.simulate.campaign import SimulatedJob, Simulation
    from leadline.simulate.replay import Replayed

TOLD_EVERY_S = 1.0
"""Least time between lines that say what is being simulated, in seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline simulate`."""
    where = parser.add_argument_group("where")
    where.add_argument(
        "--machine", required=True, metavar="NAME|FILE",
        help="bundled machine, e.g. cray-t3e-900, or a file that describes one, with a slash or "
        ".toml in its name",
    )  # fmt: skip
    where.add_argument(
        "--library", metavar="NAME",
        help="library whose costs messages have (default: the machine's first; a wrong one lists "
        "all)",
    )  # fmt: skip
    where.add_argument(
        "--allocation", metavar="SLOTS",
        help="order in which ranks get slots, as for map: all, first:N, t3e:N, list:FILE or "
        "holes:FILE (default: as the machine's file says)",
    )  # fmt: skip
    where.add_argument(
        "--mapping", default="default", metavar="default|paper|hops|load|internode|hop-bytes|FILE",
        help="placement of the ranks of patterns with a grid: in the order of their slots, "
        "sorted over the axes as in the paper on the T3E, where a metric of map is small, or "
        "by a file of slots (default: default)",
    )  # fmt: skip
    where.add_argument(
        "--what-if", metavar="KEY=FACTORx,...",
        help="the same machine changed, as a second variant, e.g. link=2x,latency=0.5x,dims=16x8x8",
    )  # fmt: skip
    where.add_argument(
        "--job", action="append", default=[], metavar="KEY=VALUE,...",
        help="one of several jobs at once, each simulated alone and with the others: "
        "pattern=halo:4x4x4,ranks=64,allocation=list:FILE (repeatable)",
    )  # fmt: skip
    what = parser.add_argument_group("what")
    what.add_argument(
        "--patterns", default=DEFAULT_PATTERNS, metavar="P,...",
        help=f"patterns with options: halo:4x4x4, bcast:rotating (default: {DEFAULT_PATTERNS})",
    )  # fmt: skip
    what.add_argument(
        "--ranks",
        default=DEFAULT_RANKS,
        metavar="N,...",
        help="numbers of ranks (default: 2)",
    )
    what.add_argument(
        "--root",
        default="0",
        metavar="N",
        help="root rank of patterns with a fixed root (default: 0)",
    )
    what.add_argument(
        "--sizes",
        metavar="S,...",
        help="message sizes, e.g. 0,8,64KiB,1MB (default: 12 from 0 to 2,000,000 B)",
    )
    out = parser.add_argument_group("what comes out")
    out.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        help="directory for the run (default: leadline-DATE-TIME)",
    )
    out.add_argument(
        "--name",
        metavar="VARIANT",
        help="name of the variant (default: the machine, and what differs from the defaults)",
    )
    out.add_argument(
        "--plot", metavar="FILE",
        help="file for a picture, .svg, .pdf or .png, of one repetition: the machine with the "
        "bytes of its links, and when each rank sends and receives",
    )  # fmt: skip
    add_forms(parser)
    parser.epilog = (
        "Exit status: 0 all of it has a time, 1 a cell was left out (a warning says why), 2 usage, "
        "130 interrupted (what was simulated until then is there)."
    )


def execute(arguments: argparse.Namespace) -> int:
    """Simulates, writes the run and prints its tables; 0: all of it, 1: a cell has no time."""
    from leadline.cli.outcome import INTERRUPTED, print_run, status_of
    from leadline.compare.analysis import Analysis
    from leadline.measure.tracing import joined_cells
    from leadline.simulate.campaign import write_run
    from leadline.store import check_unused, load

    if arguments.plot:
        check_picture(arguments.plot)
    machines = jobs_by_machine(arguments)
    directory = Path(arguments.out or time.strftime("leadline-%Y%m%d-%H%M%S"))
    check_unused(directory)
    simulations: list[Simulation] = []
    for simulation in (one for jobs in machines for one in _simulations(jobs)):
        simulations.append(simulation)
        if simulation.interrupted:
            if not any(ranks.cells for one in simulations for ranks in one.ranks):
                raise KeyboardInterrupt  # nothing is worth a run
            break
    cells = joined_cells([job.cells for job in machines[0]])
    write_run(str(directory), simulations, cells, time.strftime("%Y-%m-%dT%H:%M:%S%z"))
    run = load(directory)
    analysis = Analysis(run)
    print_run(analysis, arguments.form, full=True)
    if arguments.plot and run.complete:
        _draw(machines, arguments.plot)
    say(f"\nrun directory: {directory}")
    if not run.complete:
        say("interrupted; simulate the rest by itself, or all of it again")
        return INTERRUPTED
    return status_of(run)


def _simulations(jobs: Sequence[SimulatedJob]) -> Iterator[Simulation]:
    """Simulates each job alone, and beside the others if there are any."""
    from leadline.simulate.campaign import simulated

    for job in jobs:
        yield simulated(job.setup, job.cells, _teller())
        if others := [one for one in jobs if one is not job]:
            beside = replace(job.setup, variant=f"{job.setup.variant}+others")
            yield simulated(beside, job.cells, _teller(), others)


def _teller() -> Callable[[str], None]:
    """A function that prints on stderr what is being simulated, at most once in TOLD_EVERY_S."""
    told = time.monotonic()

    def tell(what: str) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY_S:
            say(f"simulating {what}")
            told = time.monotonic()

    return tell


def _draw(machines: Sequence[Sequence[SimulatedJob]], path: str) -> None:
    """Draws one repetition of the first pattern on most ranks at its largest size.

    One job on each machine is drawn in order and as mapped, several alone and together.
    """
    from leadline.mapping.scenes import machine_scene, seats_of, seats_of_jobs
    from leadline.report.figures.replayed import replay_picture
    from leadline.simulate.replay import replayed_jobs, replays

    if any(job.name for jobs in machines for job in jobs):
        shown = [replayed_jobs(jobs) for jobs in machines]
    else:
        shown = [replays(job.setup, job.cells) for jobs in machines for job in jobs]

    def scene(replay: Replayed, number: int) -> Scene:
        """The machine with the job of this `number` alone, or with all jobs of the replay."""
        first, *others = replay.jobs
        if first.name:
            placed = [(job.job, job.slots) for job in replay.jobs]
            seats = seats_of_jobs(placed, 0 if others else number)
        else:
            seats = seats_of(first.job, first.slots)
        network, shared = first.job.allocation.network, replay.machine.links.shared
        return machine_scene(network, seats, replay.link_bytes, shared)

    scenes = [[scene(replayed, number) for number, replayed in enumerate(row)] for row in shown]
    write(path, replay_picture(shown, scenes, form_of(path)), "--plot")
