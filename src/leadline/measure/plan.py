"""What a campaign will do and how long it will take: pure arithmetic, printed before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.errors import UsageError
from leadline.measure.budget import Costs, fitted, shape_within
from leadline.measure.cells import Entry, entries_of
from leadline.measure.request import Place, Request
from leadline.measure.residency import Need, residency
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import THREADS_VARIABLE, Cadence


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

    def buffer_bytes(self, group: Group) -> int:
        """The longest buffer for messages that a rank of `group` makes."""
        return max([self.cold_bytes, *(entry.memory_bytes(group.ranks) for entry in group.entries)])


def make_plan(request: Request, place: Place) -> Plan:
    """The plan for `request`; UsageError where nothing of it can be measured."""
    request, clocks = _without_common_clock(request, place)
    entries, caveats = entries_of(request, place)
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
    caveat = CaveatKind.CLOCKS.because(
        f"ranks on {place.hosts} hosts have no common clock: collectives are measured back to back"
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
    kind = CaveatKind.TOO_FEW_RANKS if ranks == 1 else CaveatKind.ODD_RANKS
    return kind.because(f"{patterns} can't run with {ranks} rank{'s' * (ranks != 1)}")


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
        CaveatKind.OVERSUBSCRIBED.because(f"{who} share {place.cores} cores{where}") for who in told
    ]
