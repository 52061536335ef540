"""A program on a machine as tasks: what ranks are busy with, bytes under way, steps that end.

A rank's call is a task that keeps it busy, one after the other: what it sends and computes in a
step first, then what it receives. A send's bytes leave when its task has ended and those of the
message before it, to the same rank, have left, and are there a latency after the last has left; a
receive's task begins when its message is there. A step ends with its calls and, where messages
weren't copied, when these have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leadline.patterns.programs.calls import RankCalls
from leadline.simulate.costs import CallCosts, costs_of, limits_of
from leadline.simulate.flow import TaskGraph
from leadline.simulate.machine import Compute, Profile
from leadline.simulate.matching import (
    NONE,
    CallFlags,
    RankSteps,
    SentMessages,
    are,
    followed,
    messages_of,
    steps_of,
)
from leadline.simulate.routes import Fabric, Routes
from leadline.topology.networks import Float64, Int64
from leadline.topology.phases import CallKind

Waits = tuple[Int64, Int64]
"""Tasks, and for each one a task that must have ended before it begins."""
ANSWERED = (CallKind.GET, CallKind.ATOMIC)


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """The order of tasks: calls, ends of steps, arrivals, requests, answers, ways of bytes."""

    calls: int
    steps: int
    messages: int
    asking: Int64
    """The messages that have a request, which is answered before they move."""
    ways: Int64
    """The message of each way of bytes."""

    def end(self, step: Int64) -> Int64:
        """The tasks that are the ends of steps."""
        return self.calls + step

    def arrival(self, message: Int64) -> Int64:
        """The tasks that end when messages arrive."""
        return self.calls + self.steps + message

    @property
    def requests(self) -> Int64:
        """The tasks that request to send the messages in `asking`, or request their bytes."""
        return self.calls + self.steps + self.messages + np.arange(len(self.asking))

    @property
    def answers(self) -> Int64:
        """The tasks that answer the requests; the bytes are ready when they have ended."""
        return self.requests + len(self.asking)

    @property
    def moves(self) -> Int64:
        """The tasks that move bytes, one for each way of a message."""
        before = self.calls + self.steps + self.messages + 2 * len(self.asking)
        return before + np.arange(len(self.ways))

    def calls_among(self, tasks: Sequence[int], messages: SentMessages) -> set[int]:
        """The calls among `tasks`, and those whose requests, answers or bytes are among them."""
        sent = np.full(int(self.moves[-1]) + 1 if len(self.ways) else self.calls, NONE)
        sent[: self.calls] = np.arange(self.calls)
        sent[self.requests] = sent[self.answers] = messages.call[self.asking]
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
    shared: int
    """Number of the graph's first resources, which are the machine's; others are the ranks'."""


def tasks_of(
    calls: RankCalls, profile: Profile, compute: Compute, fabric: Fabric, slots: Int64
) -> Tasks:
    """The tasks of `calls`.

    Args:
        calls: The calls of all ranks.
        profile: The costs of the library.
        compute: How fast ranks compute.
        fabric: The resources that messages share.
        slots: Shape (ranks,): the slot of each rank in the fabric's allocation.
    """
    costs, steps, messages = costs_of(calls, profile, compute), steps_of(calls), messages_of(calls)
    limits = limits_of(costs.gap_s_per_byte[messages.call], calls.ranks, len(fabric.capacities))
    routes = fabric.route(slots[messages.source], slots[messages.destination])
    routes = limits.passed(routes, messages)
    asks = costs.asks[messages.call]
    asking = np.flatnonzero(asks | are(calls, CallKind.GET)[messages.call])
    numbering = TaskNumbers(
        len(calls.kind), len(steps.rank), len(messages.call), asking, routes.messages
    )
    edges = [
        *_in_turn(calls, steps, numbering),
        *_received(calls, messages, numbering),
        *_moved(steps, messages, asks, numbering),
        *_released(calls, costs, steps, messages, numbering),
        *_in_order(followed(calls, steps, messages, asks), numbering),
    ]
    delay_s = _delays(calls, costs, messages, routes, numbering)
    size_bytes = routes.shares * calls.size_bytes[messages.call[numbering.ways]]
    still = np.zeros(len(delay_s) - len(size_bytes))  # tasks that move nothing
    after, before = (np.concatenate(side) for side in zip(*edges, strict=True))
    after_starts = np.zeros(len(delay_s) + 1, dtype=np.int64)
    np.cumsum(np.bincount(after, minlength=len(delay_s)), out=after_starts[1:])
    resources = fabric.beside(limits.capacities)
    graph = TaskGraph(
        capacity_bytes_per_s=resources.capacities,
        crowd=resources.crowd,
        crowded=resources.crowded,
        delay_s=delay_s,
        size_bytes=np.concatenate([still, size_bytes]),
        most_bytes_per_s=np.full(len(delay_s), np.inf),
        route_starts=np.concatenate([still.astype(np.int64), routes.starts]),
        routes=routes.resources,
        after_starts=after_starts,
        after=before[np.argsort(after, kind="stable")],
    )
    return Tasks(graph, calls, steps, messages, numbering, limits.first)


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


