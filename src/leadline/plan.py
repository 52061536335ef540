"""What a campaign will do and how long it will take: pure arithmetic, printed before it starts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.budget import Costs, fitted, shape_within
from leadline.capability import Capability, Pattern, PatternChoice, cell_of
from leadline.errors import UsageError
from leadline.record import THREADS_VARIABLE, Cadence, Caveat, Cell
from leadline.residency import Need, residency
from leadline.units import format_size

DEFAULT_SIZES = (0, 8, 104, 512, 1024, 4096, 10_000, 32_768, 65_536, 262_144, 1_048_576, 2_000_000)
"""Powers of two and sizes between them; two lie in 1..2 MB for the intercept's regression."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for."""

    patterns: tuple[PatternChoice, ...]
    sizes: tuple[int, ...]
    ranks: tuple[int, ...]
    buffers: str = "echo"
    cadence: str | None = None
    per_operation: bool = False
    """One repetition per batch, for tails."""
    budget_s: float = 60.0
    precision: float = 0.02
    blocks: int | None = None
    """So many exactly; the budget then only says how often a block visits its cells."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the plan needs to know of the machine and the variants on it."""

    capabilities: Mapping[str, Capability]
    """By variant."""
    startup_s: float
    """From starting a launch of every variant together to their readiness."""
    cores: int
    """Of each host."""
    memory_bytes: int
    cache_bytes: int | None
    """Size of the last-level cache; None: not known."""
    hosts: int = 1

    def crowds(self, ranks: int, threads: int = 1) -> bool:
        """Whether so many ranks of so many threads are more than a host has cores."""
        return -(-ranks // self.hosts) * threads > self.cores


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell and the variants that can measure it."""

    choice: PatternChoice
    cell: Cell
    participants: int
    """Ranks that take part; 0: all."""
    variants: tuple[str, ...]
    room: str = "one"
    """What messages are made of, as the pattern says."""
    stretch: float = 1.0
    """Bytes of memory for each byte of a message."""
    threads: int = 0
    """Of each rank that send, as the pattern says."""
    in_pairs: bool = False
    """It takes an even number of ranks."""
    messages_in_flight: int = 1
    """Of a repetition at a time, each in a buffer of its own."""

    def runs_with(self, ranks: int) -> bool:
        """Whether so many ranks can take part."""
        return self.participants <= ranks and not (self.in_pairs and ranks % 2)

    def message_bytes(self, ranks: int) -> int:
        """What one repetition moves from or to a rank, at most."""
        return self.cell.size_bytes * self.choice.blocks(self.room, ranks) * self.messages_in_flight

    def memory_bytes(self, ranks: int) -> int:
        """What that takes in memory."""
        return math.ceil(self.message_bytes(ranks) * self.stretch)


@dataclass(frozen=True, slots=True)
class Group:
    """What is measured with one number of ranks and of threads: it has launches of its own."""

    ranks: int
    oversubscribed: bool
    entries: tuple[Entry, ...]
    launches: int = 1
    """Of each variant, alive together; visits take turns with them."""
    threads: int = 0
    """Of each rank that send; 0: the library isn't told of threads, which slow it down."""

    @property
    def key(self) -> tuple[int, str]:
        """That of its configurations; no two groups have the same."""
        return self.ranks, self.environment.get(THREADS_VARIABLE, "")

    @property
    def label(self) -> str:
        """E.g. "2", or "2 of 1 thread"."""
        return str(self.ranks) + (f" of {_threads(self.threads)}" if self.threads else "")

    @property
    def environment(self) -> dict[str, str]:
        """What its launches are told of threads."""
        return {THREADS_VARIABLE: str(self.threads)} if self.threads else {}

    @property
    def slices_per_visit(self) -> int:
        """Slices of one visit to all cells under all variants."""
        return sum(len(entry.variants) for entry in self.entries)


def _threads(number: int) -> str:
    return f"{number} thread{'s' * (number != 1)}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be measured, and how the time is spent."""

    groups: tuple[Group, ...]
    blocks: int
    visits: int
    slice_s: float
    cold_bytes: int
    estimate_s: float
    startup_s: float
    together: bool = True
    """Whether a block's variants are alive at the same time."""
    caveats: tuple[Caveat, ...] = ()


def make_plan(request: Request, place: Place) -> Plan:
    """The plan for `request`; UsageError where nothing of it can be measured."""
    request, clocks = _without_common_clock(request, place)
    entries, caveats = _entries(request, place)
    cold_bytes = _cold_bytes(request, place)
    alive = residency(_need(request, place, entries, cold_bytes))
    caveats += [*clocks, *alive.caveats]
    groups, largest = len(request.ranks), max(request.ranks)
    costs = Costs(groups, largest, len(place.capabilities), place.startup_s, alive)
    entries, dropped = fitted(request, costs, entries)
    caveats += dropped
    blocks, shape = shape_within(request, costs, entries)
    return Plan(
        groups=_groups(request, place, entries, costs.launches(entries, shape), caveats),
        blocks=blocks,
        visits=shape.visits,
        slice_s=shape.slice_s,
        cold_bytes=cold_bytes,
        estimate_s=blocks * costs.block_s(entries, shape),
        startup_s=costs.startup_s(entries, shape),
        together=alive.together,
        caveats=tuple(caveats),
    )


def _without_common_clock(request: Request, place: Place) -> tuple[Request, list[Caveat]]:
    """Ranks of several hosts can't meet at a deadline: they have no common clock."""
    if place.hosts == 1:
        return request, []
    if request.cadence == Cadence.ISOLATED:
        raise UsageError(
            f"--cadence isolated needs one clock, {place.hosts} hosts have several; leave it out"
        )
    caveat = Caveat(
        "clocks",
        f"ranks on {place.hosts} hosts have no common clock: collectives are measured back to back",
        "compare them with streaming results only; --cadence streaming gives these on one host",
    )
    return replace(request, cadence=Cadence.STREAMING), [caveat]


def _need(request: Request, place: Place, entries: Sequence[Entry], cold_bytes: int) -> Need:
    return Need(
        largest_message_bytes=max(entry.memory_bytes(max(request.ranks)) for entry in entries),
        cold_bytes=cold_bytes,
        ranks=max(request.ranks),
        variants=len(place.capabilities),
        memory_bytes=place.memory_bytes,
    )


def _groups(
    request: Request,
    place: Place,
    entries: Sequence[Entry],
    launches: int,
    caveats: list[Caveat],
) -> tuple[Group, ...]:
    groups = []
    for ranks in request.ranks:
        able = [entry for entry in entries if entry.runs_with(ranks)]
        if len(able) < len(entries):
            caveats.append(_unsuited(ranks, [e for e in entries if not e.runs_with(ranks)]))
        for threads in sorted({entry.threads for entry in able}):
            alike = tuple(entry for entry in able if entry.threads == threads)
            groups.append(_group(Group(ranks, False, alike, launches, threads), place))
    if not groups:
        raise UsageError("nothing to measure: " + "; ".join(caveat.cause for caveat in caveats))
    caveats += _crowds(groups, place)
    return tuple(groups)


def _group(group: Group, place: Place) -> Group:
    """`group`, or how it is measured where it has more threads than there are cores."""
    if not place.crowds(group.ranks, max(group.threads, 1)):
        return group
    entries = (  # ranks that spin to a deadline would only keep each other from running
        replace(entry, cell=replace(entry.cell, cadence=Cadence.STREAMING))
        for entry in group.entries
    )
    return replace(group, oversubscribed=True, entries=tuple(entries), launches=1)


def _unsuited(ranks: int, entries: Sequence[Entry]) -> Caveat:
    patterns = ", ".join(dict.fromkeys(entry.choice.label for entry in entries))
    return Caveat(
        "too-few-ranks" if ranks == 1 else "odd-ranks",
        f"{patterns} can't run with {ranks} rank{'s' * (ranks != 1)}",
        "give --ranks 2 or more" if ranks == 1 else "give an even number of --ranks",
    )


def _entries(request: Request, place: Place) -> tuple[list[Entry], list[Caveat]]:
    entries, caveats = [], []
    absent: dict[tuple[str, ...], list[str]] = {}
    for choice in request.patterns:
        able = [v for v, c in place.capabilities.items() if _can(c, choice)]
        unable = tuple(variant for variant in place.capabilities if variant not in able)
        if unable:
            absent.setdefault(unable, []).append(choice.label)
        if able:
            found, refused = _sized(request, place, choice, able)
            entries += found
            caveats += refused
    caveats = [*(_absent(labels, variants) for variants, labels in absent.items()), *caveats]
    if not entries:
        raise UsageError(
            "nothing to measure: " + "; ".join(caveat.cause for caveat in caveats)
            if caveats
            else "nothing to measure: no size suits the patterns asked for; give other --sizes"
        )
    return entries, caveats


def _can(capability: Capability, choice: PatternChoice) -> bool:
    pattern = capability.patterns.get(choice.name)
    return pattern is not None and pattern.algorithm != "absent"


def _absent(labels: Sequence[str], variants: Sequence[str]) -> Caveat:
    make = "make" if len(labels) > 1 else "makes"
    return Caveat(
        "absent",
        f"{', '.join(labels)} {make} no sense over {', '.join(variants)}",
        "nothing to do: other backends, if any, are measured",
    )


def _sized(
    request: Request, place: Place, choice: PatternChoice, able: Sequence[str]
) -> tuple[list[Entry], list[Caveat]]:
    pattern = place.capabilities[able[0]].patterns[choice.name]
    if pattern.one_buffer and request.buffers == "cold":
        return [], [_bound(choice)]
    if pattern.granularity == 0:
        cell = cell_of(choice, pattern, 0, request.buffers, request.cadence)
        return [_entry(choice, cell, pattern, able)], []
    entries, caveats = [], []
    for size in request.sizes:
        if size < pattern.least_bytes:
            continue
        fitting = [v for v in able if size <= place.capabilities[v].max_message_bytes]
        if size % pattern.granularity:
            caveats.append(_uneven(choice, size, pattern.granularity))
        elif fitting:
            cell = cell_of(choice, pattern, size, request.buffers, request.cadence)
            entries.append(_entry(choice, cell, pattern, fitting))
        if len(fitting) < len(able):
            caveats.append(_too_large(size, [v for v in able if v not in fitting]))
    return entries, caveats


def _entry(choice: PatternChoice, cell: Cell, pattern: Pattern, able: Sequence[str]) -> Entry:
    return Entry(
        choice=choice,
        cell=cell,
        participants=pattern.participants,
        variants=tuple(able),
        room=pattern.room,
        stretch=pattern.stretch,
        threads=pattern.threads,
        in_pairs=pattern.in_pairs,
        messages_in_flight=pattern.messages_in_flight,
    )


def _bound(choice: PatternChoice) -> Caveat:
    return Caveat(
        "buffers-bound",
        f"{choice.label} is bound to its buffers, which can't rotate through cold memory",
        "measure it with --buffers echo or separate",
    )


def _uneven(choice: PatternChoice, size: int, granularity: int) -> Caveat:
    return Caveat(
        "size-dropped",
        f"{choice.label}: {format_size(size)} is not a multiple of {granularity} B",
        f"give --sizes that are, e.g. {size - size % granularity or granularity}",
    )


def _too_large(size: int, variants: Sequence[str]) -> Caveat:
    return Caveat(
        "size-dropped",
        f"{', '.join(variants)} can't send {format_size(size)} in one message: its counts are int",
        "use a library with large counts (MPI 4.0)",
    )


def _cold_bytes(request: Request, place: Place) -> int:
    if request.buffers != "cold":
        return 0
    return int(1.25 * (place.cache_bytes or 64 * 2**20))


def _crowds(groups: Sequence[Group], place: Place) -> list[Caveat]:
    crowded = [group for group in groups if group.oversubscribed]
    many = dict.fromkeys(str(group.ranks) for group in crowded if place.crowds(group.ranks))
    told = [f"{', '.join(many)} ranks"] if many else []
    told += [
        f"{group.ranks} ranks of {_threads(group.threads)}"
        for group in crowded
        if not place.crowds(group.ranks)
    ]
    where = f" on each of {place.hosts} hosts" if place.hosts > 1 else ""
    return [
        Caveat(
            "oversubscribed",
            f"{who} share {place.cores} cores{where}",
            "shown, never in a verdict; measure on a machine with a core for each of them",
        )
        for who in told
    ]
