"""A program on a machine as tasks: what ranks are busy with, bytes under way, steps that end.

A rank's call is a task that keeps it busy, one after the other: what it sends and computes in a
step first, then what it receives. A send's bytes leave when its task has ended, and are there a
latency after the last has left; a receive's task begins when its message is there. A step ends with
its calls and, where messages weren't copied, when these have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leadline.simulate.costs import CallCosts, costs_of
from leadline.simulate.flow import TaskGraph
from leadline.simulate.machine import Compute, Profile
from leadline.simulate.matching import NONE, RankSteps, SentMessages, are, messages_of, steps_of
from leadline.simulate.programs.calls import RankCalls
from leadline.simulate.routes import Fabric, Routes
from leadline.topology.networks import Float64, Int64
from leadline.topology.phases import CallKind

Waits = tuple[Int64, Int64]
"""Tasks, and of each one that must have ended before it begins."""
ONE_SIDED = (CallKind.PUT, CallKind.FLAG, CallKind.ATOMIC)
ANSWERED = (CallKind.GET, CallKind.ATOMIC)


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """Which task is what: those of calls, ends of steps, arrivals, requests, ways of bytes."""

    calls: int
    steps: int
    messages: int
    asking: Int64
    """The messages that have a request."""
    ways: Int64
    """The message of each way of bytes."""

    def end(self, step: Int64) -> Int64:
        """The tasks that are the ends of steps."""
        return self.calls + step

    def arrival(self, message: Int64) -> Int64:
        """The tasks with which messages are there."""
        return self.calls + self.steps + message

    @property
    def requests(self) -> Int64:
        """The tasks that ask receivers, of the messages in `asking`."""
        return self.calls + self.steps + self.messages + np.arange(len(self.asking))

    @property
    def moves(self) -> Int64:
        """The tasks that move bytes, a way of a message each."""
        return (
            self.calls + self.steps + self.messages + len(self.asking) + np.arange(len(self.ways))
        )

    def calls_among(self, tasks: Sequence[int], messages: SentMessages) -> set[int]:
        """The calls that are among `tasks`, and those whose requests or bytes are."""
        sent = np.full(int(self.moves[-1]) + 1 if len(self.ways) else self.calls, NONE)
        sent[: self.calls] = np.arange(self.calls)
        sent[self.requests] = messages.call[self.asking]
        sent[self.moves] = messages.call[self.ways]
        return set(sent[list(tasks)].tolist()) - {NONE}


@dataclass(frozen=True, slots=True)
class Tasks:
    """A program on a machine, ready to be run."""

    graph: TaskGraph
    calls: RankCalls
    steps: RankSteps
    messages: SentMessages
    numbers: TaskNumbers


def tasks_of(
    calls: RankCalls, profile: Profile, compute: Compute, fabric: Fabric, slots: Int64
) -> Tasks:
    """The tasks of `calls`.

    Args:
        calls: Of all ranks.
        profile: What the library costs.
        compute: How fast ranks compute.
        fabric: What messages share.
        slots: Shape (ranks,): where each rank is in the fabric's allocation.
    """
    costs, steps, messages = costs_of(calls, profile, compute), steps_of(calls), messages_of(calls)
    routes = fabric.route(slots[messages.source], slots[messages.destination])
    asking = np.flatnonzero(costs.asks[messages.call])
    numbering = TaskNumbers(
        len(calls.kind), len(steps.rank), len(messages.call), asking, routes.messages
    )
    edges = [
        *_in_turn(calls, steps, numbering),
        *_found(calls, messages, numbering),
        *_moved(steps, messages, routes, numbering),
        *_released(calls, costs, steps, messages, routes, numbering),
        *_in_order(calls, messages, numbering),
    ]
    graph = _graph(calls, costs, messages, routes, numbering, fabric, edges)
    return Tasks(graph, calls, steps, messages, numbering)


# -- what waits for what ---------------------------------------------------------------------------


def _in_turn(calls: RankCalls, steps: RankSteps, numbering: TaskNumbers) -> list[Waits]:
    """The calls of a rank one after the other, and its steps."""
    waits = are(calls, CallKind.RECEIVE, CallKind.WAIT)
    order = np.lexsort((waits, steps.of))
    first = np.diff(steps.of[order], prepend=NONE) != 0
    begun = steps.before[steps.of[order[first]]]
    follows = begun != NONE
    last = np.append(first[1:], True)[: len(order)]
    return [
        (order[1:][~first[1:]], order[:-1][~first[1:]]),
        (order[first][follows], numbering.end(begun[follows])),
        (numbering.end(steps.of[order[last]]), order[last]),
    ]


def _found(calls: RankCalls, messages: SentMessages, numbering: TaskNumbers) -> list[Waits]:
    """Receives and waits begin when their message is there; never, where none is sent."""
    found = np.flatnonzero(messages.finder != NONE)
    waits = np.flatnonzero(are(calls, CallKind.RECEIVE, CallKind.WAIT))
    never = np.setdiff1d(waits, messages.finder[found], assume_unique=True)
    return [(messages.finder[found], numbering.arrival(found)), (never, never)]


def _moved(
    steps: RankSteps, messages: SentMessages, routes: Routes, numbering: TaskNumbers
) -> list[Waits]:
    """Bytes leave after their send, or its request and the receive's begin; then they arrive."""
    requests, moves, asking = numbering.requests, numbering.moves, numbering.asking
    begins = messages.call.copy()
    begins[asking] = requests
    edges = [
        (requests, messages.call[asking]),
        (moves, begins[routes.messages]),
        (numbering.arrival(routes.messages), moves),
    ]
    asked = np.isin(routes.messages, asking)
    finder = messages.finder[routes.messages[asked]]
    never = moves[asked][finder == NONE]
    before = np.where(finder == NONE, NONE, steps.before[steps.of[finder]])
    waits = before != NONE
    return [*edges, (moves[asked][waits], numbering.end(before[waits])), (never, never)]


