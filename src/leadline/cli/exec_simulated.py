"""`leadline exec --simulate`: a program on a machine that a file describes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from leadline.cli.saying import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from leadline.simulate.smpi.launch import SmpiLaunch

MOST_NAMED = 8
"""Of ranks in a deadlock."""
BROKEN_OFF = (
    "the simulation broke off with status {}; what stands above is the program's or SimGrid's: the "
    "program crashed, or did what SimGrid can't go on with, as a rank that ends while others wait "
    "for it in a collective"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What only a simulated machine takes."""
    parser.add_argument(
        "--simulate", metavar="NAME|FILE",
        help="run a program that smpicc built on this machine, as for simulate: cray-t3e-900",
    )  # fmt: skip
    parser.add_argument("--library", metavar="NAME", help="whose costs messages have there")
    parser.add_argument(
        "--allocation", metavar="SLOTS", help="in which order ranks get slots there, as for map"
    )


def execute(arguments: argparse.Namespace, program: str, words: Sequence[str], ranks: int) -> int:
    """Runs the program to its end; its exit status, whether or not it is 0."""
    from leadline.errors import UsageError
    from leadline.hosts.cleanup.notes import noted_folder
    from leadline.simulate.smpi.running import check_program, run_program
    from leadline.units import format_time

    check_program(program, words)
    with noted_folder("leadline-exec-") as folder:
        launch, where = _launch(arguments, ranks, folder)
        end = run_program(launch, folder, program, words)
    if end.aborted:
        say("leadline exec: a rank called MPI_Abort")
    if end.simulated_s is None and end.status and not end.aborted:
        say(f"leadline exec: {BROKEN_OFF.format(end.status)}")
    if end.stuck:
        raise UsageError(_deadlock(end.stuck, ranks, format_time(end.simulated_s or 0.0)))
    if end.simulated_s is not None:
        took = format_time(end.simulated_s)
        say(f"simulated: {took} on {where}, by SimGrid {launch.simgrid}")
    return end.status


def _launch(arguments: argparse.Namespace, ranks: int, directory: Path) -> tuple[SmpiLaunch, str]:
    """What starts it, and where it is: "64 ranks of cray-t3e-900 (mpich)"."""
    from leadline.cli.simulated_setups import library_of, pool_of
    from leadline.simulate.shipped import machine_named
    from leadline.simulate.smpi.launch import smpi_launch

    machine = machine_named(arguments.simulate)
    profile = machine.profiles[library_of(machine, arguments.library)]
    pool = pool_of(machine, arguments)
    launch = smpi_launch(machine, profile, ranks, directory, pool=pool)
    where = f"{ranks:,} rank{'s' * (ranks != 1)} of {machine.name} ({profile.name})"
    for lack in launch.left_out:
        say(f"leadline exec: {where}: SimGrid hasn't got {lack}")
    return launch, where


def _deadlock(stuck: Sequence[int], ranks: int, when: str) -> str:
    named = ", ".join(map(str, stuck[:MOST_NAMED]))
    more = f" and {len(stuck) - MOST_NAMED} more" if len(stuck) > MOST_NAMED else ""
    over = "" if len(stuck) == ranks else f" of {ranks}"
    who = f"each of ranks {named}{more}" if len(stuck) > 1 else f"rank {named}"
    return (
        f"after {when} of simulated time the program ends in a deadlock: {who}{over} waits for "
        "what never comes; let one of those that send to each other receive first, or take a "
        "library whose sends don't wait (--library)"
    )
