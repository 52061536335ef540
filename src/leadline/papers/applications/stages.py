"""What the study measures, programs beside the patterns that they are made of, and their calls.

The calls of a repetition are those that the simulator makes of it, which a test holds to a trace of
the program itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from leadline.measure.spec import Request
from leadline.models.calls import CallSize, ProgramCall
from leadline.papers.cray_mpt.nas_mg import CLASSES, OPERATIONS_A_POINT
from leadline.papers.study import Stage
from leadline.patterns.programs import calls as programs
from leadline.patterns.programs.calls import Program, RankCalls, Repetition, SendMode, calls_in
from leadline.patterns.programs.multigrid import by_messages, by_puts, iterating
from leadline.patterns.programs.space_time import process
from leadline.statistics.permutation import Bools
from leadline.topology.phases import CallKind

PROGRAMS, ALONE, CROWDED = "programs", "alone", "crowded"
MG, MG_PUTS, STAP = "mg", "mg_puts", "stap"
FULL_S, QUICK_S = 540.0, 85.0
"""Default budgets; libraries that spin while ranks outnumber cores take more."""
KINDS = ("mpich", "openmpi", "impi", "mpi", "shmem", "pvm", "shm")
QUICK_PROGRAMS = ("mg:S", "mg_puts:S", "stap:small")
PROGRAMS_MEASURED = (*QUICK_PROGRAMS, "mg:W", "mg_puts:W", "stap:medium")
MESSAGES, PUTS = "cyclic", "put_flag"
GATHER, CORNER_TURN = "allgather", "alltoall"
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
"""Largest number of ranks among which NAS MG is divided."""
PATIENCE_S = {True: 5.0, False: 10.0}
"""By quick, where ranks share cores: what takes longer is given up."""


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together.

    Programs run on every power of two of ranks that have a core each, quick on the largest alone;
    on one rank, over one library, for all are the same there; and on twice as many as have cores.
    """
    ranks = tuple(1 << k for k in range(1, 7) if 1 << k <= max(2, cores))
    programs = QUICK_PROGRAMS if quick else PROGRAMS_MEASURED
    sizes = QUICK_SIZES if quick else SIZES

    def request(share: float, on: tuple[int, ...], patterns: tuple[str, ...]) -> Request:
        return Request(patterns=patterns, sizes=sizes, ranks=on, budget_s=share * budget_s)

    alone = tuple(name for name in programs if not name.startswith(MG_PUTS))
    together = request(0.78, ranks[-1:] if quick else ranks, (*programs, *PARTS))
    campaigns = [
        Stage(PROGRAMS, together, beside=(COMPUTING,)),
        Stage(ALONE, request(0.09, (1,), alone), (LIMIT,)),
    ]
    if 2 * ranks[-1] <= MOST_RANKS:
        crowd = QUICK_PROGRAMS[:1] + QUICK_PROGRAMS[2:] if quick else QUICK_PROGRAMS
        shared = request(0.13, (2 * ranks[-1],), crowd)
        campaigns.append(Stage(CROWDED, replace(shared, patience_s=PATIENCE_S[quick])))
    return tuple(campaigns)


# -- calls -----------------------------------------------------------------------------------------


OPTIONS = {MG: "class", MG_PUTS: "class", STAP: "cube"}
CARRIED_OUT: Mapping[str, Program] = {
    MG: iterating(by_messages),
    MG_PUTS: iterating(by_puts),
    STAP: process,
}
"""How the simulator carries a repetition out."""
LOGGED = {
    "allgather": "allgather",
    "alltoall": "alltoall",
    "alltoallv": "alltoallv",
    "gatherv": "allgather",
}
"""Pattern whose time is taken for a collective's, by the name that logs have of it; a gather takes
no longer than where all get it."""


@dataclass(frozen=True, slots=True)
class ProgramChoice:
    """A program and its problem class."""

    name: str
    problem: str

    @classmethod
    def of(cls, label: str) -> ProgramChoice:
        """The choice that a label like "mg:S" names."""
        return cls(*label.split(":", 1))

    @property
    def label(self) -> str:
        """E.g. "mg:S"."""
        return f"{self.name}:{self.problem}"

    def calls(self, ranks: int) -> RankCalls:
        """What each rank calls in a repetition."""
        options = {OPTIONS[self.name]: self.problem}
        of = Repetition(self.name, options, (), ranks, 0, 0, 0, {})
        return calls_in(CARRIED_OUT[self.name](of), ranks, SendMode.STANDARD)

    @property
    def mop(self) -> float:
        """Millions of operations of a repetition: of NAS MG those that NPB's rates count."""
        if self.name in (MG, MG_PUTS):
            return 1e-6 * OPERATIONS_A_POINT * CLASSES[self.problem].points ** 3
        calls = self.calls(1)
        return 1e-6 * float(calls.number[_are(calls, CallKind.WORK)].sum())


def program_calls(program: ProgramChoice, ranks: int) -> tuple[ProgramCall, ...]:
    """Calls of the first rank in a repetition, which has as many as any; () on one rank.

    A step of messages to both neighbours is one call of the pattern of these; a put with its flag
    is one, and those of a step come one after the other.
    """
    calls = program.calls(ranks)
    first_rank = calls.of(0)
    operations, sizes, steps = (
        calls.operation[first_rank],
        calls.size_bytes[first_rank],
        calls.step[first_rank],
    )
    sends, puts, received = (
        _are(calls, kind)[first_rank] for kind in (CallKind.SEND, CallKind.PUT, CallKind.RECEIVE)
    )
    own = operations == 0
    exchanged = dict(zip(steps[own & sends].tolist(), sizes[own & sends].tolist(), strict=True))
    counted = Counter((MESSAGES, size) for size in exchanged.values())
    counted += Counter((PUTS, size) for size in sizes[own & puts].tolist())
    # of collectives each rank but one gets one message of each other
    collectives = Counter[tuple[str, int]]()
    for number, operation in enumerate(calls.operations):
        blocks = sizes[received & (operations == number)]
        if number and blocks.size:
            pattern = LOGGED[operation.partition(":")[0]]
            collectives[pattern, int(blocks.max())] = round(blocks.size / (ranks - 1))
    counted += collectives
    return tuple(
        ProgramCall(pattern, CallSize(size), float(count))
        for (pattern, size), count in sorted(counted.items())
    )


def _are(calls: RankCalls, kind: CallKind) -> Bools:
    """Which calls are of the kind."""
    return np.asarray(calls.kind == programs.KINDS.index(kind))