def _released(
    calls: RankCalls,
    costs: CallCosts,
    steps: RankSteps,
    messages: SentMessages,
    routes: Routes,
    numbering: TaskNumbers,
) -> list[Waits]:
    """Steps end when what they sent has left, but for copies, and what they asked for is there."""
    answered = are(calls, *ANSWERED)[messages.call]
    step = steps.of[messages.call]
    leaves = ~costs.copied[messages.call][routes.messages]
    return [
        (numbering.end(step[routes.messages[leaves]]), numbering.moves[leaves]),
        (numbering.end(step[answered]), numbering.arrival(np.flatnonzero(answered))),
    ]


def _in_order(calls: RankCalls, messages: SentMessages, numbering: TaskNumbers) -> list[Waits]:
    """What a rank puts into another's memory arrives there in its order."""
    puts = np.flatnonzero(are(calls, *ONE_SIDED)[messages.call])
    source, destination = messages.source[puts], messages.destination[puts]
    order = np.lexsort((puts, destination, source))
    same = (np.diff(source[order]) == 0) & (np.diff(destination[order]) == 0)
    arrivals = numbering.arrival(puts[order])
    return [(arrivals[1:][same], arrivals[:-1][same])]


# -- the graph -------------------------------------------------------------------------------------


def _graph(
    calls: RankCalls,
    costs: CallCosts,
    messages: SentMessages,
    routes: Routes,
    numbering: TaskNumbers,
    fabric: Fabric,
    edges: Sequence[Waits],
) -> TaskGraph:
    latency = _latencies(messages, routes)
    before = len(numbering.requests) + numbering.calls + numbering.steps + numbering.messages
    call = messages.call[routes.messages]
    still = np.zeros(before)
    with np.errstate(divide="ignore"):
        most = routes.shares / costs.gap_s_per_byte[call]
    starts, after = _by_task(before + len(numbering.ways), edges)
    return TaskGraph(
        capacity_bytes_per_s=fabric.capacities,
        crowd=fabric.crowd,
        crowded=fabric.crowded,
        delay_s=_delays(calls, costs, messages, routes, numbering, latency),
        size_bytes=np.concatenate([still, routes.shares * calls.size_bytes[call]]),
        most_bytes_per_s=np.concatenate([still + np.inf, most]),
        route_starts=np.concatenate([still.astype(np.int64), routes.starts]),
        routes=routes.resources,
        after_starts=starts,
        after=after,
    )


def _latencies(messages: SentMessages, routes: Routes) -> Float64:
    """Shape (messages,): of the longest of its ways."""
    latency = np.zeros(len(messages.call))
    np.maximum.at(latency, routes.messages, routes.latency_s)
    return latency


def _delays(
    calls: RankCalls,
    costs: CallCosts,
    messages: SentMessages,
    routes: Routes,
    numbering: TaskNumbers,
    latency: Float64,
) -> Float64:
    """Of calls, steps, arrivals, requests and bytes; a get's bytes wait until it has asked."""
    atomic = are(calls, CallKind.ATOMIC)[messages.call]
    first = are(calls, CallKind.GET)[messages.call]
    first[numbering.asking] = True
    return np.concatenate([
        costs.busy_s,
        np.zeros(numbering.steps),
        latency * (1 + atomic),
        latency[numbering.asking],
        (latency * first)[routes.messages],
    ])  # fmt: skip


def _by_task(tasks: int, edges: Sequence[Waits]) -> tuple[Int64, Int64]:
    """Where each task's list begins, shape (tasks + 1,), and the tasks that it comes after."""
    whose, before = (np.concatenate(side) for side in zip(*edges, strict=True))
    starts = np.zeros(tasks + 1, dtype=np.int64)
    np.cumsum(np.bincount(whose, minlength=tasks), out=starts[1:])
    return starts, before[np.argsort(whose, kind="stable")]
