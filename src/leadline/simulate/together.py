"""Jobs on one machine at once: what each takes while the others go on, again and again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from leadline.simulate.deadlock import ended_s
from leadline.simulate.flow import TaskGraph, Watcher, flow, unwatched
from leadline.simulate.tasks import Tasks
from leadline.topology.networks import Float64, Int64

Number = TypeVar("Number", bound=np.generic)
AMPLE = 1.25
"""By how much more than reckoned others are repeated."""


def ended_beside(
    own: Tasks,
    others: Sequence[Callable[[int], Tasks]],
    what: str,
    watch: Watcher = unwatched,
) -> Float64:
    """When each task of `own` ends, s from the common start, while others go on for as long.

    Args:
        own: Of the job whose time is asked for.
        others: For each other job what makes its tasks, by how often it is repeated.
        what: The own job, for an error.
        watch: Told how far each run is: first alone, then with the others.

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
        graph = merged([one.graph for one in tasks], own.shared)
        of_all = flow(graph, watch).ended_s
        ended, *rest = np.split(of_all, np.cumsum([len(one.graph.delay_s) for one in tasks[:-1]]))
        lasted = [float(np.max(one, initial=0.0)) or math.inf for one in rest]
    return ended


def merged(graphs: Sequence[TaskGraph], shared: int) -> TaskGraph:
    """All tasks of `graphs`, one graph after the other.

    Args:
        graphs: On one machine.
        shared: So many of their resources, the first, are the same ones; others are each graph's.
    """
    tasks = _before([len(one.delay_s) for one in graphs])
    own = _before([len(one.capacity_bytes_per_s) - shared for one in graphs])
    crowd = [one.crowd for one in graphs if one.crowd is not None]
    crowded = [one.crowded for one in graphs if one.crowded is not None]
    return TaskGraph(
        capacity_bytes_per_s=_joined([one.capacity_bytes_per_s for one in graphs], shared),
        crowd=_joined(crowd, shared) if crowd else None,
        crowded=_joined(crowded, shared) if crowded else None,
        delay_s=np.concatenate([one.delay_s for one in graphs]),
        size_bytes=np.concatenate([one.size_bytes for one in graphs]),
        most_bytes_per_s=np.concatenate([one.most_bytes_per_s for one in graphs]),
        route_starts=_starts([np.diff(one.route_starts) for one in graphs]),
        routes=np.concatenate([
            one.routes + at * (one.routes >= shared) for one, at in zip(graphs, own, strict=True)
        ]),
        after_starts=_starts([np.diff(one.after_starts) for one in graphs]),
        after=np.concatenate([one.after + at for one, at in zip(graphs, tasks, strict=True)]),
    )  # fmt: skip


def _before(counts: list[int]) -> Int64:
    """How many there are before those of each."""
    return np.cumsum([0, *counts[:-1]])


def _joined(arrays: Sequence[npt.NDArray[Number]], shared: int) -> npt.NDArray[Number]:
    """What all share, then each one's own."""
    return np.concatenate([arrays[0][:shared], *(one[shared:] for one in arrays)])


def _starts(lengths: Sequence[Int64]) -> Int64:
    return np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
