"""What a campaign will do and how long it will take: pure arithmetic, printed before it starts.

A campaign is blocks x (start-up + visits x cells x variants x slice). A budget too small for six
blocks drops sizes, then patterns, and says which.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.capability import Capability, PatternChoice, cell_of
from leadline.errors import UsageError
from leadline.record import Cadence, Caveat, Cell
from leadline.residency import Need, Residency, residency
from leadline.units import format_size

DEFAULT_SIZES = (0, 8, 104, 512, 1024, 4096, 10_000, 32_768, 65_536, 262_144, 1_048_576, 2_000_000)
"""Powers of two and sizes between them; two lie in 1..2 MB for the intercept's regression."""

QUICK_PATTERNS = ("pingpong", "barrier", "bcast", "allreduce")
SUITES = {"quick": QUICK_PATTERNS}

FEWEST_BLOCKS = 6
"""Below this no 95 % interval exists (signed-rank distribution)."""
USUAL_BLOCKS = 8
MOST_BLOCKS = 64
USUAL_VISITS, MOST_VISITS = 4, 24
SHORTEST_SLICE_S, LONGEST_SLICE_S = 0.003, 0.005
SLICE_OVERHEAD_S = 0.003
"""Command, validation, warm-up, gathering and journal of one slice, about."""
PESSIMISTIC_BYTES_PER_S = 1.5e9
LARGE_OPERATIONS = 16
"""Operations that a slice needs at least, whatever one takes: validation, warm-up, batches."""
LAUNCH_S = 0.05
"""What one more launch beside the others adds to their start-up, about."""


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
    memory_bytes: int
    cache_bytes: int | None
    """Size of the last-level cache; None: not known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell and the variants that can measure it."""

    choice: PatternChoice
    cell: Cell
    participants: int
    """Ranks that take part; 0: all."""
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """What is measured with one number of ranks; each has launches of its own in every block."""

    ranks: int
    oversubscribed: bool
    entries: tuple[Entry, ...]
    launches: int = 1
    """Of each variant, alive together; visits take turns with them."""

    @property
    def slices_per_visit(self) -> int:
        """Slices of one visit to all cells under all variants."""
        return sum(len(entry.variants) for entry in self.entries)


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
    entries, caveats = _entries(request, place)
    cold_bytes = _cold_bytes(request, place)
    alive = residency(_need(request, place, entries, cold_bytes))
    caveats += [*alive.caveats, *_rank_caveats(request, place)]
    costs = Costs(len(request.ranks), len(place.capabilities), place.startup_s, alive)
    entries, dropped = _fitted(request, costs, entries)
    caveats += dropped
    blocks, shape = _shape(request, costs, entries)
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


