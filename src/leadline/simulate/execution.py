"""Programs run to their end: alone, or beside other jobs; a deadlock is explained.

Other jobs on the machine are repeated again and again for as long as the one that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from leadline.errors import UsageError
from leadline.patterns.programs.calls import KINDS
from leadline.simulate.flow import CircleError, TaskGraph, Watcher, flow, unwatched
from leadline.simulate.matching import NONE, ranks_of
from leadline.simulate.tasks import Tasks
from leadline.topology.networks import Float64, Int64
from leadline.topology.phases import CallKind
from leadline.units import format_size

WAITING = (CallKind.RECEIVE, CallKind.WAIT)
MOST_NAMED = 4
"""Most ranks of a deadlock that an error names."""
Number = TypeVar("Number", bound=np.generic)
AMPLE = 1.25
"""Factor by which other jobs are repeated more often than computed."""


def ended_s(tasks: Tasks, what: str, watch: Watcher = unwatched) -> Float64:
    """Shape (tasks,): when each task ends, s from the common start.

    Args:
        tasks: The program's.
        what: The program, for an error.
        watch: Called with the share of tasks that have ended.

    Raises:
        UsageError: A deadlock; the ranks that wait for each other are named with their calls.
        MachineError: The memory doesn't suffice, or there is no C compiler.
    """
    try:
        return flow(tasks.graph, watch).ended_s
    except CircleError as circle:
        raise UsageError(f"{what} ends in a deadlock: {_deadlock(tasks, circle.tasks)}") from None


def ended_beside(
    own: Tasks,
    others: Sequence[Callable[[int], Tasks]],
    what: str,
    watch: Watcher = unwatched,
) -> Float64:
    """Shape (tasks,): when each task of `own` ends, s, while other jobs go on for as long.

    Args:
        own: Tasks of the job whose time is asked for.
        others: For each other job a function of how often it is repeated, which makes its tasks.
        what: The own job, for an error.
        watch: Called with the share of tasks that have ended in each run: first alone, then with
            the others.

    Raises:
        UsageError: A deadlock, or another job would have to be repeated too often.
        MachineError: The memory doesn't suffice, or there is no C compiler.
    """
    ended = ended_s(own, what, watch)
    repetitions, lasted = [0] * len(others), [0.0] * len(others)
    while short := [i for i, until in enumerate(lasted) if until < np.max(ended)]:
        for i in short:
            longer = np.max(ended) / lasted[i] if lasted[i] else 1.0
            repetitions[i] = 1 + math.ceil(AMPLE * longer * repetitions[i])
        tasks = [own, *(make(times) for make, times in zip(others, repetitions, strict=True))]
        graph = merged([task.graph for task in tasks], own.shared)
        of_all = flow(graph, watch).ended_s
        ended, *rest = np.split(of_all, np.cumsum([len(task.graph.delay_s) for task in tasks[:-1]]))
        lasted = [float(np.max(one, initial=0.0)) or math.inf for one in rest]
    return ended


# -- several programs as one graph -----------------------------------------------------------------


def merged(graphs: Sequence[TaskGraph], shared: int) -> TaskGraph:
    """All tasks of `graphs`, one graph after the other.

    Args:
        graphs: On one machine.
        shared: So many of their resources, the first, are the same ones; others are each graph's.
    """
    tasks = _before([len(graph.delay_s) for graph in graphs])
    own = _before([len(graph.capacity_bytes_per_s) - shared for graph in graphs])
    crowd = [graph.crowd for graph in graphs if graph.crowd is not None]
    crowded = [graph.crowded for graph in graphs if graph.crowded is not None]
    return TaskGraph(
        capacity_bytes_per_s=_joined([graph.capacity_bytes_per_s for graph in graphs], shared),
        crowd=_joined(crowd, shared) if crowd else None,
        crowded=_joined(crowded, shared) if crowded else None,
        delay_s=np.concatenate([graph.delay_s for graph in graphs]),
        size_bytes=np.concatenate([graph.size_bytes for graph in graphs]),
        most_bytes_per_s=np.concatenate([graph.most_bytes_per_s for graph in graphs]),
        route_starts=_starts([np.diff(graph.route_starts) for graph in graphs]),
        routes=np.concatenate([
            graph.routes + at * (graph.routes >= shared)
            for graph, at in zip(graphs, own, strict=True)
        ]),
        after_starts=_starts([np.diff(graph.after_starts) for graph in graphs]),
        after=np.concatenate([graph.after + at for graph, at in zip(graphs, tasks, strict=True)]),
    )  # fmt: skip


def _before(counts: list[int]) -> Int64:
    """The number of items of all graphs before each, shape (graphs,)."""
    return np.cumsum([0, *counts[:-1]])


def _joined(arrays: Sequence[npt.NDArray[Number]], shared: int) -> npt.NDArray[Number]:
    """The values of the shared resources, then those of each graph's own."""
    return np.concatenate([arrays[0][:shared], *(array[shared:] for array in arrays)])


def _starts(lengths: Sequence[Int64]) -> Int64:
    return np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)


# -- deadlocks -------------------------------------------------------------------------------------


def _deadlock(tasks: Tasks, circle: tuple[int, ...]) -> str:
    """Which ranks wait in which calls, and what to do."""
    ranks, waiting = ranks_of(tasks.calls), dict[int, int]()
    for call in sorted(tasks.numbers.calls_among(circle, tasks.messages), reverse=True):
        waiting[int(ranks[call])] = call
    named = [_waits(tasks, rank, waiting[rank]) for rank in sorted(waiting)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    if any(_is_alone(tasks, call) for call in waiting.values()):
        remedy = "each message needs a send and a receive with the same ranks and tag"
    elif all(KINDS[tasks.calls.kind[call]] in WAITING for call in waiting.values()):
        remedy = "let one of them send first"
    else:
        remedy = (
            "let one of them receive first, or take a library whose sends don't wait for receives"
        )
    return f"{'; '.join(named[:MOST_NAMED])}{more}; {remedy}"


def _waits(tasks: Tasks, rank: int, call: int) -> str:
    """E.g. "rank 0 waits to send 1 MiB to rank 1 (tag 5)"."""
    calls = tasks.calls
    kind, size = KINDS[calls.kind[call]], format_size(int(calls.size_bytes[call]))
    peer, tag = int(calls.peer[call]), int(calls.number[call])
    if kind is CallKind.WAIT:
        waits, done = f"for a flag of rank {peer}", "set"
    elif kind is CallKind.RECEIVE:
        waits, done = f"to receive {size} from rank {peer} (tag {tag})", "sent"
    else:
        waits, done = f"to {kind} {size} to rank {peer} (tag {tag})", "received"
    return f"rank {rank} waits {waits}" + f", which is never {done}" * _is_alone(tasks, call)


def _is_alone(tasks: Tasks, call: int) -> bool:
    """Whether it is a receive or wait without its message, or a message that nobody receives."""
    if KINDS[tasks.calls.kind[call]] in WAITING:
        return call not in tasks.messages.finder
    finders = tasks.messages.finder[tasks.messages.call == call]
    return KINDS[tasks.calls.kind[call]] is CallKind.SEND and bool((finders == NONE).all())
