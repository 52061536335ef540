"""What the study measures: programs beside the patterns that they are made of."""

from __future__ import annotations

from dataclasses import replace

from leadline.measure.spec import Order
from leadline.studies.stage import Stage

PROGRAMS, ALONE, CROWDED = "programs", "alone", "crowded"
MG, MG_PUTS, STAP = "mg", "mg_puts", "stap"
FULL_S, QUICK_S = 540.0, 85.0
"""Default budgets; libraries that spin while ranks outnumber cores take more."""
KINDS = ("mpich", "openmpi", "impi", "mpi", "shmem", "pvm", "shm")
QUICK_PROGRAMS = ("mg:S", "mg_puts:S", "stap:small")
PROGRAMS_MEASURED = (*QUICK_PROGRAMS, "mg:W", "mg_puts:W", "stap:medium")
MESSAGES, PUTS = "cyclic", "put_flag"
GATHER, CORNER_TURN = "allgather", "total_exchange"
PARTS = (MESSAGES, PUTS, GATHER, CORNER_TURN)
"""What programs are made of: messages to two neighbours and from them, a put with its flag, and
the collectives that they call."""
QUICK_SIZES = (64, 1024, 8192, 262_144)
SIZES = (64, 512, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)
"""From about the smallest face of a grid to the largest block of a corner turn."""
COMPUTING = "null"
"""Moves no message: what a program takes over it, one of its ranks computes for."""
LIMIT = "shm"
MOST_RANKS = 64
"""That NAS MG is divided among."""
PATIENCE_S = {True: 5.0, False: 10.0}
"""By quick, where ranks share cores: what takes longer is given up."""


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together.

    Programs run on every power of two of ranks that have a core each, quick on the largest alone;
    on one rank, over one library, for all are the same there; and on twice as many as have cores.
    """
    ranks = tuple(1 << k for k in range(1, 7) if 1 << k <= max(2, cores))
    mine = QUICK_PROGRAMS if quick else PROGRAMS_MEASURED
    sizes = QUICK_SIZES if quick else SIZES

    def order(share: float, on: tuple[int, ...], patterns: tuple[str, ...]) -> Order:
        return Order(patterns=patterns, sizes=sizes, ranks=on, budget_s=share * budget_s)

    alone = tuple(name for name in mine if not name.startswith(MG_PUTS))
    together = order(0.78, ranks[-1:] if quick else ranks, (*mine, *PARTS))
    found = [
        Stage(PROGRAMS, together, beside=(COMPUTING,)),
        Stage(ALONE, order(0.09, (1,), alone), (LIMIT,)),
    ]
    if 2 * ranks[-1] <= MOST_RANKS:
        crowd = QUICK_PROGRAMS[:1] + QUICK_PROGRAMS[2:] if quick else QUICK_PROGRAMS
        shared = order(0.13, (2 * ranks[-1],), crowd)
        found.append(Stage(CROWDED, replace(shared, patience_s=PATIENCE_S[quick])))
    return tuple(found)
