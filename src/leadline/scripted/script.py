"""Scripts of machines: what operations take, how times spread, and what goes wrong when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from leadline.hosts.cores import Site


@dataclass(frozen=True, slots=True)
class NoiseModel:
    """How a library's times spread; spreads are standard deviations of their logarithms."""

    batches: float = 0.01
    """Spread from batch to batch."""
    slices: float = 0.005
    """Spread from slice to slice."""
    skew: float = 0.0
    """Mean of an exponential distribution that slices' logarithms have on top."""
    launches: float = 0.01
    """Spread from launch to launch, of all of its cells alike."""
    spikes: float = 0.0
    """Share of batches that are lengthened, by a factor of e in the mean."""
    drift_per_s: float = 0.0
    """What times grow by, as logarithms, each second of the campaign."""
    first_slice: float = 1.0
    """How many times as long the first slice of a cell takes in each launch."""


@dataclass(frozen=True, slots=True)
class ScriptedLibrary:
    """What operations take over one library."""

    latency_s: float = 1e-6
    """Time of a message, without its bytes."""
    bytes_per_s: float = 4e9
    slower: Mapping[int, float] = field(default_factory=dict)
    """By size in bytes, how many times as long operations take."""
    noise: NoiseModel = NoiseModel()
    overhead_s: float = 0.0
    """Time of a slice beside its batches, such as validation."""
    startup_s: float = 0.05
    """Time from the start of a launch to its ranks' hellos."""
    calls_itself: str = "scripted library 1.0"
    later_calls_itself: str = ""
    """What launches after the first call it; empty: the same."""
    misjudged: float = 1.0
    """How many times as long operations seem to take in a launch's warm-up."""
    apart_ns: int = 0
    """Delay by which each rank runs its batches after the rank before it."""
    contends: bool = False
    """Whether its operations are to run at the same time on all ranks."""
    link_share: float = 0.0
    """What its messages take of each link's rate."""
    avoids_links: bool = False
    """Whether its messages find memory that hosts share, and so cross no link."""

    def message_s(self, size_bytes: int) -> float:
        """The median time of one message."""
        return (self.latency_s + size_bytes / self.bytes_per_s) * self.slower.get(size_bytes, 1.0)


@dataclass(frozen=True, slots=True)
class Cores:
    """Two states of a machine's cores, between which it changes by itself."""

    factor: float = 1.0
    """How many times as long operations take in the far state."""
    stays_s: float = 10.0
    """Mean time in each state; times are exponentially distributed."""
    far_share: float = 0.5
    """Share of all time in the far state."""
    near_ns: int = 100
    """Core-to-core round trip in the near state."""
    far_ns: int = 400
    far: tuple[tuple[float, float], ...] = ()
    """Periods in the far state, (begin, end); empty: by chance."""


@dataclass(frozen=True, slots=True)
class HostClock:
    """The clock of a host that has one of its own."""

    offset_s: float = 0.0
    """What it shows more than the first host's when the campaign starts."""
    drift: float = 0.0
    """Seconds that it gains in a second."""
    missed_ns: int = 0
    """What each fit after the first finds of the one before."""


@dataclass(frozen=True, slots=True)
class LoadPeriod:
    """Another program takes cores from the ranks."""

    begin_s: float
    end_s: float
    waits: float = 0.5
    """Share of its time for which a rank waits for its core."""
    library: str | None = None
    """The library whose ranks alone it disturbs; None: all libraries."""


@dataclass(frozen=True, slots=True)
class SlowPeriod:
    """Operations of a library take longer."""

    begin_s: float
    end_s: float
    factor: float
    library: str


@dataclass(frozen=True, slots=True)
class HostDown:
    """A host answers nobody and carries nothing."""

    host: str
    begin_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class LinkCut:
    """Nothing goes between two hosts, both of which answer the campaign."""

    hosts: frozenset[str]
    """Their own names."""
    begin_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Jump:
    """Time goes on by so many seconds in which nothing happens."""

    at_s: float
    by_s: float


class Trouble(StrEnum):
    """What goes wrong in a rank, or with its launch."""

    HANG = "hang"
    """It never answers."""
    CRASH = "crash"
    """It ends by SIGSEGV."""
    EXIT = "exit"
    """It ends with status 7."""
    WRONG_BYTE = "wrong_byte"
    """It finds one in a message."""
    REFUSE = "refuse"
    """It has no memory for the slice."""
    GARBLE = "garble"
    """It sends what is in no protocol."""
    NO_START = "no_start"
    """Its process ends with status 1 as it starts."""
    NO_FILE = "no_file"
    """Its process can't be started at all."""
    NO_HELLO = "no_hello"
    """Its process runs and never connects."""
    FORGET = "forget"
    """It says that it keeps a placement, and doesn't."""
    RELAY_CRASH = "relay_crash"
    """The relay that speaks for it ends by SIGKILL."""


class Task(StrEnum):
    """What a rank is at when something goes wrong in it."""

    START = "start"
    SLICE = "slice"
    CLOCKS = "clocks"
    """Its clock is fitted."""
    PLACEMENT = "placement"
    """It is told how a grid is laid."""


STARTING = frozenset({Trouble.NO_START, Trouble.NO_FILE, Trouble.NO_HELLO})
"""What keeps a launch from coming up."""


@dataclass(frozen=True, slots=True)
class RankFault:
    """Something goes wrong in a rank of a library's launches."""

    trouble: Trouble
    library: str
    rank: int = 1
    size_bytes: int | None = None
    """Where slices of this size alone meet it; None: any slice."""
    at_s: float = 0.0
    """Earliest time at which it happens."""
    times: int = 1_000_000
    """How often it happens, at most."""
    task: Task = Task.SLICE
    """What the rank is at, unless the trouble is about its start."""

    def meets(self, task: Task, size_bytes: int | None) -> bool:
        """Whether it is about a rank that is at `task`, a slice of `size_bytes` perhaps."""
        own = Task.START if self.trouble in STARTING else self.task
        return task is own and (task is not Task.SLICE or self.size_bytes in (None, size_bytes))


@dataclass(frozen=True, slots=True)
class Script:
    """A machine, its libraries and what happens there; seconds count from the campaign's start."""

    libraries: Mapping[str, ScriptedLibrary]
    """Libraries by the variant's name."""
    sites: tuple[Site, ...]
    """Its hosts; the campaign runs on the first."""
    seed: int = 0
    mood: float = 0.02
    """Standard deviation of the logarithm by which the machine lengthens all times alike."""
    mood_s: float = 1.0
    """How long that lasts."""
    clocks: Mapping[str, HostClock] = field(default_factory=dict)
    """Clocks by host; hosts without one read their machine's."""
    link_mbits: int = 1000
    """What each host's interface says of its speed."""
    cores: Cores | None = None
    """None: core-to-core latency isn't known, and there is one state."""
    faults: tuple[RankFault, ...] = ()
    loads: tuple[LoadPeriod, ...] = ()
    slowed: tuple[SlowPeriod, ...] = ()
    outages: tuple[HostDown, ...] = ()
    cuts: tuple[LinkCut, ...] = ()
    jumps: tuple[Jump, ...] = ()
    interrupts: tuple[float, ...] = ()
    """When the user presses Ctrl-C."""
    transports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The transports that a variant reports, each time that it is asked, by its name."""
    short_memory: tuple[tuple[float, float], ...] = ()
    """Periods in which /dev/shm has little room, (begin, end)."""
