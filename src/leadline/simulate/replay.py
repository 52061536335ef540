"""One repetition of a pattern on a machine: what passes each link, and what each rank does when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.errors import UsageError
from leadline.mapping.planes import evenly, medium_load
from leadline.measure.cells import PlannedCell
from leadline.measure.grids import grid_of
from leadline.measure.tracing import DescribedCells
from leadline.simulate.campaign import BARRIER, DEFAULT, Cast, Setup, SimulatedJob, cast_of
from leadline.simulate.execution import merged
from leadline.simulate.flow import TaskGraph, TaskTimes, flow
from leadline.simulate.machine import MachineModel
from leadline.simulate.matching import are, ranks_of
from leadline.simulate.routes import Fabric, vertices_of
from leadline.simulate.tasks import Tasks
from leadline.topology.communication import Communication, Graph
from leadline.topology.job import Job
from leadline.topology.networks import Float64, Int64, Tree
from leadline.topology.phases import CallKind

MOST_ROWS = 64
"""Of ranks in a picture."""
LEAST_S = 1e-12
"""A job that takes less isn't repeated for this."""
RECEIVING = (CallKind.RECEIVE, CallKind.WAIT)


@dataclass(frozen=True, slots=True)
class Spans:
    """What ranks do from when to when; those of one rank are apart, in their order."""

    rank: Int64
    begin_s: Float64
    end_s: Float64

    def of(self, rank: int) -> tuple[tuple[float, float], ...]:
        """Begins and ends of one rank's."""
        own = slice(*np.searchsorted(self.rank, [rank, rank + 1]))
        return tuple(zip(self.begin_s[own].tolist(), self.end_s[own].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Activity:
    """What ranks do from a common start; else they wait, or have ended."""

    sending: Spans
    """Busy with a send, or its bytes leave."""
    receiving: Spans
    """Bytes come in, or the rank is busy with their receive."""
    computing: Spans
    ended_s: Float64
    """Shape (ranks,): with the last of its calls, 0 where it has none."""


@dataclass(frozen=True, slots=True)
class RankRow:
    """What one rank does: begins and ends, s, as in Activity."""

    job: str
    rank: int
    sending: tuple[tuple[float, float], ...]
    receiving: tuple[tuple[float, float], ...]
    computing: tuple[tuple[float, float], ...]
    ended_s: float


@dataclass(frozen=True, slots=True)
class ReplayedJob:
    """A pattern's ranks that are laid in one way, and what they do."""

    name: str
    """"": it is the only one."""
    setup: Setup
    planned: PlannedCell
    job: Job
    slots: Int64
    """Shape (ranks,): where each rank is in the job's allocation."""
    activity: Activity
    seconds: float
    """Until the last rank has ended its first repetition."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One repetition of a pattern, or of several jobs at once, from a common start."""

    jobs: tuple[ReplayedJob, ...]
    link_bytes: Float64
    """Shape (links,): what passes each, as mapping.link_loads numbers them."""

    @property
    def machine(self) -> MachineModel:
        """Where it is."""
        return self.jobs[0].setup.machine

    @property
    def busiest_bytes(self) -> float:
        """What passes the busiest link, or the one medium."""
        network = self.jobs[0].job.allocation.network
        if self.machine.links.shared and isinstance(network, Tree):
            return medium_load(network, self.link_bytes)
        return float(np.max(self.link_bytes, initial=0.0))

    @property
    def ended_s(self) -> float:
        """When the last rank of all has ended."""
        return max(float(np.max(one.activity.ended_s)) for one in self.jobs)

    def rows(self) -> tuple[RankRow, ...]:
        """What ranks do; of more than MOST_ROWS so many, evenly apart."""
        ranks = [(one, rank) for one in self.jobs for rank in range(len(one.slots))]
        shown = evenly(np.arange(len(ranks)), MOST_ROWS)
        return tuple(_row(*ranks[at]) for at in shown.tolist())


def _row(job: ReplayedJob, rank: int) -> RankRow:
    does = job.activity
    return RankRow(
        job.name,
        rank,
        does.sending.of(rank),
        does.receiving.of(rank),
        does.computing.of(rank),
        float(does.ended_s[rank]),
    )


def replays(setup: Setup, cells: DescribedCells) -> list[Replayed]:
    """The first pattern on most ranks at its largest size: in order, then mapped if it can be.

    Raises:
        UsageError: A mapping doesn't fit, or a barrier of the hardware has no messages.
        MachineError: The memory doesn't suffice, or there is no C compiler.
    """
    check_replayable(setup, cells)
    planned, ranks = _first(cells)
    mapped = setup.mapping != DEFAULT and bool(planned.pattern.axes)
    setups = [replace(setup, mapping=DEFAULT), *[setup] * mapped]
    return [_together([("", cast_of(one, planned, ranks))]) for one in setups]


def replayed_jobs(jobs: Sequence[SimulatedJob]) -> list[Replayed]:
    """Each job alone, at its largest size, then all together, the shorter ones again and again.

    Args:
        jobs: On slots of one machine that no two of them share.

    Raises:
        UsageError, MachineError: As of `replays`.
    """
    for job in jobs:
        check_replayable(job.setup, job.cells)
    casts = [(job.name, cast_of(job.setup, *_first(job.cells))) for job in jobs]
    return [*(_together([one]) for one in casts), *[_together(casts)] * (len(casts) > 1)]


def _first(cells: DescribedCells) -> tuple[PlannedCell, int]:
    """The first pattern's largest cell on most ranks, and how many these are."""
    first = next(iter(cells.by_ranks.values()))[0].choice.label
    ranks = max(n for n, of in cells.by_ranks.items() if any(_is(one, first) for one in of))
    sized = [one for one in cells.by_ranks[ranks] if _is(one, first)]
    return max(sized, key=lambda one: one.cell.size_bytes), ranks


def _is(planned: PlannedCell, label: str) -> bool:
    return planned.choice.label == label


def check_replayable(setup: Setup, cells: DescribedCells) -> None:
    """UsageError where what `replays` shows has no messages: a barrier of the hardware."""
    planned, _ = _first(cells)
    if planned.choice.name == BARRIER and setup.profile.barrier is not None:
        raise UsageError(
            f"--plot: {setup.machine.name} has a barrier of its own, which sends no messages; "
            "name another pattern first"
        )


def _together(casts: Sequence[tuple[str, Cast]]) -> Replayed:
    """All from a common start, each repeated until the longest has ended once."""
    tasks = [one.tasks(times) for (_, one), times in zip(casts, _times(casts), strict=True)]
    graph = merged([one.graph for one in tasks], tasks[0].shared)
    parts = _split(flow(graph), [len(one.graph.delay_s) for one in tasks])
    jobs = [
        _replayed(name, cast, of, times)
        for (name, cast), of, times in zip(casts, tasks, parts, strict=True)
    ]
    return Replayed(tuple(jobs), link_bytes(graph, casts[0][1].fabric))


def _times(casts: Sequence[tuple[str, Cast]]) -> list[int]:
    """How often each of several is repeated, by what it takes alone."""
    if len(casts) == 1:
        return [1]
    alone = [float(np.max(flow(one.tasks(1).graph).ended_s)) for _, one in casts]
    return [max(1, round(max(alone) / max(one, LEAST_S))) for one in alone]


def _split(times: TaskTimes, counts: Sequence[int]) -> list[TaskTimes]:
    """Those of each graph among those that were merged."""
    ends = np.cumsum(counts)[:-1]
    halves = np.split(times.begun_s, ends), np.split(times.ended_s, ends)
    return [TaskTimes(*each) for each in zip(*halves, strict=True)]


def _replayed(name: str, cast: Cast, tasks: Tasks, times: TaskTimes) -> ReplayedJob:
    ends = times.ended_s[tasks.numbers.end(np.arange(len(tasks.steps.rank)))]
    return ReplayedJob(
        name=name,
        setup=cast.setup,
        planned=cast.planned,
        job=Job(cast.setup.variant, _pattern(cast, tasks), cast.fabric.allocation),
        slots=cast.slots,
        activity=activity_of(tasks, times),
        seconds=float(np.max(ends[tasks.steps.repetition == 0])),
    )


def _pattern(cast: Cast, tasks: Tasks) -> Communication:
    """Its grid, or who sends how many bytes to whom."""
    if cast.planned.pattern.axes:
        return grid_of(cast.planned.choice, cast.planned.pattern, cast.ranks)
    messages, order = tasks.messages, np.argsort(tasks.messages.source, kind="stable")
    sent = np.bincount(messages.source, minlength=cast.ranks)
    return Graph(
        starts=np.concatenate([[0], np.cumsum(sent)]),
        neighbours=messages.destination[order],
        weights=tasks.calls.size_bytes[messages.call[order]].astype(np.float64),
    )


def link_bytes(graph: TaskGraph, fabric: Fabric) -> Float64:
    """Shape (links,): what passes each link of the network, of parallel ones the busiest.

    Where all links are one medium, what leaves each vertex and comes into it.
    """
    passing = np.repeat(graph.size_bytes, np.diff(graph.route_starts))
    of_all = np.bincount(graph.routes, passing, minlength=len(graph.capacity_bytes_per_s))
    links, lanes = fabric.machine.links, fabric.lanes
    if links.shared:
        ways = of_all[1 : 1 + 2 * vertices_of(fabric.allocation.network)].reshape(2, -1)
        return np.concatenate([ways.T.ravel(), np.zeros(len(lanes) - 1 - ways.size)])
    of_one = of_all[: lanes[-1]] * links.bytes_per_s / fabric.capacities[: lanes[-1]]
    return np.maximum.reduceat(of_one, lanes[:-1])


def activity_of(tasks: Tasks, times: TaskTimes) -> Activity:
    """What each rank does when, by when its tasks begin and end."""
    calls, messages, numbers = tasks.calls, tasks.messages, tasks.numbers
    whose, own = ranks_of(calls), slice(numbers.calls)
    busy = whose, times.begun_s[own], times.ended_s[own]
    receives, works = are(calls, *RECEIVING), are(calls, CallKind.WORK)
    moves = numbers.moves
    leaves = times.begun_s[moves] + tasks.graph.delay_s[moves], times.ended_s[moves]
    latency = tasks.graph.delay_s[numbers.arrival(numbers.ways)]
    comes = leaves[0] + latency, leaves[1] + latency
    ended = np.zeros(calls.ranks)
    ends = numbers.end(np.arange(len(tasks.steps.rank)))
    np.maximum.at(ended, tasks.steps.rank, times.ended_s[ends])
    return Activity(
        sending=spans([_among(busy, ~receives & ~works), (messages.source[numbers.ways], *leaves)]),
        receiving=spans([_among(busy, receives), (messages.destination[numbers.ways], *comes)]),
        computing=spans([_among(busy, works)]),
        ended_s=ended,
    )


_Columns = tuple[Int64, Float64, Float64]


def _among(columns: _Columns, chosen: np.typing.NDArray[np.bool_]) -> _Columns:
    rank, begin, end = columns
    return rank[chosen], begin[chosen], end[chosen]


def spans(parts: Sequence[_Columns]) -> Spans:
    """Ranks, begins and ends of all `parts`; those of one rank that meet are one."""
    rank, begin, end = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((begin, rank))
    order = order[end[order] > begin[order]]
    found: list[tuple[int, float, float]] = []
    for one in zip(rank[order].tolist(), begin[order].tolist(), end[order].tolist(), strict=True):
        if found and found[-1][0] == one[0] and one[1] <= found[-1][2]:
            found[-1] = (one[0], found[-1][1], max(found[-1][2], one[2]))
        else:
            found.append(one)
    table = np.array(found, dtype=np.float64).reshape(-1, 3)
    return Spans(table[:, 0].astype(np.int64), table[:, 1], table[:, 2])
