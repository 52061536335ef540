"""What a campaign will do and how long it will take: pure arithmetic, printed before it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leadline.errors import UsageError
from leadline.measure.budget import (
    MEMORY_SHARE,
    Allotment,
    BlockCosts,
    BlockLimits,
    Costs,
    Footprint,
    fitted,
    residency,
    spending_of,
)
from leadline.measure.cells import (
    PlannedCell,
    Resources,
    planned_cells,
    problem_bytes,
    solving_s,
    unsuited,
    with_remedies,
    with_room,
)
from leadline.measure.spec import Request
from leadline.record.run import Buffers, Cadence, Cell, GridPlacement
from leadline.record.warnings import RunWarning, WarningKind, warning_of

THREADS_VARIABLE = "LEADLINE_THREADS"
"""By which kernels learn of threads: MPI must be asked for them when it starts."""


@dataclass(frozen=True, slots=True)
class Group:
    """What is measured with one number of ranks and of threads: it has launches of its own."""

    ranks: int
    oversubscribed: bool
    cells: tuple[PlannedCell, ...]
    launches: int = 1
    """Launches of each variant, alive together; visits take turns with them."""
    threads: int = 0
    """Threads of each rank that send; 0: the library isn't told of threads, which slow it down."""
    placements: Mapping[str, tuple[GridPlacement, ...]] = field(default_factory=dict)
    """Placements of the patterns' grids, by variant, for those that have a map."""
    cores: int = 1
    """Cores that its ranks sit on."""

    @property
    def key(self) -> tuple[int, int]:
        """The key of its configurations, (ranks, threads); no two groups have the same."""
        return self.ranks, self.threads

    @property
    def label(self) -> str:
        """E.g. "2", or "2 of 1 thread"."""
        return str(self.ranks) + (f" of {_threads(self.threads)}" if self.threads else "")

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables by which its launches learn of threads."""
        return {THREADS_VARIABLE: str(self.threads)} if self.threads else {}

    def problem_s(self, planned: PlannedCell) -> float | None:
        """About how long a slice of an application takes, in seconds; None: `planned` is none."""
        return solving_s(planned.problem, self.cores) if planned.problem else None

    @property
    def slices_per_visit(self) -> int:
        """Slices of one visit to all cells under all variants."""
        return sum(len(planned.variants) for planned in self.cells)


def _threads(number: int) -> str:
    return f"{number} thread{'s' * (number != 1)}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be measured, and how the time is spent."""

    groups: tuple[Group, ...]
    limits: BlockLimits
    costs: BlockCosts
    """The expected costs."""
    allotment: Allotment
    """How it begins; a campaign revises it by what its first blocks show."""
    slice_s: float
    cold_bytes: int
    together: bool = True
    """Whether a block's variants are alive at the same time."""
    warnings: tuple[RunWarning, ...] = ()

    @property
    def blocks(self) -> int:
        """As many blocks as there is time for."""
        return self.allotment.blocks

    @property
    def visits(self) -> int:
        """Visits of each block to its cells."""
        return self.allotment.visits

    @property
    def startup_s(self) -> float:
        """Start-up time of a block's launches, one group of them after the other."""
        return self.costs.block_s(0, self.allotment.launches)

    @property
    def estimate_s(self) -> float:
        """Time that all blocks take, in seconds."""
        return self.blocks * self.costs.block_s(self.visits, self.allotment.launches)

    def saved_s(self, slice_s: Callable[[Cell], float]) -> float:
        """Seconds that a visit to all cells takes less than planned where slices last `slice_s`."""
        return sum(
            len(planned.variants) * (self.slice_s - slice_s(planned.cell))
            for group in self.groups
            for planned in group.cells
        )

    def buffer_bytes(self, group: Group) -> int:
        """The longest buffer for messages that a rank of `group` makes."""
        return max(
            [self.cold_bytes, *(planned.memory_bytes(group.ranks) for planned in group.cells)]
        )


def crowded_shares_s(
    groups: Sequence[Group], counted: bool, budget_s: float
) -> dict[tuple[int, int], float]:
    """What each group with more threads than cores may take of the budget, by its key.

    Their ranks stall each other for milliseconds; the others mustn't wait for them. Empty where
    blocks are `counted`, or all groups are so.
    """
    if counted or all(group.oversubscribed for group in groups):
        return {}
    total = sum(group.slices_per_visit for group in groups)
    return {g.key: budget_s * g.slices_per_visit / total for g in groups if g.oversubscribed}


