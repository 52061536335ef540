"""What a run consists of: the nouns of the record format, version 9.

History of the format, newest first; readers keep reading every version listed here:
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

In any of them codes of caveats may be spelled with hyphens: codes.FORMER_CODES.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.record.caveats import DAMAGE, Caveat
from leadline.record.machine import HostFacts
from leadline.record.provenance import Provenance, Sends
from leadline.record.slices import UNKNOWN, Batches, StripConditions, Strips
from leadline.record.terms import Buffers, Cadence, Origin, WhoseTime

__all__ = [
    "FORMAT_VERSION",
    "HOST_DOWN",
    "LONGEST_NS",
    "LONGEST_S",
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

FORMAT_VERSION = 9

LONGEST_NS = 2**61
"""73 years; an origin, a start after it and an elapsed time add up within 64 bits."""
LONGEST_S = LONGEST_NS * 1e-9
"""Any time in a run is shorter."""

HOST_DOWN = "host_down"
"""The code of failures that come of a host that went down: the campaign goes on when it is back."""

ROUND_TRIP = 2
"""Messages of a repetition in which each waits for the one before."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One (pattern, size, options), to be measured under every configuration."""

    pattern: str
    """With its options, e.g. "pingpong" or "allreduce:max:int64"."""
    size_bytes: int
    """Payload of one message or one rank's contribution; 0 where the pattern has none."""
    buffers: Buffers
    cadence: Cadence
    messages_per_repetition: int
    """What an elapsed time is divided by besides the repetitions: 2 for a round trip, else 1."""
    whose_time: WhoseTime


@dataclass(frozen=True, slots=True)
class GridPlacement:
    """Which slot each vertex of a pattern's grid is laid on, inside a launch."""

    pattern: str
    """With its options; "": of every pattern with a grid."""
    slots: tuple[int, ...]
    """Of each vertex, row-major, the last index fastest; a permutation. Slot r is rank r."""
    metric: str
    """What it makes small, in the words of `leadline map`, or the file that says it."""
    machine: str
    """What the slots lie on, in words."""
    before: float
    """By the metric, where vertex r is rank r; of a file's slots, inter-node edges."""
    after: float
    """Likewise, as it is laid."""

    @property
    def label(self) -> str:
        """E.g. "halo by internode on nodes:4x4"."""
        return f"{self.pattern or 'all grids'} by {self.metric} on {self.machine}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """One (backend, version, settings, ranks, binding); its `variant` is the name users give it."""

    variant: str
    backend: str
    """Name of the backend as discovery gives it, e.g. "mpich"."""
    version: str
    """As the library itself reports it at run time, shortened to name and number."""
    ranks: int
    binding: tuple[int, ...]
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
    """That the ranks are spread over, consecutive ones together; empty: one host."""
    threads: int = 0
    """Of each rank that send, under MPI_THREAD_MULTIPLE; 0: the library isn't told of threads."""
    placement: tuple[GridPlacement, ...] = ()
    """How patterns with a grid are laid; empty: vertex r is rank r."""
    origin: Origin = Origin.MEASURED

    @property
    def key(self) -> tuple[int, int]:
        """Ranks and threads: configurations that are alike in these measure the same cells."""
        return self.ranks, self.threads


@dataclass(frozen=True, slots=True)
class Host:
    """A host as its ranks say it is."""

    name: str
    machine: str
    """Hosts with the same share its cores."""
    clock: str
    """Hosts with the same read one clock."""
    cores: tuple[int, ...]
    """That its ranks may use."""


@dataclass(frozen=True, slots=True)
class ClockFit:
    """How the clock of a host went against that of rank 0 in a launch, by one of its fits.

    Ranks that read one clock share a fit, which has the host of the lowest of them. The last five
    are UNKNOWN before format 6.
    """

    host: str
    block: int
    offset_ns: float
    """What its clock showed more, when it was fitted."""
    drift: float
    """Seconds that it gains in a second."""
    residual_ns: float
    """By how much the fit at the visit's beginning misses what is read at its end; UNKNOWN of that
    at its beginning."""
    visit: int = UNKNOWN
    launch: int = UNKNOWN
    here_ns: int = UNKNOWN
    """When, by its own clock."""
    error_ns: int = UNKNOWN
    """What the fastest messages there and back, and those a little slower, say otherwise of it."""
    round_trip_ns: int = UNKNOWN
    """The shortest of a message there and back. What is read is off by at most half of it, even if
    the ways there and back differ."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A cell that could not be measured under one configuration, and why."""

    configuration: int
    cell: int | None
    """None: the launch itself failed, so all of its cells did."""
    block: int
    code: str
    """crash, exit, hang, protocol, wrong_byte, wrong_result, refused, launch or HOST_DOWN."""
    message: str


