"""One repetition of a pattern on a machine: what passes each link, and what each rank does when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leadline.errors import UsageError
from leadline.measure.cells import PlannedCell
from leadline.measure.described import DescribedCells
from leadline.measure.grids import grid_of
from leadline.simulate.campaign import BARRIER, DEFAULT, Cast, Setup, cast_of
from leadline.simulate.flow import TaskGraph, TaskTimes, flow
from leadline.simulate.matching import are, ranks_of
from leadline.simulate.routes import Fabric
from leadline.simulate.tasks import Tasks
from leadline.topology.communication import Communication, Graph
from leadline.topology.job import Job
from leadline.topology.networks import Float64, Int64
from leadline.topology.phases import CallKind

MOST_ROWS = 64
"""Of ranks in a picture."""
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

    rank: int
    sending: tuple[tuple[float, float], ...]
    receiving: tuple[tuple[float, float], ...]
    computing: tuple[tuple[float, float], ...]
    ended_s: float


@dataclass(frozen=True, slots=True)
class ReplayedPattern:
    """One repetition, by ranks that are laid in one way."""

    setup: Setup
    planned: PlannedCell
    job: Job
    slots: Int64
    """Shape (ranks,): where each rank is in the job's allocation."""
    link_bytes: Float64
    """Shape (links,): what passes each, as mapping.link_loads numbers them."""
    activity: Activity

    @property
    def busiest_bytes(self) -> float:
        """What passes the busiest link."""
        return float(np.max(self.link_bytes, initial=0.0))

    @property
    def seconds(self) -> float:
        """Until the last rank has ended."""
        return float(np.max(self.activity.ended_s))

    def rows(self) -> tuple[RankRow, ...]:
        """What ranks do; of more than MOST_ROWS so many, evenly apart."""
        count = len(self.slots)
        shown = np.unique(np.linspace(0, count - 1, min(count, MOST_ROWS)).astype(np.int64))
        return tuple(_row(self.activity, rank) for rank in shown.tolist())


def _row(activity: Activity, rank: int) -> RankRow:
    return RankRow(
        rank,
        activity.sending.of(rank),
        activity.receiving.of(rank),
        activity.computing.of(rank),
        float(activity.ended_s[rank]),
    )


def replays(setup: Setup, cells: DescribedCells) -> list[ReplayedPattern]:
    """The first pattern on most ranks at its largest size: in order, then mapped if it can be.

    Raises:
        UsageError: A mapping doesn't fit, or a barrier of the hardware has no messages.
        MachineError: The memory doesn't suffice, or there is no C compiler.
    """
    first = next(iter(cells.by_ranks.values()))[0].choice.label
    ranks = max(n for n, of in cells.by_ranks.items() if any(_is(one, first) for one in of))
    sized = [one for one in cells.by_ranks[ranks] if _is(one, first)]
    planned = max(sized, key=lambda one: one.cell.size_bytes)
    if planned.choice.name == BARRIER and setup.profile.barrier is not None:
        raise UsageError(
            f"--plot: {setup.machine.name} has a barrier of its own, which sends no messages; "
            "name another pattern first"
        )
    mapped = setup.mapping != DEFAULT and bool(planned.pattern.axes)
    setups = [replace(setup, mapping=DEFAULT), *[setup] * mapped]
    return [_replay(cast_of(one, planned, ranks)) for one in setups]


def _is(planned: PlannedCell, label: str) -> bool:
    return planned.choice.label == label


def _replay(cast: Cast) -> ReplayedPattern:
    tasks = cast.tasks(1)
    return ReplayedPattern(
        setup=cast.setup,
        planned=cast.planned,
        job=Job(cast.setup.variant, _pattern(cast, tasks), cast.fabric.allocation),
        slots=cast.slots,
        link_bytes=link_bytes(tasks.graph, cast.fabric),
        activity=activity_of(tasks, flow(tasks.graph)),
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
    """Shape (links,): what passes each link of the network, parallel ones together.

    Where all links are one medium, what passes that.
    """
    passing = np.repeat(graph.size_bytes, np.diff(graph.route_starts))
    of_all = np.bincount(graph.routes, passing, minlength=len(graph.capacity_bytes_per_s))
    if fabric.machine.links.shared:
        return np.full(len(fabric.lanes) - 1, of_all[0])
    return np.add.reduceat(of_all[: fabric.lanes[-1]], fabric.lanes[:-1])


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
