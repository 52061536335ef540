"""What ranks recorded: slices of a campaign, the batches in them, and what went on meanwhile."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import IntFlag
from typing import Protocol

import numpy as np
import numpy.typing as npt

UNKNOWN = -1
"""In place of the number of a launch, or of what disturbed a rank, that no record says."""

DISTURBED_SHARE = 0.02
"""Of the time of a slice: a rank that was ready, and waited longer for a core, was disturbed."""

Int32 = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Nanoseconds = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankSpread:
    """Over the ranks that recorded each batch; columns of equal length, shape (n,).

    Beside the batches of a run UNKNOWN in the rows of ranks whose own batches are kept.
    """

    shortest_ns: Nanoseconds
    """The least time of any rank."""
    first_start_ns: Nanoseconds
    """Starts and ends are by the rank's own clock, and only where all read one can be compared."""
    last_start_ns: Nanoseconds
    first_end_ns: Nanoseconds
    last_end_ns: Nanoseconds
    lowest_rank_start_ns: Nanoseconds
    """By one clock throughout, whoever was the slowest."""


SPREAD = tuple(one.name for one in fields(RankSpread))
ADDED: Mapping[int, Mapping[str, str | float]] = {
    4: {"launch": UNKNOWN},
    5: dict.fromkeys(
        ("warm_up_ns", "warm_up_operations", "warm_up_converged", "handover_ns"), UNKNOWN
    )
    | {"attempt": 0},
    7: dict.fromkeys(("communication_ns", "repetitions_ns"), UNKNOWN)
    | {"verified": "", "verified_expected": 0.0, "verified_seen": 0.0},
}
"""By format: columns that are new in it, and what they are in runs of earlier ones."""
LACKING = {name: value for columns in ADDED.values() for name, value in columns.items()} | (
    dict.fromkeys(SPREAD, UNKNOWN)
)
"""What stands for columns that earlier formats hadn't, and for a spread that isn't kept."""


class BatchFlag(IntFlag):
    """What is special about a batch. Flagged batches are kept, never removed."""

    WARM_UP = 1
    """Taken before the slice had settled; left out of every estimate."""
    LATE = 2
    """Isolated cadence: this rank reached the operation after the deadline; sample invalid."""
    CLOCK_BOUND = 4
    """Reading the clock cost more than 0.5 % of the batch."""
    MISCOUNTED = 8
    """Its number of repetitions was meant for another speed; left out of every estimate."""
    APART = 16
    """Ranks that were to contend didn't run at the same time; left out of every estimate."""


KNOWN_FLAGS = int(sum(BatchFlag))
"""All of them together."""
LEFT_OUT = BatchFlag.WARM_UP | BatchFlag.LATE | BatchFlag.MISCOUNTED | BatchFlag.APART
"""Batches with any of these are part of no estimate."""


class Batches(Protocol):
    """Raw batches as columns of equal length, shape (n,), in order of arrival."""

    @property
    def configuration(self) -> Int32:
        """Index into Run.configurations."""

    @property
    def cell(self) -> Int32:
        """Index into Run.cells."""

    @property
    def block(self) -> Int32:
        """Number of the block."""

    @property
    def visit(self) -> Int32:
        """A block visits each cell one or more times; each visit is one slice of time."""

    @property
    def attempt(self) -> Int32:
        """0: the visit's first slice; each later one was taken as those before were disturbed."""

    @property
    def launch(self) -> Int32:
        """Number of the launch within the run; UNKNOWN before format 4."""

    @property
    def batch(self) -> Int32:
        """Number within the slice; the same number on all ranks is the same operation."""

    @property
    def rank(self) -> Int32:
        """Who recorded it; where the slowest rank's alone is kept, who that was."""

    @property
    def start_ns(self) -> Nanoseconds:
        """Isolated cadence: the common deadline."""

    @property
    def end_ns(self) -> Nanoseconds:
        """When the last operation of the batch was over."""

    @property
    def repetitions(self) -> Int32:
        """Of the operation in the batch."""

    @property
    def flags(self) -> Int32:
        """A combination of BatchFlag."""

    @property
    def elapsed_ns(self) -> Nanoseconds:
        """From start to end."""

    @property
    def spread(self) -> RankSpread | None:
        """Over ranks, where the slowest one's is kept; None: the batches of all are."""


@dataclass(frozen=True, slots=True)
class BatchColumns:
    """Batches of which every column is at hand."""

    configuration: Int32
    cell: Int32
    block: Int32
    visit: Int32
    attempt: Int32
    launch: Int32
    batch: Int32
    rank: Int32
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    repetitions: Int32
    flags: Int32
    spread: RankSpread | None = None

    @property
    def elapsed_ns(self) -> Nanoseconds:
        """From start to end."""
        return self.end_ns - self.start_ns


COLUMNS = tuple(one.name for one in fields(BatchColumns) if one.name != "spread")
"""That every row has."""


