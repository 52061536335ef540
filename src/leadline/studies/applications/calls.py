"""What one repetition of a program calls, as patterns do it: of which size, how often.

The calls are those that the simulator makes of it, which a test holds to a trace of the program
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leadline.models.calls import CallSize, ProgramCall
from leadline.simulate.programs.calls import KINDS, RankCalls, SendMode, calls_in
from leadline.simulate.programs.multigrid import by_messages, by_puts, iterating
from leadline.simulate.programs.repetition import Program, Repetition
from leadline.simulate.programs.space_time import process
from leadline.statistics.permutation import Bools
from leadline.studies.applications.stages import MESSAGES, MG, MG_PUTS, PUTS, STAP
from leadline.studies.published.nas_mg import CLASSES, OPERATIONS_A_POINT
from leadline.topology.phases import CallKind

OPTIONS = {MG: "class", MG_PUTS: "class", STAP: "cube"}
CARRIED_OUT: Mapping[str, Program] = {
    MG: iterating(by_messages),
    MG_PUTS: iterating(by_puts),
    STAP: process,
}
"""How the simulator carries a repetition out."""
LOGGED = {
    "allgather": "allgather",
    "alltoall": "total_exchange",
    "alltoallv": "total_exchangev",
    "gatherv": "allgather",
}
"""The pattern that tells of a collective, by what logs call that; a gather takes no longer than
where all get it."""


@dataclass(frozen=True, slots=True)
class ProgramChoice:
    """A program and its problem class."""

    name: str
    problem: str

    @classmethod
    def of(cls, label: str) -> ProgramChoice:
        """That of a label like "mg:S"."""
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
    """Those of the first rank in a repetition, which has as many as any; () on one rank.

    A step of messages to both neighbours is one call of the pattern of these; a put with its flag
    is one, and those of a step come one after the other.
    """
    calls = program.calls(ranks)
    mine = calls.of(0)
    own = calls.operation[mine] == 0
    sizes, steps = calls.size_bytes[mine], calls.step[mine]
    sends, puts = (own & _are(calls, kind)[mine] for kind in (CallKind.SEND, CallKind.PUT))
    exchanged = dict(zip(steps[sends].tolist(), sizes[sends].tolist(), strict=True))
    counted = Counter((MESSAGES, size) for size in exchanged.values())
    counted += Counter((PUTS, size) for size in sizes[puts].tolist())
    counted += _collectives(calls, ranks)
    return tuple(
        ProgramCall(pattern, CallSize(size), float(count))
        for (pattern, size), count in sorted(counted.items())
    )


def _collectives(calls: RankCalls, ranks: int) -> Counter[tuple[str, int]]:
    """By pattern and size of a block; each rank but one gets one message of each other."""
    mine, found = calls.of(0), Counter[tuple[str, int]]()
    received = _are(calls, CallKind.RECEIVE)[mine]
    for number, operation in enumerate(calls.operations):
        of_it = received & (calls.operation[mine] == number)
        if number and of_it.any():
            sizes = calls.size_bytes[mine][of_it]
            pattern = LOGGED[operation.partition(":")[0]]
            found[pattern, int(sizes.max())] = round(sizes.size / (ranks - 1))
    return found


def _are(calls: RankCalls, kind: CallKind) -> Bools:
    """Which calls are of the kind."""
    return np.asarray(calls.kind == KINDS.index(kind))
