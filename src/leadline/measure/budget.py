"""What fits into a budget: how many blocks, launches and visits, how long a slice, and which cells.

A campaign is blocks x (start-up + visits x cells x variants x slice). In T seconds there is room
for T / (S + n V) blocks of n visits, where S is the start-up of a block and V what one visit to all
its cells takes. A block's value varies by B + W / n: B is the variance of what all visits of a
block have in common, W that of a visit within it. So the variance of the campaign's mean is
(S + n V) (B + W / n) / T, least at n = sqrt(S / V * W / B).

A library's speed differs from launch to launch, for a launch's whole life. Where a block holds
several launches of each variant, its ratio is a median over them, and start-up, which overlaps, is
paid about once: so many are alive together as memory has room for.

What a budget too small for six blocks has no room for is left out, and said: first sizes that are
hopeless or expensive, then inner sizes down to four, then patterns; what these leave becomes sizes
again. One too small for as many blocks as the tests over all cells need says so.

Sources: Cochran 1977, section 10.6; Kalibera and Jones 2013, whose levels these are.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import pairwise
from statistics import fmean, median

import numpy as np

from leadline.backends.kinds.kind import PROCESS_BYTES, USUAL_BYTES_PER_S
from leadline.errors import BudgetError, UsageError
from leadline.measure.cells import PlannedCell, sizes_said, solving_s
from leadline.measure.spec import Request
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.statistics.intervals import Floats, weighted_row_medians
from leadline.statistics.permutation import ample_blocks, fewest_blocks, tests_of
from leadline.units import format_size

FEWEST_VISITS, USUAL_VISITS, MOST_VISITS = 4, 8, 24
FEWEST_LAUNCHES, MOST_LAUNCHES = 2, 4
"""Launches of each variant, alive together: a single one's own speed would be taken for that of the
library."""


@dataclass(frozen=True, slots=True)
class BlockCosts:
    """How long the parts of a block take, in seconds."""

    startup_s: float
    """All but its visits with one launch of each variant: start, warm-up and end."""
    launch_s: float
    """What one more launch of each variant adds."""
    visit_s: float
    """One visit to all cells."""

    def block_s(self, visits: int, launches: int) -> float:
        """A block of so many visits and launches of each variant."""
        return self.startup_s + (launches - 1) * self.launch_s + visits * self.visit_s


def mean_costs(costs: Sequence[BlockCosts]) -> BlockCosts:
    """The average of `costs`, which are those of at least one block."""
    return BlockCosts(
        fmean(cost.startup_s for cost in costs),
        fmean(cost.launch_s for cost in costs),
        fmean(cost.visit_s for cost in costs),
    )


@dataclass(frozen=True, slots=True)
class BlockLimits:
    """How many blocks a campaign is to have, or still to have."""

    fewest: int
    """Whatever they cost."""
    needed: int
    """For a clear difference to show among so many tests."""
    ample: int
    """For it to show although some blocks lie astray; a campaign with time left has no fewer."""
    most: int
    """More are of no use."""

    def after(self, done: int) -> BlockLimits:
        """What is left of them when so many are whole."""
        return BlockLimits(
            *(max(0, n - done) for n in (self.fewest, self.needed, self.ample, self.most))
        )


@dataclass(frozen=True, slots=True)
class Allotment:
    """How a campaign, or what is left of it, is divided."""

    blocks: int
    visits: int
    """Visits of each block."""
    launches: int
    """Launches of each variant, alive together; visits take turns with them."""


def optimal_visits(startup_s: float, visit_s: float, block_share: float) -> int:
    """The number of visits with which the mean varies least, within FEWEST and MOST_VISITS.

    `block_share` is B / W, the blocks' variance in units of the visits', from 0 up.
    """
    return min(
        range(FEWEST_VISITS, MOST_VISITS + 1),
        key=lambda visits: (startup_s + visits * visit_s) * (block_share + 1 / visits),
    )


def block_share(log_ratios: Floats, weights: Floats) -> float | None:
    """B / W, from the visits' log ratios, shape (rows, blocks, visits), nan where missing.

    `weights` are what visits count for, 0 where they don't. The two halves of a block's visits
    share what the block has: the covariance of their medians over blocks is B; their mean squared
    difference, over what it would be were W one, is W, of medians as verdicts take them, whatever
    the visits' distribution. Rows count alike, each in units of its own visits' spread. A negative
    estimate is 0. None where nothing can be said: it takes two blocks of FEWEST_VISITS in some row;
    blocks of fewer are left out, others cut to the visits that all have.
    Source: Kish 1965, section 8.2: as many equal visits as (sum w)^2 / sum w^2 tell as much.
    """
    rows, weights = _whole(log_ratios, weights)
    if not rows.size:
        return None
    around = rows - weighted_row_medians(rows, weights)[..., None]
    counted = np.where(weights > 0, around, np.nan)
    low, high = np.nanquantile(counted, (0.25, 0.75), axis=(1, 2))
    spread = np.asarray(high - low, np.float64)
    rows, weights, spread = (one[spread > 0] for one in (rows, weights, spread))
    if not len(rows):
        return None
    half = rows.shape[2] // 2
    halves = [slice(half), slice(half, 2 * half)]
    first, second = (
        weighted_row_medians(rows[..., one], weights[..., one]) / spread[:, None] for one in halves
    )
    centred = [values - values.mean(axis=1, keepdims=True) for values in (first, second)]
    common = np.sum(centred[0] * centred[1], axis=1) / (rows.shape[1] - 1)
    equal_visits = [
        part.sum(axis=-1) ** 2 / (part**2).sum(axis=-1)
        for part in (weights[..., one] for one in halves)
    ]
    own = np.sum((first - second) ** 2, axis=1) / np.sum(sum(1 / n for n in equal_visits), axis=1)
    return max(0.0, float(common.mean() / own.mean())) if own.any() else None


def _whole(log_ratios: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The rows that have visits that count in both halves of all blocks, and their weights.

    Blocks have at least FEWEST_VISITS, and are cut to those that all have; none: shape (0, ...).
    """
    visits = np.sum(~np.isnan(log_ratios), axis=2).max(axis=0, initial=0)
    blocks = np.flatnonzero(visits >= FEWEST_VISITS)
    most = min(visits[blocks], default=0)
    kept = log_ratios[:, blocks, :most]
    counted = np.where(np.isnan(kept), 0, weights[:, blocks, :most])
    half = most // 2
    ends = np.minimum(counted[..., :half].sum(axis=2), counted[..., half : 2 * half].sum(axis=2))
    rows = (ends > 0).all(axis=1) & (len(blocks) > 1)
    return kept[rows], counted[rows]


