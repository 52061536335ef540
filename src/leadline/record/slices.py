"""Records of ranks: slices of a campaign, the batches in them, and the conditions meanwhile."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import IntFlag
from typing import Protocol

import numpy as np
import numpy.typing as npt

from leadline.record.quantities import UNKNOWN, Amount, Finite, RateOrZero

DISTURBED_SHARE = 0.02
"""Share of a slice's time: a rank that was ready and waited longer for a core was disturbed."""

Int32 = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Nanoseconds = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankSpread:
    """Extremes over the ranks that recorded each batch, in ns; columns of shape (n,).

    In the columns of a run they are UNKNOWN in rows of ranks whose own batches are kept.
    """

    shortest_ns: Nanoseconds
    """The least time of any rank."""
    first_start_ns: Nanoseconds
    """Starts and ends are by each rank's own clock; comparable only where all ranks read one."""
    last_start_ns: Nanoseconds
    first_end_ns: Nanoseconds
    last_end_ns: Nanoseconds
    lowest_rank_start_ns: Nanoseconds
    """By the same clock in all batches, whichever rank was the slowest."""


SPREAD = tuple(one.name for one in fields(RankSpread))
ADDED: Mapping[int, Mapping[str, str | float]] = {
    4: {"launch": UNKNOWN},
    5: dict.fromkeys(
        ("warm_up_ns", "warm_up_operations", "warm_up_converged", "core_latency_ns"), UNKNOWN
    )
    | {"attempt": 0},
    7: dict.fromkeys(("communication_ns", "repetitions_ns"), UNKNOWN)
    | {"verified": "", "verified_expected": 0.0, "verified_seen": 0.0},
}
"""By format: columns that are new in it, and their values for runs of earlier formats."""
FORMER_COLUMNS = {"handover_ns": "core_latency_ns"}
"""Names that columns had in formats before 10 -> their names now."""
LACKING = {name: value for columns in ADDED.values() for name, value in columns.items()} | (
    dict.fromkeys(SPREAD, UNKNOWN)
)
"""Values in place of columns that earlier formats lack, and of a spread that isn't kept."""


class BatchFlag(IntFlag):
    """Properties of a batch. Flagged batches are kept, never removed."""

    WARM_UP = 1
    """Taken before the slice had settled; left out of every estimate."""
    LATE = 2
    """Isolated cadence: this rank reached the operation after the deadline; sample invalid."""
    CLOCK_BOUND = 4
    """Reading the clock cost more than 0.5 % of the batch."""
    MISCOUNTED = 8
    """Its number of repetitions was chosen for another speed; left out of every estimate."""
    APART = 16
    """Ranks that were to contend didn't run at the same time; left out of every estimate."""


KNOWN_FLAGS = int(sum(BatchFlag))
"""All flags together."""
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
        """0: the visit's first slice; later ones were taken because those before were disturbed."""

    @property
    def launch(self) -> Int32:
        """Number of the launch within the run; UNKNOWN before format 4."""

    @property
    def batch(self) -> Int32:
        """Number within the slice; the same number on all ranks is the same operation."""

    @property
    def rank(self) -> Int32:
        """The rank that recorded it; the slowest one where only its batches are kept."""

    @property
    def start_ns(self) -> Nanoseconds:
        """Start of the batch, in ns; with isolated cadence, the common deadline."""

    @property
    def end_ns(self) -> Nanoseconds:
        """End of the last operation of the batch, in ns."""

    @property
    def repetitions(self) -> Int32:
        """Repetitions of the operation in the batch."""

    @property
    def flags(self) -> Int32:
        """A combination of BatchFlag."""

    @property
    def elapsed_ns(self) -> Nanoseconds:
        """Time from start to end, in ns."""

    @property
    def spread(self) -> RankSpread | None:
        """Spread over ranks, where the slowest one's batches are kept; None: those of all are."""


@dataclass(frozen=True, slots=True)
class BatchColumns:
    """Batches with every column in memory."""

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
        """Time from start to end, in ns."""
        return self.end_ns - self.start_ns


COLUMNS = tuple(one.name for one in fields(BatchColumns) if one.name != "spread")
"""Names of the columns that every row has."""