def _need(request: Request, place: Place, entries: Sequence[Entry], cold_bytes: int) -> Need:
    return Need(
        largest_message_bytes=max(entry.cell.size_bytes for entry in entries),
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
        able = [entry for entry in entries if entry.participants <= ranks]
        if len(able) < len(entries):
            caveats.append(_too_few(ranks, [e for e in entries if e.participants > ranks]))
        crowded = ranks > place.cores
        if crowded:  # ranks that spin to a deadline would only keep each other from running
            able = [replace(e, cell=replace(e.cell, cadence=Cadence.STREAMING)) for e in able]
        if able:
            groups.append(Group(ranks, crowded, tuple(able), 1 if crowded else launches))
    if not groups:
        raise UsageError("nothing to measure: " + "; ".join(caveat.cause for caveat in caveats))
    return tuple(groups)


def _too_few(ranks: int, entries: Sequence[Entry]) -> Caveat:
    patterns = ", ".join(dict.fromkeys(entry.choice.label for entry in entries))
    return Caveat(
        "too-few-ranks",
        f"{patterns} can't run with {ranks} rank{'s' * (ranks != 1)}",
        "give --ranks 2 or more",
    )


def _entries(request: Request, place: Place) -> tuple[list[Entry], list[Caveat]]:
    entries, caveats = [], []
    for choice in request.patterns:
        able = [v for v, c in place.capabilities.items() if _can(c, choice)]
        unable = [variant for variant in place.capabilities if variant not in able]
        if unable:
            caveats.append(_absent(choice, unable))
        if able:
            found, refused = _sized(request, place, choice, able)
            entries += found
            caveats += refused
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


def _absent(choice: PatternChoice, variants: Sequence[str]) -> Caveat:
    return Caveat(
        "absent",
        f"{choice.label} makes no sense over {', '.join(variants)}",
        "nothing to do: other backends, if any, are measured",
    )


def _sized(
    request: Request, place: Place, choice: PatternChoice, able: Sequence[str]
) -> tuple[list[Entry], list[Caveat]]:
    pattern = place.capabilities[able[0]].patterns[choice.name]
    if pattern.granularity == 0:
        cell = cell_of(choice, pattern, 0, request.buffers, request.cadence)
        return [Entry(choice, cell, pattern.participants, tuple(able))], []
    entries, caveats = [], []
    for size in request.sizes:
        if size < pattern.least_bytes:
            continue
        fitting = [v for v in able if size <= place.capabilities[v].max_message_bytes]
        if size % pattern.granularity:
            caveats.append(_uneven(choice, size, pattern.granularity))
        elif fitting:
            cell = cell_of(choice, pattern, size, request.buffers, request.cadence)
            entries.append(Entry(choice, cell, pattern.participants, tuple(fitting)))
        if len(fitting) < len(able):
            caveats.append(_too_large(size, [v for v in able if v not in fitting]))
    return entries, caveats


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


def _rank_caveats(request: Request, place: Place) -> list[Caveat]:
    many = [ranks for ranks in request.ranks if ranks > place.cores]
    if not many:
        return []
    return [
        Caveat(
            "oversubscribed",
            f"{', '.join(map(str, many))} ranks share {place.cores} cores",
            "shown, never in a verdict; measure on a machine with a core for each rank",
        )
    ]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a block spends its time."""

    visits: int
    slice_s: float


@dataclass(frozen=True, slots=True)
class Costs:
    """What the parts of a block take, in seconds."""

    groups: int
    """Numbers of ranks, each with launches of its own."""
    variants: int
    first_startup_s: float
    """Of a launch of every variant together."""
    residency: Residency

    def launches(self, entries: Sequence[Entry], shape: Shape) -> int:
        """Of each variant: one a visit, while those beyond the first add half a block at most."""
        alone_s = self.first_startup_s + self.visits_s(entries, shape)
        worthwhile = 1 + int(alone_s / 2 / (LAUNCH_S * self.variants))
        return min(shape.visits, self.residency.launches, worthwhile)

    def startup_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """From starting a block's launches to the readiness of the last, summed over parties."""
        parties = 1 if self.residency.together else self.variants
        more = (self.launches(entries, shape) - 1) * self.variants
        return parties * self.first_startup_s + LAUNCH_S * more

    def visits_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """All visits to all entries under all variants; slow operations stretch their slices."""
        return shape.visits * sum(
            len(entry.variants) * (max(shape.slice_s, _least_s(entry)) + SLICE_OVERHEAD_S)
            for entry in entries
        )

    def block_s(self, entries: Sequence[Entry], shape: Shape) -> float:
        """One block, with all numbers of ranks."""
        return self.groups * (self.startup_s(entries, shape) + self.visits_s(entries, shape))

    def least_s(self, entries: Sequence[Entry]) -> float:
        """The shortest campaign that has intervals."""
        return FEWEST_BLOCKS * self.block_s(entries, Shape(1, SHORTEST_SLICE_S))


def _least_s(entry: Entry) -> float:
    return LARGE_OPERATIONS * entry.cell.size_bytes / PESSIMISTIC_BYTES_PER_S


def _fits(request: Request, costs: Costs, entries: Sequence[Entry]) -> bool:
    """Whether six blocks do; blocks that the user counted take the time that they take."""
    return request.blocks is not None or costs.least_s(entries) <= request.budget_s


def _fitted(
    request: Request, costs: Costs, entries: list[Entry]
) -> tuple[list[Entry], list[Caveat]]:
    """`entries` without those that the budget has no room for, and what was dropped."""
    kept = entries
    while not _fits(request, costs, kept):
        fewer = _without_a_size(kept) or _without_a_pattern(kept)
        if not fewer:
            raise UsageError(
                f"a budget of {request.budget_s:g} s is too small for one cell in {FEWEST_BLOCKS} "
                f"blocks; give --budget {math.ceil(costs.least_s(kept))}s, or --blocks for fewer"
            )
        kept = fewer
    return kept, _dropped(request, entries, kept)


def _without_a_size(entries: Sequence[Entry]) -> list[Entry]:
    """Without one inner size: the one whose neighbours lie closest together; [] if none is left."""
    sizes = sorted({entry.cell.size_bytes for entry in entries if entry.cell.size_bytes})
    if len(sizes) <= 2:
        return []
    inner = min(range(1, len(sizes) - 1), key=lambda i: math.log(sizes[i + 1] / sizes[i - 1]))
    return [entry for entry in entries if entry.cell.size_bytes != sizes[inner]]


def _without_a_pattern(entries: Sequence[Entry]) -> list[Entry]:
    labels = list(dict.fromkeys(entry.choice.label for entry in entries))
    if len(labels) == 1:
        return []
    return [entry for entry in entries if entry.choice.label != labels[-1]]


def _dropped(request: Request, before: Sequence[Entry], after: Sequence[Entry]) -> list[Caveat]:
    patterns = {e.choice.label for e in before} - {e.choice.label for e in after}
    sizes = {e.cell.size_bytes for e in before} - {e.cell.size_bytes for e in after}
    parts = []
    if sizes:
        parts.append("sizes " + ", ".join(format_size(size) for size in sorted(sizes)))
    if patterns:
        parts.append("patterns " + ", ".join(sorted(patterns)))
    if not parts:
        return []
    return [
        Caveat(
            "budget",
            f"{request.budget_s:g} s don't suffice for everything; left out: {'; '.join(parts)}",
            "give a larger --budget",
        )
    ]


def _shape(request: Request, costs: Costs, entries: Sequence[Entry]) -> tuple[int, Shape]:
    """Blocks, and what each does, that use the budget; more blocks before more visits."""
    shape = Shape(USUAL_VISITS, LONGEST_SLICE_S)
    least_blocks = request.blocks or USUAL_BLOCKS

    def blocks_in_budget(shape: Shape) -> int:
        return int(request.budget_s // costs.block_s(entries, shape))

    while blocks_in_budget(shape) < least_blocks and (smaller := _smaller(shape)):
        shape = smaller
    blocks = request.blocks or min(max(blocks_in_budget(shape), FEWEST_BLOCKS), MOST_BLOCKS)
    larger = replace(shape, visits=shape.visits + 1)
    while larger.visits <= MOST_VISITS and blocks_in_budget(larger) >= blocks:
        shape, larger = larger, replace(larger, visits=larger.visits + 1)
    return blocks, shape


def _smaller(shape: Shape) -> Shape | None:
    """With a visit less, then with shorter slices; None: it can't be."""
    if shape.visits > 1:
        return replace(shape, visits=shape.visits - 1)
    slice_s = max(shape.slice_s - 0.001, SHORTEST_SLICE_S)
    return Shape(1, slice_s) if slice_s < shape.slice_s else None
