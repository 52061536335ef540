"""What a run consists of: the nouns of the record format, version 10.

History of the format, newest first; readers keep reading every version listed here:
    10  other names: alltoall, alltoallv and ialltoall (before: total_exchange, total_exchangev,
        itotal_exchange), core_latency_ns of a slice's disturbance (handover_ns), and codes of
        warnings (warnings.FORMER_CODES)
    9   of stated values the block: repetitions of a benchmark that was imported
    8   the run's id, in each of its files
    7   of each slice how long applications communicated, and what of their results was checked
    6   of each fit of a clock its visit and launch, when it was made and how sure it is
    5   of each slice its attempt, its warm-up and how long a cache line took between ranks' cores;
        of many ranks the slowest one's batches and the spread over ranks, in place of all of them;
        whose time an imported value is may be "unstated"
    4   the origin of each configuration; its threads (before: a variable of its environment) and
        the placement of its ranks; of each slice the launch, what disturbed its ranks and how busy
        a link was; hosts, their clocks and fits of these; values with intervals that they came
        with; slices.parquet. Older formats lack them: unknown, and values without batches imported
    3   a configuration's hosts; where older formats lack it, this host alone
    2   values imported from other benchmarks; buffers and cadence may be "unstated", a time the
        "mean of ranks"
    1   journal.jsonl (one checksummed JSON object a line), then batches.parquet and run.json

Before 10 codes of warnings may be former ones, also with hyphens: warnings.FORMER_CODES.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.record.machine import HostFacts
from leadline.record.provenance import Provenance, Sends
from leadline.record.quantities import (
    UNKNOWN,
    Amount,
    AmountOrUnknown,
    Finite,
    Index,
    Instant,
    Ordinal,
    Positive,
    StatedTime,
    TimeShare,
)
from leadline.record.slices import Batches, StripConditions, Strips
from leadline.record.terms import Buffers, Cadence, Origin, WhoseTime
from leadline.record.warnings import DAMAGE, RunWarning

__all__ = [
    "FORMAT_VERSION",
    "HOST_DOWN",
    "ROUND_TRIP",
    "Buffers",
    "Cadence",
    "Cell",
    "ClockFit",
    "Configuration",
    "Failure",
    "GridPlacement",
    "Host",
    "Origin",
    "Run",
    "Stated",
    "WhoseTime",
]

FORMAT_VERSION = 10

HOST_DOWN = "host_down"
"""Code of failures because a host went down: the campaign goes on when it is back."""

ROUND_TRIP = 2
"""Messages of a repetition that is a round trip: each waits for the one before."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One (pattern, size, options), to be measured under every configuration."""

    pattern: str
    """With its options, e.g. "pingpong" or "allreduce:max:int64"."""
    size_bytes: Amount
    """Payload of one message or one rank's contribution; 0 where the pattern has none."""
    buffers: Buffers
    cadence: Cadence
    messages_per_repetition: Positive
    """Divisor of an elapsed time besides the repetitions: 2 for a round trip, else 1."""
    whose_time: WhoseTime