def allotted(left_s: float, limits: BlockLimits, costs: BlockCosts, wanted: Allotment) -> Allotment:
    """`wanted`, with as many blocks as there is time for.

    Where as many as are ample don't fit, visits are dropped down to USUAL_VISITS: a test over few
    blocks doesn't see what the mean gains by more of them. Where the blocks needed don't fit,
    launches are dropped down to FEWEST_LAUNCHES, then visits down to FEWEST_VISITS; where the
    fewest don't, visits down to 1. What is left over becomes visits.
    """
    goals = (
        (limits.ample, USUAL_VISITS, MOST_LAUNCHES),
        (limits.needed, FEWEST_VISITS, FEWEST_LAUNCHES),
        (limits.fewest, 1, FEWEST_LAUNCHES),
    )
    for blocks, fewest_visits, fewest_launches in goals:
        if blocks:
            wanted = _within(left_s / blocks, costs, wanted, (fewest_visits, fewest_launches))
    blocks = int(left_s // costs.block_s(wanted.visits, wanted.launches))
    blocks = min(max(blocks, limits.fewest), limits.most)
    if not blocks:
        return replace(wanted, blocks=blocks)
    spare_s = left_s / blocks - costs.block_s(wanted.visits, wanted.launches)
    visits = wanted.visits + max(0, int(spare_s / costs.visit_s))
    return replace(wanted, blocks=blocks, visits=max(wanted.visits, min(visits, MOST_VISITS)))


def affordable(left_s: float, block_s: float, outside_s: float) -> tuple[int, bool]:
    """How many blocks end within `left_s`, and whether half the visits of one more do.

    A block takes `block_s`, of which `outside_s` lie outside of its visits.
    """
    whole, rest_s = divmod(max(left_s, 0.0), block_s)
    return int(whole), rest_s >= (outside_s + block_s) / 2


def _within(
    block_s: float, costs: BlockCosts, wanted: Allotment, fewest: tuple[int, int]
) -> Allotment:
    """`wanted`, cut until a block takes `block_s` or has only the `fewest` visits and launches."""
    visits, launches = wanted.visits, wanted.launches
    fewest_visits, fewest_launches = fewest
    while costs.block_s(visits, launches) > block_s:
        if launches > fewest_launches:
            launches -= 1
        elif visits > fewest_visits:
            visits -= 1
            launches = min(launches, visits)
        else:
            break
    return replace(wanted, visits=visits, launches=launches)


MEMORY_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Residency:
    """Which launches are alive at the same time in a block."""

    launches: int
    """Launches of each variant, at most."""
    together: bool
    """False: one variant after the other, in random order."""
    warnings: tuple[RunWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Footprint:
    """What launches take in memory, at most."""

    largest_message_bytes: int
    cold_bytes: int
    processes: int
    """Processes of a launch, mostly one for each rank."""
    variants: int
    """Variants with launches of their own."""
    process_bytes: int = PROCESS_BYTES
    """What a rank needs besides its messages, at least."""
    problem_bytes: int = 0
    """Memory of the largest application problem, which one launch at a time has."""

    @property
    def launch_bytes(self) -> int:
        """What one launch takes: buffers both ways, and one-sided ones both ways."""
        buffer_bytes = max(self.largest_message_bytes, self.cold_bytes)
        return (self.process_bytes + 4 * buffer_bytes) * self.processes


def residency(footprint: Footprint, memory_bytes: int) -> Residency:
    """As many launches as memory has room for; UsageError where it hasn't for a single one."""
    room_bytes = int(MEMORY_SHARE * memory_bytes) - footprint.problem_bytes
    launch_bytes = footprint.launch_bytes
    launches = room_bytes // (launch_bytes * footprint.variants)
    if launches >= 1:
        return Residency(min(launches, MOST_LAUNCHES), together=True)
    if launch_bytes > room_bytes:
        raise UsageError(
            f"{_too_much(footprint, 1, room_bytes)}; give smaller --sizes or fewer --ranks"
        )
    return Residency(
        min(room_bytes // launch_bytes, MOST_LAUNCHES),
        together=False,
        warnings=(
            warning_of(
                WarningKind.INTERLEAVED,
                need=_too_much(footprint, footprint.variants, room_bytes),
            ),
        ),
    )


def _too_much(footprint: Footprint, variants: int, room_bytes: int) -> str:
    processes, cold_bytes = footprint.processes * variants, footprint.cold_bytes
    return (
        f"{format_size(footprint.largest_message_bytes)} messages"
        + (f" with cold buffers of {format_size(cold_bytes)}" if cold_bytes else "")
        + f" need about {footprint.launch_bytes * variants / 1e9:.1f} GB for {processes} processes "
        f"alive together, and {room_bytes / 1e9:.1f} GB may be used"
    )


FEWEST_BLOCKS = 6
"""Below this no 95 % interval exists (of 5 values all lie on one side of the median in 1 of 16)."""
USUAL_BLOCKS = 8
MOST_BLOCKS = 64
SLICES_S = (0.005, 0.004, 0.003)
"""The longest that fits is taken."""
SLICE_OVERHEAD_S = 0.003
"""Command, validation, warm-up, gathering and journal of one slice, about."""
LARGE_OPERATIONS = 16
"""Operations that a slice needs at least, whatever one takes: validation, warm-up, batches."""
LINK_OPERATIONS = 26
"""Messages that a slice of slow ones has, one after the other: 13 round trips in five batches, two
of a warm-up and validation, as measured on an emulated Ethernet of 10 Mbit/s."""
LAUNCH_S = 0.05
"""What one more launch beside the others adds to their start-up, about."""


@dataclass(frozen=True, slots=True)
class Spending:
    """How a budget is spent."""

    limits: BlockLimits
    costs: BlockCosts
    """The expected costs."""
    allotment: Allotment
    slice_s: float
    warnings: tuple[RunWarning, ...]


@dataclass(frozen=True, slots=True)
class Costs:
    """What the parts of a block take, in seconds."""

    groups: int
    """Numbers of ranks, each with launches of its own."""
    ranks: int
    """The largest of them."""
    variants: int
    """Variants with launches of their own."""
    first_startup_s: float
    """Start-up of one launch of every variant, together."""
    residency: Residency
    link_bytes_per_s: float = math.inf
    """Rate of the slowest link between hosts, in bytes a second."""
    link_delay_s: float = 0.0
    cores: int = 1
    """Cores that the ranks of the group with the fewest cores sit on."""
    bytes_per_s: Mapping[str, float] = field(default_factory=dict)
    """What the variants' libraries move at least, of those that aren't as quick as usual."""

    def of_block(self, cells: Sequence[PlannedCell], slice_s: float) -> BlockCosts:
        """Costs of a block over all numbers of ranks; slow operations lengthen their slices."""
        # Each number of threads has launches of its own.
        levels = len({planned.pattern.threads for planned in cells})
        parties = 1 if self.residency.together else self.variants
        visit_s = sum(self.visit_s(planned, slice_s) for planned in cells)
        return BlockCosts(
            startup_s=self.groups * levels * parties * self.first_startup_s,
            launch_s=self.groups * levels * self.variants * LAUNCH_S,
            visit_s=self.groups * visit_s,
        )

    def visit_s(self, planned: PlannedCell, slice_s: float) -> float:
        """Time of one visit to a cell under all of its variants, in seconds."""
        return sum(
            max(slice_s, self._least_s(planned, variant)) + SLICE_OVERHEAD_S
            for variant in planned.variants
        )

    def least_s(self, cells: Sequence[PlannedCell]) -> float:
        """The shortest campaign that has intervals."""
        return FEWEST_BLOCKS * self.of_block(cells, SLICES_S[-1]).block_s(1, 1)

    def _least_s(self, planned: PlannedCell, variant: str) -> float:
        """What a slice takes however short it is asked to be, over its library and the link."""
        moved = planned.message_bytes(self.ranks)
        over_link_s = self.link_delay_s + moved / self.link_bytes_per_s
        computing_s = solving_s(planned.problem, self.cores) if planned.problem else 0.0
        return max(
            LARGE_OPERATIONS * moved / self.bytes_per_s.get(variant, USUAL_BYTES_PER_S),
            LINK_OPERATIONS * over_link_s,
            computing_s,
        )


def most_tests(cells: Sequence[PlannedCell], raw: Collection[str]) -> int:
    """Tests of the largest family: a pattern's cells and their average, for all pairs of variants.

    But for those of `raw` backends, which are no competitors: each pair with one of these is a
    family by itself.
    """
    families = Counter(planned.choice.label for planned in cells)
    return max(
        tests_of(families[planned.choice.label])
        * max(1, math.comb(len(set(planned.variants) - set(raw)), 2))
        for planned in cells
    )


def limits_of(counted: int | None, tests: int) -> BlockLimits:
    """Limits of a campaign with `counted` blocks, or else with `tests` in its largest family."""
    if counted:
        return BlockLimits(counted, counted, counted, counted)
    needed = max(USUAL_BLOCKS, fewest_blocks(tests))
    return BlockLimits(FEWEST_BLOCKS, needed, max(needed, ample_blocks(tests)), MOST_BLOCKS)


def spending_of(
    request: Request, costs: Costs, cells: Sequence[PlannedCell], raw: Collection[str] = ()
) -> Spending:
    """How the budget is spent; the longest slices with which the blocks needed fit are taken.

    `raw` are the variants of raw backends.
    """
    limits = limits_of(request.blocks, most_tests(cells, raw))
    needed = limits.needed
    least_s = {
        slice_s: needed * costs.of_block(cells, slice_s).block_s(FEWEST_VISITS, FEWEST_LAUNCHES)
        for slice_s in SLICES_S
    }
    slice_s = next((s for s in SLICES_S if least_s[s] <= request.budget_s), SLICES_S[-1])
    block = costs.of_block(cells, slice_s)
    wanted = Allotment(needed, USUAL_VISITS, min(MOST_LAUNCHES, costs.residency.launches))
    allotment = allotted(request.budget_s, limits, block, wanted)
    few = warning_of(
        WarningKind.FEW_FOR_TESTS,
        budget_s=request.budget_s,
        blocks=allotment.blocks,
        needed=needed,
        budget=f"{math.ceil(least_s[slice_s])}s",
    )
    return Spending(limits, block, allotment, slice_s, () if allotment.blocks >= needed else (few,))


def few_measured(measured: int, needed: int, budget_s: float, took_s: float) -> RunWarning | None:
    """What a run of so many blocks says, where they are fewer than its tests need; else None.

    A campaign may have taken longer than its budget, as six blocks are measured unless it is kept.
    """
    if measured >= needed:
        return None
    enough_s = max(budget_s, took_s) * needed / max(measured, 1)
    budget = f"{math.ceil(enough_s)}s"
    return warning_of(WarningKind.FEW_FOR_TESTS, blocks=measured, needed=needed, budget=budget)


MOST_OF_ONE = 0.75
"""The share of a budget that one cell may take while there are smaller sizes."""
SPREAD_SIZES = 4
"""Sizes that patterns keep, the least, the most and two between, while others can be dropped."""
EXPENSIVE = 8.0
"""Times what the median cell takes, above which a size of a pattern goes first."""


def _fits(request: Request, costs: Costs, cells: Sequence[PlannedCell]) -> bool:
    """Whether six blocks do; blocks that the user counted take the time that they take."""
    return request.blocks is not None or costs.least_s(cells) <= request.budget_s


def fitted(
    request: Request, costs: Costs, cells: list[PlannedCell]
) -> tuple[list[PlannedCell], list[RunWarning]]:
    """`cells` without those that the budget has no room for, and what was dropped.

    Sizes that are hopeless or expensive go first, then the last patterns until SPREAD_SIZES of the
    others fit, then as few inner sizes as it takes; BudgetError where not even the rest fits.
    """
    kept = _without_hopeless_sizes(request, costs, cells)
    kept = _without_expensive_cells(request, costs, kept)
    labels = list(dict.fromkeys(planned.choice.label for planned in kept))
    while len(labels) > 1 and not _fits(request, costs, _spread_out(kept)):
        last = labels.pop()
        kept = [planned for planned in kept if planned.choice.label != last]
    inner = _by_closeness(_sizes_of(kept))
    fewest = bisect_left(
        range(len(inner)), True, key=lambda n: _fits(request, costs, _without(kept, inner[:n]))
    )
    kept = _without(kept, inner[:fewest])
    if not _fits(request, costs, kept):
        least_s = costs.least_s(kept)
        smaller = ", or smaller --sizes" if any(planned.cell.size_bytes for planned in kept) else ""
        raise BudgetError(
            f"a budget of {request.budget_s:g} s is too small for one cell in {FEWEST_BLOCKS} "
            f"blocks; give --budget {math.ceil(least_s)}s, or --blocks for fewer"
            f"{smaller}",
            least_s,
        )
    return kept, _dropped(request, cells, kept)


def _without_hopeless_sizes(
    request: Request, costs: Costs, cells: list[PlannedCell]
) -> list[PlannedCell]:
    """Without the largest sizes of which one cell alone takes MOST_OF_ONE of the budget, or more.

    Over a slow link these would take the room of all others.
    """
    if request.blocks is not None:
        return cells
    first: dict[int, PlannedCell] = {}
    for planned in cells:
        first.setdefault(planned.cell.size_bytes, planned)
    sizes = sorted(first)
    while len(sizes) > 1:
        visit_s = costs.of_block([first[sizes[-1]]], SLICES_S[-1]).visit_s
        if FEWEST_BLOCKS * visit_s < MOST_OF_ONE * request.budget_s:
            break
        sizes.pop()
    left = set(sizes)
    return [planned for planned in cells if planned.cell.size_bytes in left]


def _without_expensive_cells(
    request: Request, costs: Costs, cells: list[PlannedCell]
) -> list[PlannedCell]:
    """`cells` without as few as it takes of those far more expensive than most, dearest first.

    Such take over EXPENSIVE times the median cell's time: a stream of 2 MB would else take the room
    of ten patterns. The smallest size of each pattern stays.
    """
    if _fits(request, costs, _spread_out(cells)):
        return cells
    seconds = [costs.visit_s(planned, SLICES_S[-1]) for planned in cells]
    limit = EXPENSIVE * median(seconds)
    takes_s = {_place(p): s for p, s in zip(cells, seconds, strict=True) if s > limit}
    least: dict[str, int] = {}
    for planned in cells:
        label, size = _place(planned)
        least[label] = min(size, least.get(label, size))
    expensive = sorted((at for at in takes_s if at[1] > least[at[0]]), key=lambda at: -takes_s[at])

    def without(number: int) -> list[PlannedCell]:
        gone = set(expensive[:number])
        return [planned for planned in cells if _place(planned) not in gone]

    def fits(number: int) -> bool:
        return _fits(request, costs, _spread_out(without(number)))

    return without(bisect_left(range(len(expensive)), True, key=fits))


def _place(planned: PlannedCell) -> tuple[str, int]:
    return planned.choice.label, planned.cell.size_bytes


def _spread_out(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    """The cells of SPREAD_SIZES, apart from 0 B: rather than these, patterns are dropped."""
    dispensable = _by_closeness(_sizes_of(cells))
    return _without(cells, dispensable[: max(0, len(dispensable) + 2 - SPREAD_SIZES)])


def _sizes_of(cells: Sequence[PlannedCell]) -> list[int]:
    """Rising ones, but for 0 B, which is no size of a curve."""
    return sorted({planned.cell.size_bytes for planned in cells if planned.cell.size_bytes})


def _without(cells: Sequence[PlannedCell], sizes: Sequence[int]) -> list[PlannedCell]:
    gone = set(sizes)
    return [planned for planned in cells if planned.cell.size_bytes not in gone]


def _by_closeness(sizes: Sequence[int]) -> list[int]:
    """The inner ones of rising `sizes`, each time the one whose neighbours left lie closest.

    Of those that are as close, the smaller one comes first.
    """
    above = dict(pairwise(sizes))
    below = {upper: lower for lower, upper in above.items()}

    def entry(size: int) -> tuple[float, int]:
        return math.log(above[size] / below[size]), size

    entries = [entry(size) for size in sizes[1:-1]]
    heapify(entries)
    found: list[int] = []
    while entries:
        first = heappop(entries)
        size = first[1]
        if size in above and first == entry(size):  # else it has got other neighbours since
            found.append(size)
            lower, upper = below.pop(size), above.pop(size)
            above[lower], below[upper] = upper, lower
            for other in (lower, upper):
                if other in above and other in below:
                    heappush(entries, entry(other))
    return found


def _dropped(
    request: Request, before: Sequence[PlannedCell], after: Sequence[PlannedCell]
) -> list[RunWarning]:
    """What the budget has no room for: sizes, sizes of one pattern alone, patterns; one warning."""
    kept = {_place(planned) for planned in after}
    labels = {label for label, _ in kept}
    patterns = {planned.choice.label for planned in before} - labels
    sizes = {planned.cell.size_bytes for planned in before} - {size for _, size in kept}
    of_one: dict[str, set[int]] = {}
    for label, size in map(_place, before):
        if label in labels and size not in sizes and (label, size) not in kept:
            of_one.setdefault(label, set()).add(size)
    parts = [f"sizes {sizes_said(sorted(sizes))}"] if sizes else []
    parts += [f"{label} of {sizes_said(sorted(gone))}" for label, gone in of_one.items()]
    if patterns:
        parts.append("patterns " + ", ".join(sorted(patterns)))
    if not parts:
        return []
    return [warning_of(WarningKind.BUDGET, budget_s=request.budget_s, left_out="; ".join(parts))]
