"""One repetition of a pattern on a machine: what passes each link, and what each rank does when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.errors import UsageError
from leadline.mapping.scenes import evenly, medium_load
from leadline.measure.cells import PlannedCell
from leadline.measure.grids import grid_of
from leadline.measure.tracing import DescribedCells
from leadline.simulate.campaign import (
    BARRIER,
    DEFAULT,
    PlacedPattern,
    Setup,
    SimulatedJob,
    placed_pattern,
)
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
"""Most ranks in a picture."""
LEAST_S = 1e-12
"""Shorter jobs count as this long when their repetitions are computed."""
RECEIVING = (CallKind.RECEIVE, CallKind.WAIT)


@dataclass(frozen=True, slots=True)
class Spans:
    """Spans of time in which ranks do something, shape (spans,).

    Those of one rank are disjoint, and in their order.
    """

    rank: Int64
    begin_s: Float64
    end_s: Float64

    def of(self, rank: int) -> tuple[tuple[float, float], ...]:
        """Begins and ends of the spans of one rank, s."""
        own = slice(*np.searchsorted(self.rank, [rank, rank + 1]))
        return tuple(zip(self.begin_s[own].tolist(), self.end_s[own].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Activity:
    """What ranks do from a common start; at other times they wait, or have ended."""

    sending: Spans
    """Busy with a send, or its bytes leave."""
    receiving: Spans
    """Bytes come in, or the rank is busy with their receive."""
    computing: Spans
    ended_s: Float64
    """Shape (ranks,): when each ended its last call; 0 where it has none."""


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
    """A pattern's ranks on their slots, and what they do."""

    name: str
    """"": it is the only job."""
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
    """Shape (links,): bytes that pass each link, numbered as by mapping.link_loads."""

    @property
    def machine(self) -> MachineModel:
        """The machine that it runs on."""
        return self.jobs[0].setup.machine

    @property
    def busiest_bytes(self) -> float:
        """Bytes that pass the busiest link, or the one medium."""
        network = self.jobs[0].job.allocation.network
        if self.machine.links.shared and isinstance(network, Tree):
            return medium_load(network, self.link_bytes)
        return float(np.max(self.link_bytes, initial=0.0))

    @property
    def ended_s(self) -> float:
        """When the last rank of all jobs has ended, s."""
        return max(float(np.max(job.activity.ended_s)) for job in self.jobs)

    def rows(self) -> tuple[RankRow, ...]:
        """What ranks do; of more than MOST_ROWS ranks so many, evenly apart."""
        ranks = [(job, rank) for job in self.jobs for rank in range(len(job.slots))]
        shown = evenly(np.arange(len(ranks)), MOST_ROWS)
        return tuple(
            RankRow(
                job=job.name,
                rank=rank,
                sending=job.activity.sending.of(rank),
                receiving=job.activity.receiving.of(rank),
                computing=job.activity.computing.of(rank),
                ended_s=float(job.activity.ended_s[rank]),
            )
            for job, rank in (ranks[at] for at in shown.tolist())
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
    return [_together([("", placed_pattern(one, planned, ranks))]) for one in setups]


def replayed_jobs(jobs: Sequence[SimulatedJob]) -> list[Replayed]:
    """Each job alone, at its largest size, then all together, the shorter ones again and again.

    Args:
        jobs: On slots of one machine that no two of them share.

    Raises:
        UsageError, MachineError: As for `replays`.
    """
    for job in jobs:
        check_replayable(job.setup, job.cells)
    placed = [(job.name, placed_pattern(job.setup, *_first(job.cells))) for job in jobs]
    return [*(_together([one]) for one in placed), *[_together(placed)] * (len(placed) > 1)]


def _first(cells: DescribedCells) -> tuple[PlannedCell, int]:
    """The first pattern's largest cell on most ranks, and the number of these."""
    first = next(iter(cells.by_ranks.values()))[0].choice.label
    own = [
        (cell, ranks)
        for ranks, of_ranks in cells.by_ranks.items()
        for cell in of_ranks
        if cell.choice.label == first
    ]
    return max(own, key=lambda one: (one[1], one[0].cell.size_bytes))


def check_replayable(setup: Setup, cells: DescribedCells) -> None:
    """UsageError where what `replays` shows has no messages: a barrier of the hardware."""
    planned, _ = _first(cells)
    if planned.choice.name == BARRIER and setup.profile.barrier is not None:
        raise UsageError(
            f"--plot: {setup.machine.name} has a barrier of its own, which sends no messages; "
            "name another pattern first"
        )


def _together(jobs: Sequence[tuple[str, PlacedPattern]]) -> Replayed:
    """All jobs from a common start, each repeated until the longest has ended once."""
    times = [1]
    if len(jobs) > 1:
        alone = [float(np.max(flow(pattern.tasks(1).graph).ended_s)) for _, pattern in jobs]
        times = [max(1, round(max(alone) / max(one, LEAST_S))) for one in alone]
    tasks = [pattern.tasks(count) for (_, pattern), count in zip(jobs, times, strict=True)]
    graph = merged([task.graph for task in tasks], tasks[0].shared)
    of_all = flow(graph)
    ends = np.cumsum([len(task.graph.delay_s) for task in tasks])[:-1]
    begun, ended = np.split(of_all.begun_s, ends), np.split(of_all.ended_s, ends)
    parts = [TaskTimes(*each) for each in zip(begun, ended, strict=True)]
    replayed = [
        _replayed(name, placed, own, each)
        for (name, placed), own, each in zip(jobs, tasks, parts, strict=True)
    ]
    return Replayed(tuple(replayed), link_bytes(graph, jobs[0][1].fabric))


def _replayed(name: str, placed: PlacedPattern, tasks: Tasks, times: TaskTimes) -> ReplayedJob:
    ends = times.ended_s[tasks.numbers.end(np.arange(len(tasks.steps.rank)))]
    pattern: Communication
    if placed.planned.pattern.axes:
        pattern = grid_of(placed.planned.choice, placed.planned.pattern, placed.ranks)
    else:  # who sends how many bytes to whom
        messages, order = tasks.messages, np.argsort(tasks.messages.source, kind="stable")
        sent = np.bincount(messages.source, minlength=placed.ranks)
        pattern = Graph(
            starts=np.concatenate([[0], np.cumsum(sent)]),
            neighbours=messages.destination[order],
            weights=tasks.calls.size_bytes[messages.call[order]].astype(np.float64),
        )
    return ReplayedJob(
        name=name,
        setup=placed.setup,
        planned=placed.planned,
        job=Job(placed.setup.variant, pattern, placed.fabric.allocation),
        slots=placed.slots,
        activity=activity_of(tasks, times),
        seconds=float(np.max(ends[tasks.steps.repetition == 0])),
    )


def link_bytes(graph: TaskGraph, fabric: Fabric) -> Float64:
    """Shape (links,): bytes that pass each link of the network, of parallel ones the busiest.

    Where all links are one medium, the bytes that leave each vertex and enter it.
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
    """The spans of all `parts`; those of one rank that meet or overlap become one.

    Args:
        parts: The rank, begin and end, s, of each span, shape (spans,).
    """
    rank, begin, end = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((begin, rank))
    order = order[end[order] > begin[order]]
    joined: list[tuple[int, float, float]] = []
    for one in zip(rank[order].tolist(), begin[order].tolist(), end[order].tolist(), strict=True):
        if joined and joined[-1][0] == one[0] and one[1] <= joined[-1][2]:
            joined[-1] = (one[0], joined[-1][1], max(joined[-1][2], one[2]))
        else:
            joined.append(one)
    table = np.array(joined, dtype=np.float64).reshape(-1, 3)
    return Spans(table[:, 0].astype(np.int64), table[:, 1], table[:, 2])