@dataclass(frozen=True, slots=True)
class GridPlacement:
    """The slot that each vertex of a pattern's grid is placed on, inside a launch."""

    pattern: str
    """The pattern's label, with its options; "": every pattern with a grid."""
    slots: tuple[Ordinal, ...]
    """Slot of each vertex, row-major, the last index fastest; a permutation. Slot r is rank r."""
    metric: str
    """The metric that it minimises, in the words of `leadline map`, or the file of its slots."""
    machine: str
    """Description of the machine that the slots lie on."""
    before: Finite
    """Value of the metric where vertex r is rank r; for slots of a file, inter-node edges."""
    after: Finite
    """The same for this placement."""

    @property
    def label(self) -> str:
        """E.g. "halo by internode on nodes:4x4"."""
        return f"{self.pattern or 'all grids'} by {self.metric} on {self.machine}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """One (backend, version, settings, ranks, binding); users give it the name `variant`."""

    variant: str
    backend: str
    """Name of the backend as listed by discovery, e.g. "mpich"."""
    version: str
    """As the library itself reports it at run time, shortened to name and number."""
    ranks: Positive
    binding: tuple[Ordinal, ...]
    """Core of each rank on its host; empty when unbound."""
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    algorithms: Mapping[str, str] = field(default_factory=dict)
    """For each pattern (without options): "native" or the fallback's name."""
    transport: str = "unknown"
    """The transport really used, from the diagnostic launch."""
    oversubscribed: bool = False
    """More ranks, or threads of them, than cores: shown, never part of a verdict, crossover or exit
    status."""
    hosts: tuple[str, ...] = ()
    """Hosts that the ranks are spread over, consecutive ranks together; empty: one host."""
    threads: Ordinal = 0
    """Threads of each rank that send, under MPI_THREAD_MULTIPLE; 0: the library knows of none."""
    placement: tuple[GridPlacement, ...] = ()
    """How patterns with a grid are placed; empty: vertex r is rank r."""
    origin: Origin = Origin.MEASURED

    @property
    def key(self) -> tuple[int, int]:
        """Ranks and threads: configurations with equal ones measure the same cells."""
        return self.ranks, self.threads


@dataclass(frozen=True, slots=True)
class Host:
    """A host as reported by its ranks."""

    name: str
    machine: str
    """Id of its machine; hosts with the same share its cores."""
    clock: str
    """Id of its clock; hosts with the same read one clock."""
    cores: tuple[Ordinal, ...]
    """Cores that its ranks may use."""


@dataclass(frozen=True, slots=True)
class ClockFit:
    """The clock of a host relative to that of rank 0 in a launch, by one of its fits.

    Ranks that read one clock share a fit, whose host is that of the lowest of them. The last five
    fields are UNKNOWN before format 6.
    """

    host: str
    block: Index
    offset_ns: Finite
    """By how much its clock was ahead when it was fitted."""
    drift: Finite
    """Seconds that it gains in a second."""
    residual_ns: Finite
    """Deviation of the fit at the visit's beginning from the reading at its end; UNKNOWN for the
    fit at the beginning."""
    visit: AmountOrUnknown = UNKNOWN
    launch: AmountOrUnknown = UNKNOWN
    here_ns: Instant = UNKNOWN
    """Time of the fit, by the host's own clock."""
    error_ns: AmountOrUnknown = UNKNOWN
    """Difference of the offsets by the fastest round trips and by those a little slower."""
    round_trip_ns: AmountOrUnknown = UNKNOWN
    """The shortest round trip of a message. The offset's error is at most half of it, even if the
    ways there and back differ."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A cell that could not be measured under one configuration, and why."""

    configuration: Index
    cell: Index | None
    """Index into Run.cells; None: the launch itself failed, so all of its cells did."""
    block: Index
    code: str
    """crash, exit, hang, protocol, wrong_byte, wrong_result, refused, launch, shortcut or
    HOST_DOWN."""
    message: str