def make_plan(request: Request, resources: Resources) -> Plan:
    """The plan for `request`; UsageError where nothing of it can be measured.

    Cells stay that some number of ranks can run, whose problems fit beside one launch, and that the
    budget has room for.
    """
    cold_bytes = 0
    if request.buffers == Buffers.COLD:
        cold_bytes = int(1.25 * (resources.cache_bytes or 64 * 2**20))
    cells, warnings = planned_cells(request, resources)
    warnings += (warning for ranks in request.ranks for warning in unsuited(cells, ranks))
    cells = [cell for cell in cells if any(cell.unsuited(ranks) is None for ranks in request.ranks)]
    if not cells:
        raise UsageError(f"nothing to measure: {with_remedies(warnings)}")
    launch_bytes = _footprint(request, resources, cells, cold_bytes).launch_bytes
    room_bytes = int(MEMORY_SHARE * resources.memory_bytes) - launch_bytes
    cells, left_out = with_room(cells, room_bytes)
    if not cells:
        raise UsageError(f"nothing to measure: {with_remedies(left_out)}")
    warnings += left_out
    alive = residency(_footprint(request, resources, cells, cold_bytes), resources.memory_bytes)
    warnings += alive.warnings
    groups, largest = len(request.ranks), max(request.ranks)
    costs = Costs(
        groups,
        largest,
        resources.launched,
        resources.startup_s,
        alive,
        link_bytes_per_s=request.slowest_link,
        link_delay_s=request.link_delay_s,
        bytes_per_s=resources.bytes_per_s,
        cores=min(resources.seating(ranks).taken for ranks in request.ranks),
    )
    cells, dropped = fitted(request, costs, cells)
    warnings += dropped
    spending = spending_of(request, costs, cells, resources.raw)
    if resources.simulated:
        once = replace(spending.allotment, visits=1, launches=1)
        spending = replace(spending, allotment=once)
    warnings += spending.warnings
    return Plan(
        groups=_groups(request, resources, cells, spending.allotment.launches, warnings),
        limits=spending.limits,
        costs=spending.costs,
        allotment=spending.allotment,
        slice_s=spending.slice_s,
        cold_bytes=cold_bytes,
        together=alive.together,
        warnings=tuple(warnings),
    )


def _footprint(
    request: Request, resources: Resources, cells: Sequence[PlannedCell], cold_bytes: int
) -> Footprint:
    """What a launch of the most ranks takes in memory for `cells`."""
    return Footprint(
        largest_message_bytes=max(planned.memory_bytes(max(request.ranks)) for planned in cells),
        cold_bytes=cold_bytes,
        processes=max(c.processes(max(request.ranks)) for c in resources.capabilities.values()),
        variants=resources.launched,
        process_bytes=resources.process_bytes,
        problem_bytes=problem_bytes(cells),
    )


def _groups(
    request: Request,
    resources: Resources,
    cells: Sequence[PlannedCell],
    launches: int,
    warnings: list[RunWarning],
) -> tuple[Group, ...]:
    """A group for each number of ranks and of threads; adds to `warnings` which share cores.

    Where there are more threads than cores, each variant has one launch, and all cells stream.
    """
    groups = []
    for ranks in request.ranks:
        able = [planned for planned in cells if planned.unsuited(ranks) is None]
        for threads in sorted({planned.pattern.threads for planned in able}):
            alike = tuple(planned for planned in able if planned.pattern.threads == threads)
            seating = resources.seating(ranks, max(threads, 1))
            crowded = seating.oversubscribed and not resources.simulated
            if crowded:  # ranks that spin to a deadline would only keep each other from running
                alike = tuple(
                    replace(planned, cell=replace(planned.cell, cadence=Cadence.STREAMING))
                    for planned in alike
                )
            groups.append(
                Group(
                    ranks,
                    crowded,
                    alike,
                    1 if crowded else launches,
                    threads,
                    cores=seating.taken,
                )
            )
    warnings += _crowds(groups, resources)
    return tuple(groups)


def _crowds(groups: Sequence[Group], resources: Resources) -> list[RunWarning]:
    """Warnings for groups that share cores: numbers of ranks in one, threads in one each."""
    sites = resources.sites
    where: dict[str, object] = {"hosts": None, "machines": 0}
    if len(sites) > 1:
        where = {"hosts": str(len(sites)), "machines": len({site.machine for site in sites})}
    many: dict[int, list[str]] = {}
    threaded: list[RunWarning] = []
    for group in (group for group in groups if group.oversubscribed):
        ranks = resources.seating(group.ranks)
        if ranks.oversubscribed:
            many.setdefault(ranks.taken, []).append(str(group.ranks))
        else:
            threaded.append(
                warning_of(
                    WarningKind.OVERSUBSCRIBED,
                    ranks=group.ranks,
                    threads=group.threads,
                    cores=resources.seating(group.ranks, group.threads).taken,
                    **where,
                )
            )
    alike = [
        warning_of(WarningKind.OVERSUBSCRIBED, numbers=dict.fromkeys(numbers), cores=cores, **where)
        for cores, numbers in many.items()
    ]
    return [*alike, *threaded]
