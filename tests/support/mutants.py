"""Kernels in whose transport faults are planted, command by command, and what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.kernels import NATIVE, SANITISERS, kernel
from harness.scripts import obey

from leadline.kernels.build import Additions
from leadline.kernels.messages import Fault
from leadline.native.compiler import sources_digest
from leadline.patterns.pattern import Pattern

MUTANTS = NATIVE / "mutants"
TWO_SIDED = (
    "send", "recv", "sendrecv", "ssend", "bsend", "recv_any", "isend", "irecv", "send_init",
    "recv_init", "start", "send_datatype", "recv_datatype", "pack", "send_packed", "recv_packed",
    "unpack",
)  # fmt: skip
UNHARMED = ("wait", "waitall", "test", "persistent_free", "symmetric_block")
BARRIERS = ("barrier", "barrier_counter", "barrier_futex", "barrier_dissemination", "ibarrier")
COLLECTIVES = (
    "bcast", "ibcast", "gather", "scatter", "allgather", "iallgather", "alltoall", "ialltoall",
    "neighbor_allgather", "neighbor_alltoall", "gatherv", "scatterv", "allgatherv", "alltoallv",
)  # fmt: skip
REDUCTIONS = (
    "allreduce", "iallreduce", "reduce", "reduce_scatter", "reduce_scatterv", "scan", "exscan",
)  # fmt: skip
ONE_SIDED = (
    "put", "put_start", "put_flag", "get", "get_start", "wait_until", "fetch_add", "compare_swap",
)  # fmt: skip
OPERATIONS = (*TWO_SIDED, *UNHARMED, *BARRIERS, *COLLECTIVES, *REDUCTIONS, *ONE_SIDED)
ENGINE = ("params_parse", "progress_enter", "repetitions_run", "warm_up_due")
TURNS = ("sched_yield", "syscall", "clock_gettime", "disturbance_now")
"""Where ranks wait, and read how long: tests/native/mutants/turns.h."""

SENT = ("drop", "stale", "offset", "short")
ALONE = (*SENT, "duplicate", "late")
ARRIVES = (*ALONE, "swap")
COPIES = ("copy_own", "copy_first", "copy_last")
ATOMIC = ("drop", "duplicate", "swap", "stale", "offset")
FAULTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((*TWO_SIDED, *COLLECTIVES, *ONE_SIDED), ARRIVES),
    **dict.fromkeys(("send", "ssend", "bsend", "isend", "start_send"), SENT),
    **dict.fromkeys(("send_datatype", "pack", "send_packed"), SENT),
    **dict.fromkeys(("start_recv", "recv_packed"), ALONE),  # into one buffer
    **dict.fromkeys(("put", "put_flag"), (*SENT, "late")),  # one under way
    "put_start": (*SENT, "late", "swap"),
    **dict.fromkeys(REDUCTIONS, (*ARRIVES, *COPIES)),
    **dict.fromkeys(("allreduce", "iallreduce"), (*ALONE, *COPIES)),  # all have the same result
    **dict.fromkeys(BARRIERS, ("drop", "late")),
    "fetch_add": (*ATOMIC, "late"),
    "compare_swap": ATOMIC,
    "wait_until": (),  # who doesn't wait may miss a later value, and hang: in jobs of their own
}
"""Operation -> what is planted in it."""


def mutants(sanitised: bool = False) -> Path:
    """The kernel over shared memory, with every operation there is and faults to be planted.

    Its ranks run one at a time, in an order that is always the same.
    """
    names = [*(f"tp_{name}" for name in OPERATIONS), *ENGINE, *TURNS]
    content = int(sources_digest(MUTANTS)[:8], 16)  # headers are part of what it is made of
    additions = Additions(
        sources=tuple(sorted(MUTANTS.glob("*.c"))),
        compile_flags=SANITISERS if sanitised else (),
        link_flags=(
            *(f"-Wl,--wrap={name}" for name in names),
            f"-Wl,--defsym=mutants_made_of={content}",
        ),
    )
    return kernel("shm", additions)


SIZE = 208
"""A multiple of every element's, and of no cache line's."""


def cells(pattern: Pattern) -> Iterator[str]:
    """What a command says of each cell of `pattern`: each word of its options, each buffers."""
    size = f" size={SIZE}" if pattern.granularity else ""
    base = f"pattern={pattern.name}{size}"
    yield base
    for key, option in pattern.options.items():
        for word in option.words[1:]:
            yield f"{base} {key}={word}"
    if pattern.granularity:
        yield f"{base} buffers=separate"
        if not pattern.one_buffer:
            yield f"{base} buffers=cold cold_bytes=100000"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault in an operation of a cell, on one rank, from some time on."""

    cell: str
    operation: str
    fault: str
    rank: int
    when: str
    every: int
    """Of so many calls one is struck."""

    @property
    def words(self) -> str:
        """Of its command."""
        return f"{self.cell} {self.plan}"

    @property
    def plan(self) -> str:
        """The word of its command that only mutants read."""
        at = self.every // 2 if self.when == "later" else 0
        place = f"{self.rank}:{self.when}:{self.every}:{at}"
        return f"mutant={self.fault}:{self.operation}:{place}"


@dataclass(frozen=True, slots=True)
class Obeyed:
    """What a command came to."""

    counts: Mapping[str, Sequence[int]]
    """Word of the log -> its number on each rank."""
    caught: bool
    """Whether a rank found a wrong byte."""

    @property
    def strikes(self) -> int:
        """That left other bytes than right ones while contents were known, on all ranks."""
        return sum(self.counts.get("strikes", ()))


TIMING = "repetitions=1 slice_ns=1 max_batches=3 cadence=streaming warm_up_ns=1"


def obeyed(program: Path, commands: Sequence[str], ranks: int) -> list[Obeyed]:
    """What each of `commands` came to, all obeyed by one job."""
    with TemporaryDirectory(prefix="mutants-") as name:
        return _obeyed(program, commands, ranks, Path(name))


def _obeyed(program: Path, commands: Sequence[str], ranks: int, folder: Path) -> list[Obeyed]:
    log = folder / "log"
    lines = tuple(f"id={number} {words}" for number, words in enumerate(commands))
    output = obey(program, lines, folder, ranks, TIMING, {"MUTANTS_LOG": str(log)})
    failed = {message.id for rank in output for message in rank if isinstance(message, Fault)}
    counts: list[dict[str, list[int]]] = [defaultdict(lambda: [0] * ranks) for _ in commands]
    for rank in range(ranks):
        for line in Path(f"{log}.{rank}").read_text().splitlines():
            number, word, count = line.split()
            counts[int(number)][word][rank] = int(count)
    return [Obeyed(dict(count), number in failed) for number, count in enumerate(counts)]


def called(unharmed: Obeyed) -> dict[str, Sequence[int]]:
    """Operation that the timed loop called -> how often in each rank's repetition."""
    repetitions = unharmed.counts["repetitions"]
    return {
        operation: [count and count // repetitions[rank] for rank, count in enumerate(counts)]
        for operation, counts in unharmed.counts.items()
        if operation not in ("strikes", "repetitions") and any(counts)
    }


def mutants_of(cell: str, unharmed: Obeyed) -> Iterator[Mutant]:
    """Every fault in every operation that the timed loop of `cell` calls.

    From the beginning on the first rank that calls it, from the timed pass on on the last.
    """
    for operation, calls in called(unharmed).items():
        callers = [rank for rank, count in enumerate(calls) if count]
        for rank, when in ((callers[0], "always"), (callers[-1], "later")):
            for fault in FAULTS[operation]:
                yield Mutant(cell, operation, fault, rank, when, calls[rank])