@dataclass(frozen=True, slots=True)
class Strips:
    """The batches of one rank in one slice, which differ only in number and time; maybe none.

    Columns of equal length, shape (s,). The batches of a strip are adjacent, numbered from 0 and
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
    """Index of its first row in the batches."""
    length: Counts
    """Number of batches."""


@dataclass(frozen=True, slots=True)
class StripConditions:
    """Conditions while each strip was recorded; columns of the strips' length."""

    window_ns: Counts
    """As in Disturbance, like the four that follow; UNKNOWN where nothing was read."""
    run_delay_ns: Counts
    involuntary_switches: Counts
    minor_faults: Counts
    core_latency_ns: Counts
    link: npt.NDArray[np.object_]
    """LinkUse.name of the slice; "" where no link was watched."""
    link_bytes: Counts
    link_window_ns: Counts
    link_bytes_per_s: npt.NDArray[np.float64]
    warm_up_ns: Counts
    """As in the slice's WarmUp, like the two that follow; UNKNOWN where it has none."""
    warm_up_operations: Counts
    warm_up_converged: Counts
    """1 or 0."""
    communication_ns: Counts
    """As in CommunicationTimes, like the next; UNKNOWN where the pattern is no application."""
    repetitions_ns: Counts
    verified: npt.NDArray[np.object_]
    """Verified.quantity of the slice; "" where no real number was checked, and the next are 0."""
    verified_expected: npt.NDArray[np.float64]
    verified_seen: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What disturbed each rank while a slice was timed, including the time between batches.

    Shape (r + o,) each, ranks that recorded and the others; UNKNOWN where the system doesn't report
    it.
    """

    window_ns: Counts
    """Time between the two readings that the others are differences of."""
    run_delay_ns: Counts
    """Time that it was ready to run, but another process had the core."""
    involuntary_switches: Counts
    minor_faults: Counts
    core_latency_ns: Counts
    """Core-to-core latency right after the slice: a cache line's round trip between the rank and
    its partner; UNKNOWN for a rank without one."""


@dataclass(frozen=True, slots=True)
class CommunicationTimes:
    """Time that an application's repetitions took on each rank in a slice, by the rank's clock.

    Shape (r + o,) each, as in Disturbance; batches of a warm-up don't count.
    """

    communication_ns: Counts
    repetitions_ns: Counts
    """Time of communication, and of the computation between."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The least accurate of the right numbers that were checked in an application's solutions."""

    quantity: str
    """One word, e.g. "norm"."""
    expected: Finite
    seen: Finite

    @property
    def relative_error(self) -> float:
        """Relative error of what was seen; inf where zero was expected and something else seen."""
        apart = abs(self.seen - self.expected)
        if apart == 0:
            return 0.0
        return apart / abs(self.expected) if self.expected else math.inf


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Operations that were run, and not recorded, before a launch's first slice of a cell."""

    elapsed_ns: Amount
    operations: Amount
    converged: bool
    """Whether its last operations took equally long, without page faults; else a limit ended it."""


@dataclass(frozen=True, slots=True)
class LinkUse:
    """The busiest link of a slice, in its busier direction."""

    name: str
    """Host, interface and direction, e.g. "node01 eth0 tx"."""
    bytes: Amount
    window_ns: Amount
    """Time between the two readings of the interface's counters."""
    bytes_per_s: RateOrZero
    """Bytes per second that its rate allows; 0: not known."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The record of one visit to one cell under one configuration: n batches on each of r ranks.

    With many ranks it has the slowest one's of each batch, r = 1, as by reduction.reduced.
    """

    configuration: int
    cell: int
    block: int
    visit: int
    repetitions: int
    """Repetitions of every batch of this slice."""
    ranks: Int32
    """Ranks that recorded, shape (r,); the lowest of them where only the slowest one's are kept."""
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
    """Number within the visit; a slice that was disturbed is taken again, and all are kept."""
    warm_up: WarmUp | None = None
    """Warm-up before it; None: the launch had measured the cell before, or it isn't known."""
    others: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    """Other ranks that took part, shape (o,); what disturbed them delayed all.

    They recorded no times, or times that aren't kept.
    """
    slowest: Int32 | None = None
    """Rank that each batch is of, shape (n,); None, as the next: all ranks' batches are kept."""
    spread: RankSpread | None = None
    """Spread over all ranks that recorded, columns of shape (n,)."""
    communication: CommunicationTimes | None = None
    """None: the pattern is no application."""
    verified: Verified | None = None
    """None: likewise, or no real number was checked."""