@dataclass(frozen=True, slots=True)
class Strips:
    """What one rank recorded in one slice: batches that differ in number and time alone, or none.

    Columns of equal length, shape (s,). The batches of a strip lie side by side, number from 0 and
    have the same repetitions.
    """

    configuration: Int32
    cell: Int32
    block: Int32
    visit: Int32
    attempt: Int32
    launch: Int32
    rank: Int32
    repetitions: Int32
    first: Counts
    """Row of the batches with which it begins."""
    length: Counts
    """How many batches."""


@dataclass(frozen=True, slots=True)
class StripConditions:
    """What went on while each strip was recorded; columns of the strips' length."""

    window_ns: Counts
    """As Disturbance has it, like the four that follow; UNKNOWN where nothing was read."""
    run_delay_ns: Counts
    involuntary_switches: Counts
    minor_faults: Counts
    handover_ns: Counts
    link: npt.NDArray[np.object_]
    """As LinkUse.name, of the slice; "" where no link was watched."""
    link_bytes: Counts
    link_window_ns: Counts
    link_bytes_per_s: npt.NDArray[np.float64]
    warm_up_ns: Counts
    """Of the slice, like the two that follow; UNKNOWN where no warm-up was needed or told."""
    warm_up_operations: Counts
    warm_up_converged: Counts
    """1 or 0."""
    communication_ns: Counts
    """As CommunicationTimes has it, like the next; UNKNOWN where the pattern is no application."""
    repetitions_ns: Counts
    verified: npt.NDArray[np.object_]
    """As Verified.quantity, of the slice; "" where no real number was checked, the next are 0."""
    verified_expected: npt.NDArray[np.float64]
    verified_seen: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What happened to each rank while a slice was timed, batches and what lies between them.

    Shape (r + o,) each, those that recorded and the others; UNKNOWN where the system doesn't say.
    """

    window_ns: Counts
    """Between the two readings that the others are differences of."""
    run_delay_ns: Counts
    """Ready to run, but another process had the core."""
    involuntary_switches: Counts
    minor_faults: Counts
    handover_ns: Counts
    """A cache line's round trip between the rank and its partner, right after the slice; that of a
    rank without one UNKNOWN."""


@dataclass(frozen=True, slots=True)
class CommunicationTimes:
    """What an application's repetitions took on each rank, by its own clock, in a slice.

    Shape (r + o,) each, as Disturbance has it; of the batches that aren't of a warm-up.
    """

    communication_ns: Counts
    repetitions_ns: Counts
    """CommunicationTimes, and what was computed between."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Of what was checked in an application's solutions, and was right, the furthest from it."""

    quantity: str
    """One word, e.g. "norm"."""
    expected: float
    seen: float

    @property
    def relative_error(self) -> float:
        """Of what was seen; inf where nothing was expected and something seen."""
        apart = abs(self.seen - self.expected)
        if apart == 0:
            return 0.0
        return apart / abs(self.expected) if self.expected else math.inf


@dataclass(frozen=True, slots=True)
class WarmUp:
    """What was run, and not recorded, where a launch first met a cell."""

    elapsed_ns: int
    operations: int
    converged: bool
    """The last of it took equally long, without page faults; else it was ended by its limit."""


@dataclass(frozen=True, slots=True)
class LinkUse:
    """The busiest link of a slice: what crossed it in its busier direction."""

    name: str
    """Host, interface and direction, e.g. "node01 eth0 tx"."""
    bytes: int
    window_ns: int
    """Between the two readings of the interface's counters."""
    bytes_per_s: float
    """What its rate allows; 0: not known."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What one visit to one cell under one configuration recorded: n batches on each of r ranks.

    Or of many ranks the slowest one's of each batch, r = 1, as reduction.reduced has it.
    """

    configuration: int
    cell: int
    block: int
    visit: int
    repetitions: int
    """Repetitions of every batch of this slice."""
    ranks: Int32
    """The ranks that recorded, shape (r,); where the slowest one's are kept, the lowest of them."""
    start_ns: Nanoseconds
    """Shape (r, n)."""
    end_ns: Nanoseconds
    """Shape (r, n)."""
    flags: Int32
    """Shape (r, n)."""
    launch: int = UNKNOWN
    """Number of the launch within the run; configurations that share a launch have the same."""
    disturbance: Disturbance | None = None
    link: LinkUse | None = None
    attempt: int = 0
    """Of the same visit; a slice that was disturbed is taken again, and all are kept."""
    warm_up: WarmUp | None = None
    """Before it; None: its launch had met the cell before, or nobody said."""
    others: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    """Other ranks that took part, shape (o,); what disturbed them delayed all.

    They recorded no time, or times that aren't kept.
    """
    slowest: Int32 | None = None
    """Whose start and end each batch has, shape (n,); None, as the next: all ranks' are kept."""
    spread: RankSpread | None = None
    """Over all ranks that recorded, shape (n,) each."""
    communication: CommunicationTimes | None = None
    """None: the pattern is no application."""
    verified: Verified | None = None
    """None: likewise, or no real number was checked."""
