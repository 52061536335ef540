"""What the study measures: messages between two PEs, broadcasts and reductions over more.

As the paper's programs did: one buffer to send and one to receive, neither of them rewritten, and
collectives called in a loop. Besides, where each PE has a core, one operation at a time, which all
begin together.
"""

from __future__ import annotations

from dataclasses import dataclass

from leadline.measure.spec import Order
from leadline.models.forms import is_power_of_two
from leadline.record.run import Buffers, Cadence
from leadline.studies.stage import Stage

MESSAGES = "messages"
LOOPED, SINGLE, CROWDED = "looped", "single", "crowded"
"""Collectives in a loop and one at a time, and in a loop where PEs share cores."""
FULL_S, QUICK_S = 400.0, 98.0
"""Default budgets."""
PATIENCE_S = 15.0
"""Libraries that never yield a core need seconds for what others do in a microsecond."""
KINDS = ("mpich", "impi", "openmpi", "mpi")
"""The paper's, then whoever stands in the place of the vendor's own, in this order."""


@dataclass(frozen=True, slots=True)
class MessageMode:
    """A way to send that the paper measured."""

    name: str
    """As the paper calls it."""
    id: str
    """In the ids of its figures."""
    pattern: str
    figure: int
    """Of the paper."""


SEND = MessageMode("MPI_Send", "send", "pingpong", 1)
SSEND = MessageMode("MPI_Ssend", "ssend", "pingpong_sync", 2)
ISEND = MessageMode("MPI_Isend", "isend", "pingpong_nonblocking", 3)
MODES = (SEND, SSEND, ISEND)
BCAST, REDUCE = "bcast", "reduce"
COLLECTIVES = (BCAST, REDUCE)
COLLECTIVE_BYTES = 1024
"""Of a broadcast, and the 128 numbers of a reduction."""

PES = 2
"""Of messages."""
MEGABYTE = 2**20
REGRESSION_SIZES = (MEGABYTE, 1_310_720, 1_572_864, 1_835_008, 2 * MEGABYTE)
"""In which the intercept is fitted."""
SIZES = (
    0, 8, 64, 512, 1024, 4096, 16_384, 65_536, 131_072, 262_144, 524_288, *REGRESSION_SIZES,
)  # fmt: skip
QUICK_SIZES = (0, 1024, 16_384, 65_536, 262_144, *REGRESSION_SIZES[::2])
PAPERS_PES = (2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""Of its even numbers the powers of two, and those half way between."""
MOST_CROWDED = {True: 6, False: 16}
"""By quick: up to so many share cores, if fewer don't."""
MOST_NUMBERS = {True: 3, False: len(PAPERS_PES)}
"""By quick: of PEs with a core each; each number has launches of its own."""


def numbers_of_pes(quick: bool, cores: int) -> tuple[int, ...]:
    """The least and the largest of the paper's that have a core each, rising."""
    within = [pes for pes in PAPERS_PES if pes <= cores] or [PAPERS_PES[0]]
    return (within[0], *within[1:][-(MOST_NUMBERS[quick] - 1) :])


def crowd(quick: bool, cores: int) -> tuple[int, ...]:
    """Those that share cores, where the machine has few; with `quick` the most alone."""
    most = numbers_of_pes(quick, cores)[-1]
    found = tuple(pes for pes in PAPERS_PES if most < pes <= MOST_CROWDED[quick])
    return found[-1:] if quick else found


def between_powers(pes: int) -> bool:
    """Whether so many are no power of two."""
    return not is_power_of_two(pes)


def stages(budget_s: float, quick: bool, cores: int) -> tuple[Stage, ...]:
    """The campaigns that take about `budget_s` seconds together."""
    pes, few = numbers_of_pes(quick, cores), crowd(quick, cores)
    modes = tuple(mode.pattern for mode in MODES)
    sizes = QUICK_SIZES if quick else SIZES
    found = [
        Stage(MESSAGES, _order(0.53 * budget_s, modes, sizes, (PES,))),
        Stage(LOOPED, _collectives(0.17 * budget_s, pes, Cadence.STREAMING)),
        Stage(SINGLE, _collectives(0.13 * budget_s, pes, Cadence.ISOLATED)),
    ]
    if few:
        found.append(Stage(CROWDED, _collectives(0.17 * budget_s, few, Cadence.STREAMING)))
    return tuple(found)


def _collectives(budget_s: float, pes: tuple[int, ...], cadence: Cadence) -> Order:
    return _order(budget_s, COLLECTIVES, (COLLECTIVE_BYTES,), pes, cadence)


def _order(
    budget_s: float,
    patterns: tuple[str, ...],
    sizes: tuple[int, ...],
    pes: tuple[int, ...],
    cadence: Cadence | None = None,
) -> Order:
    return Order(
        patterns=patterns,
        sizes=sizes,
        ranks=pes,
        buffers=Buffers.SEPARATE,
        cadence=cadence,
        budget_s=budget_s,
        patience_s=PATIENCE_S,
    )
