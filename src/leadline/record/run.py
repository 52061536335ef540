"""What a run consists of: the nouns of the record format, version 3.

History of the format, newest first; readers keep reading every version listed here:
    3   a configuration's hosts; where older formats lack it, this host alone
    2   values imported from other benchmarks; buffers and cadence may be "unstated", a time the
        "mean of ranks"
    1   journal.jsonl (one checksummed JSON object a line), then batches.parquet and run.json

In any of them codes of caveats may be spelled with hyphens: caveats.FORMER_CODES.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from leadline.record.caveats import Caveat
from leadline.record.machine import HostFacts
from leadline.record.provenance import Provenance

FORMAT_VERSION = 3

ROUND_TRIP = 2
"""Messages of a repetition in which each waits for the one before."""

THREADS_VARIABLE = "LEADLINE_THREADS"
"""Set in the environment of configurations whose library is told of threads."""

Int32 = npt.NDArray[np.int32]
Nanoseconds = npt.NDArray[np.int64]


class BatchFlag(IntFlag):
    """What is special about a batch. Flagged batches are kept, never removed."""

    WARM_UP = 1
    """Taken before the slice had settled; left out of every estimate."""
    LATE = 2
    """Isolated cadence: this rank reached the operation after the deadline; sample invalid."""
    CLOCK_BOUND = 4
    """Reading the clock cost more than 0.5 % of the batch."""


class Buffers(StrEnum):
    """Which memory successive messages use; results are never compared across policies."""

    ECHO = "echo"
    SEPARATE = "separate"
    COLD = "cold"
    UNSTATED = "unstated"
    """Only of imported values: their source doesn't say."""


class Cadence(StrEnum):
    """Streaming: batches back to back. Isolated: one operation per common deadline."""

    STREAMING = "streaming"
    ISOLATED = "isolated"
    UNSTATED = "unstated"
    """Only of imported values: their source doesn't say."""


class WhoseTime(StrEnum):
    """Whose clock a sample is read from."""

    ROOT = "root"
    SLOWEST = "slowest rank"
    MEAN = "mean of ranks"
    """Only of imported values."""


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

    @property
    def threads(self) -> str:
        """Threads of each rank that send, under MPI_THREAD_MULTIPLE; "": none that it knows of."""
        return self.environment.get(THREADS_VARIABLE, "")

    @property
    def key(self) -> tuple[int, str]:
        """Ranks and threads: configurations that are alike in these measure the same cells."""
        return self.ranks, self.threads


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
    def batch(self) -> Int32:
        """Number within the slice; the same number on all ranks is the same operation."""

    @property
    def rank(self) -> Int32:
        """Who recorded it."""

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


@dataclass(frozen=True, slots=True)
class BatchColumns:
    """Batches of which every column is at hand."""

    configuration: Int32
    cell: Int32
    block: Int32
    visit: Int32
    batch: Int32
    rank: Int32
    start_ns: Nanoseconds
    end_ns: Nanoseconds
    repetitions: Int32
    flags: Int32

    @property
    def elapsed_ns(self) -> Nanoseconds:
        """From start to end."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True)
class Slice:
    """What one visit to one cell under one configuration recorded: n batches on each of r ranks."""

    configuration: int
    cell: int
    block: int
    visit: int
    repetitions: int
    """Repetitions of every batch of this slice."""
    ranks: Int32
    """The ranks that recorded, shape (r,)."""
    start_ns: Nanoseconds
    """Shape (r, n)."""
    end_ns: Nanoseconds
    """Shape (r, n)."""
    flags: Int32
    """Shape (r, n)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A cell that could not be measured under one configuration, and why."""

    configuration: int
    cell: int | None
    """None: the launch itself failed, so all of its cells did."""
    block: int
    code: str
    """crash, exit, hang, protocol, wrong_byte, refused or launch."""
    message: str


@dataclass(frozen=True, slots=True)
class Imported:
    """Values that another benchmark printed for one configuration, one for each of n cells.

    They rest on no batches that are known, so they have no interval.
    """

    configuration: int
    source: str
    """The file they were read from."""
    cells: tuple[int, ...]
    seconds: tuple[float, ...]
    """Per operation or message, as the benchmark defines it; above zero."""
    lines: tuple[int, ...]
    """Of the source, counted from 1."""


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
    imported: tuple[Imported, ...] = ()

    @property
    def provenance(self) -> Provenance:
        """What was measured where, when and how."""
        return Provenance.of(self.metadata)

    @property
    def machine(self) -> HostFacts:
        """The host that measured."""
        return self.provenance.machine

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

    @property
    def co_resident(self) -> bool:
        """Whether the variants of a block were alive at the same time."""
        plan = self.provenance.plan
        return plan is None or plan.together