@dataclass(frozen=True, slots=True)
class Stated:
    """Values of one configuration, one for each of n cells, that were stated, not measured here.

    They rest on no batches that are known: an interval, if there is one, came with the value.
    """

    configuration: int
    source: str
    """The file, machine or model that they come from."""
    cells: tuple[int, ...]
    seconds: tuple[float, ...]
    """Per operation or message, as the source defines it; above zero."""
    lines: tuple[int, ...] = ()
    """Of the source, counted from 1; empty where it isn't a text."""
    low: tuple[float, ...] = ()
    """Lower ends of the intervals, and `high` the upper ones; empty: the values have none."""
    high: tuple[float, ...] = ()
    communication_share: tuple[float, ...] = ()
    """Of an application's time, for which its ranks communicate, the mean over ranks; empty, as the
    next: it is none, or the source doesn't say."""
    communication_most: tuple[float, ...] = ()
    """The same of the rank that has most."""
    block: int = 0
    """Which repetition of their benchmark the values are, from 0."""


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that one campaign recorded."""

    path: str
    complete: bool
    """False: interrupted or killed; `--resume` goes on."""
    metadata: Mapping[str, Any]
    """As stored; `provenance` has them typed."""
    configurations: tuple[Configuration, ...]
    cells: tuple[Cell, ...]
    batches: Batches
    failures: tuple[Failure, ...] = ()
    warnings: tuple[Caveat, ...] = ()
    stated: tuple[Stated, ...] = ()
    strips: Strips | None = None
    """None where the batches don't tell what each rank recorded in each slice."""
    conditions: StripConditions | None = None
    """Of the strips; None where the record has none: formats before 4."""
    hosts: tuple[Host, ...] = ()
    clock_fits: tuple[ClockFit, ...] = ()
    id: str = ""
    """Drawn at random when it was begun, and in each of its files; "" before format 8."""

    @property
    def damage(self) -> tuple[Caveat, ...]:
        """Those of its warnings that say what was recorded isn't whole."""
        return tuple(one for one in self.warnings if one.code in DAMAGE)

    @property
    def provenance(self) -> Provenance:
        """What was measured where, when and how."""
        return Provenance.of(self.metadata)

    def as_asked(self, configuration: Configuration) -> Configuration:
        """A configuration of the run without what the campaign itself chose of its environment."""
        chosen = self.provenance.chosen_of(configuration.variant)
        told = {k: v for k, v in configuration.environment.items() if k not in chosen}
        return replace(configuration, environment=told)

    def plays_hosts(self, configuration: Configuration) -> bool:
        """Whether a machine is several of the configuration's hosts, and so their network too."""
        machines = [host.machine for host in self.hosts if host.name in configuration.hosts]
        return len(set(machines)) < len(machines)

    @property
    def machine(self) -> HostFacts:
        """The host that measured."""
        return self.provenance.machine

    @property
    def repetitions(self) -> dict[tuple[int, int], int]:
        """Of every batch of a cell under a configuration, by the indices of these: the last ones.

        Campaigns fit them to the best pace seen so far before each visit.
        """
        told = self.strips or self.batches
        columns = (told.configuration, told.cell, told.repetitions)
        return {(c, k): n for c, k, n in zip(*(one.tolist() for one in columns), strict=True)}

    def windows_of(self, cell: Cell) -> str:
        """Of messages under way in a repetition: "none", "one", or one for each "pair" of ranks.

        Runs recorded before kernels said so: as the messages of a repetition tell.
        """
        name = cell.pattern.partition(":")[0]
        if self.provenance.windows:
            return self.provenance.windows.get(name, "none")
        if cell.messages_per_repetition <= ROUND_TRIP:
            return "none"
        return "pair" if name == "message_rate" else "one"

    def sends_of(self, pattern: str, ranks: int) -> Sends | None:
        """Of the label `pattern` on so many ranks; None: not all of them send at once."""
        found = (
            one for one in self.provenance.sends if (one.pattern, one.ranks) == (pattern, ranks)
        )
        return next(found, None)

    def fact_of(self, failure: Failure) -> str:
        """Its message without what it happened to, which messages begin with, or a hang's has."""
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
        """Whether hosts went down that the rest of the campaign needs."""
        return not self.complete and any(one.code == HOST_DOWN for one in self.failures)

    @property
    def co_resident(self) -> bool:
        """Whether the variants of a block were alive at the same time."""
        plan = self.provenance.plan
        return plan is None or plan.together