@dataclass(frozen=True, slots=True)
class Stated:
    """Values of one configuration, one for each of n cells, that were stated, not measured here.

    No batches are known for them: an interval, if there is one, came with the value.
    """

    configuration: Index
    source: str
    """The file, machine or model that the values come from."""
    cells: tuple[Index, ...]
    seconds: tuple[StatedTime, ...]
    """Per operation or message, as the source defines it; above zero."""
    lines: tuple[Positive, ...] = ()
    """Lines of the source, counted from 1; empty where it isn't a text."""
    low: tuple[StatedTime, ...] = ()
    """Lower ends of the intervals, in seconds, and `high` the upper ones; empty: there are none."""
    high: tuple[StatedTime, ...] = ()
    communication_share: tuple[TimeShare, ...] = ()
    """Share of an application's time for which its ranks communicate, the mean over ranks; empty,
    as the next: it is no application, or the source doesn't state it."""
    communication_most: tuple[TimeShare, ...] = ()
    """The same share, of the rank that has the largest."""
    block: Index = 0
    """Number of the repetition of their benchmark that the values are from, from 0."""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that one campaign recorded."""

    path: str
    complete: bool
    """False: interrupted or killed; `--resume` continues it."""
    metadata: Mapping[str, Any]
    """As stored; `provenance` has them as typed facts."""
    configurations: tuple[Configuration, ...]
    cells: tuple[Cell, ...]
    batches: Batches
    failures: tuple[Failure, ...] = ()
    warnings: tuple[RunWarning, ...] = ()
    stated: tuple[Stated, ...] = ()
    strips: Strips | None = None
    """None where it isn't known of the batches which rank recorded them in which slice."""
    conditions: StripConditions | None = None
    """Conditions of the strips; None where the record has none: formats before 4."""
    hosts: tuple[Host, ...] = ()
    clock_fits: tuple[ClockFit, ...] = ()
    id: str = ""
    """Drawn at random when it was begun, and in each of its files; "" before format 8."""

    @property
    def damage(self) -> tuple[RunWarning, ...]:
        """Warnings of an incomplete record."""
        return tuple(warning for warning in self.warnings if warning.code in DAMAGE)

    @property
    def provenance(self) -> Provenance:
        """What was measured where, when and how."""
        return Provenance.of(self.metadata)

    def as_asked(self, configuration: Configuration) -> Configuration:
        """A configuration of the run without variables that the campaign itself chose."""
        chosen = self.provenance.chosen_of(configuration.variant)
        asked = {k: v for k, v in configuration.environment.items() if k not in chosen}
        return replace(configuration, environment=asked)

    def plays_hosts(self, configuration: Configuration) -> bool:
        """Whether one machine plays several of the configuration's hosts, and their network."""
        machines = [host.machine for host in self.hosts if host.name in configuration.hosts]
        return len(set(machines)) < len(machines)

    @property
    def machine(self) -> HostFacts:
        """The host that measured."""
        return self.provenance.machine

    @property
    def repetitions(self) -> dict[tuple[int, int], int]:
        """Repetitions of the last batches by (index of the configuration, index of the cell).

        Campaigns adapt them to the best pace seen so far before each visit.
        """
        rows = self.strips or self.batches
        columns = (rows.configuration, rows.cell, rows.repetitions)
        return {(c, k): n for c, k, n in zip(*(column.tolist() for column in columns), strict=True)}

    def windows_of(self, cell: Cell) -> str:
        """Windows of messages in a repetition: "none", "one", or one for each "pair" of ranks.

        For runs that were recorded before kernels reported it, by the messages of a repetition.
        """
        name = cell.pattern.partition(":")[0]
        if self.provenance.windows:
            return self.provenance.windows.get(name, "none")
        if cell.messages_per_repetition <= ROUND_TRIP:
            return "none"
        return "pair" if name == "message_rate" else "one"

    def sends_of(self, pattern: str, ranks: int) -> Sends | None:
        """Messages of the label `pattern` on so many ranks; None: not all of them send at once."""
        found = (
            send for send in self.provenance.sends if (send.pattern, send.ranks) == (pattern, ranks)
        )
        return next(found, None)

    def fact_of(self, failure: Failure) -> str:
        """The failure's message without the variant, pattern and size that it names."""
        if failure.cell is None:
            return failure.message
        variant = self.configurations[failure.configuration].variant
        cell = self.cells[failure.cell]
        what, fact = f"{variant}, {cell.pattern}", failure.message
        for named in (f"{what}, {cell.size_bytes} B", what):
            fact = fact.removeprefix(f"{named}: ")
            fact = fact.replace(f"no result from {named} after ", "no result after ", 1)
        return fact

    @property
    def awaits_hosts(self) -> bool:
        """Whether the campaign is incomplete because hosts went down that it needs."""
        return not self.complete and any(failure.code == HOST_DOWN for failure in self.failures)

    @property
    def co_resident(self) -> bool:
        """Whether the variants of a block were alive at the same time."""
        plan = self.provenance.plan
        return plan is None or plan.together