def _received(calls: RankCalls, messages: SentMessages, numbering: TaskNumbers) -> list[Waits]:
    """Receives and waits begin when their message has arrived; never, where none is sent."""
    found = np.flatnonzero(messages.finder != NONE)
    waits = np.flatnonzero(are(calls, CallKind.RECEIVE, CallKind.WAIT))
    never = np.setdiff1d(waits, messages.finder[found], assume_unique=True)
    return [(messages.finder[found], numbering.arrival(found)), (never, never)]


def _moved(
    steps: RankSteps, messages: SentMessages, asks: CallFlags, numbering: TaskNumbers
) -> list[Waits]:
    """Bytes leave after their send, or the answer to its request; then they arrive.

    A send's request is answered when the step of its receive has begun.
    """
    ways, asking, answers = numbering.ways, numbering.asking, numbering.answers
    begins = messages.call.copy()
    begins[asking] = answers
    finder = messages.finder[asking]
    unfound = asks[asking] & (finder == NONE)
    before = np.where(asks[asking] & ~unfound, steps.before[steps.of[finder]], NONE)
    waits = before != NONE
    return [
        (numbering.requests, messages.call[asking]),
        (answers, numbering.requests),
        (answers[waits], numbering.end(before[waits])),
        (answers[unfound], answers[unfound]),
        (numbering.moves, begins[ways]),
        (numbering.arrival(ways), numbering.moves),
    ]


def _released(
    calls: RankCalls,
    costs: CallCosts,
    steps: RankSteps,
    messages: SentMessages,
    numbering: TaskNumbers,
) -> list[Waits]:
    """Steps end when what they sent has left, unless it was copied, and what they got is there."""
    answered = are(calls, *ANSWERED)[messages.call]
    step, ways = steps.of[messages.call], numbering.ways
    leaves = ~costs.copied[messages.call][ways]
    return [
        (numbering.end(step[ways[leaves]]), numbering.moves[leaves]),
        (numbering.end(step[answered]), numbering.arrival(np.flatnonzero(answered))),
    ]


def _in_order(before: Int64, numbering: TaskNumbers) -> list[Waits]:
    """Bytes leave after those of the message before, way by way: both have the same ways."""
    ways, moves = numbering.ways, numbering.moves
    first = np.searchsorted(ways, np.arange(numbering.messages))
    follows = before[ways] != NONE
    nth = np.arange(len(ways)) - first[ways]
    return [(moves[follows], moves[(first[before[ways]] + nth)[follows]])]


def _delays(
    calls: RankCalls,
    costs: CallCosts,
    messages: SentMessages,
    routes: Routes,
    numbering: TaskNumbers,
) -> Float64:
    """Shape (tasks,): the delays of calls, steps, arrivals, requests, answers and bytes, s.

    A get's request is answered by its bytes; an atomic's answer is part of its arrival.
    """
    latency = np.zeros(len(messages.call))  # of the longest of a message's ways
    np.maximum.at(latency, routes.messages, routes.latency_s)
    asking = messages.call[numbering.asking]
    return np.concatenate([
        costs.busy_s,
        np.zeros(numbering.steps),
        latency * (1 + are(calls, CallKind.ATOMIC)[messages.call]),
        latency[numbering.asking],
        latency[numbering.asking] * ~are(calls, CallKind.GET)[asking],
        np.zeros(len(numbering.ways)),
    ])  # fmt: skip
