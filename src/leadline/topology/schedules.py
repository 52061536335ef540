"""A trace as a schedule that can be executed: what each rank does, and what waits for what.

Actions begin in the order of the calls. A send and a computation wait until the messages of earlier
phases that were received before their call have arrived; nothing waits for a send to end, so that
exchanges go on whether or not sends wait for their receivers.

The actions of a rank that takes no part in a one-sided operation begin at once: it receives what is
put, and answers gets and atomics, which are requested by REQUEST_BYTES. A rank that waits for a
flag also waits for what was put before it. Each operation has a tag of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from leadline.topology.phases import Call, CallKind, Trace

REQUEST_BYTES = 8
"""Size of the request for a get, and of the answer of an atomic."""
ONE_SIDED = (CallKind.PUT, CallKind.GET, CallKind.FLAG, CallKind.ATOMIC)
ANSWERED = (CallKind.GET, CallKind.ATOMIC)


class ActionKind(StrEnum):
    """What a rank does."""

    SEND = "send"
    RECEIVE = "receive"
    COMPUTE = "compute"


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a rank."""

    kind: ActionKind
    peer: int
    """The other rank; -1 for a computation."""
    amount: int
    """Bytes of a message, or floating-point operations of a computation."""
    tag: int
    ended: tuple[int, ...] = ()
    """Indices of the rank's actions that must have ended before it begins."""
    begun: tuple[int, ...] = ()
    """Indices of those that must have begun."""


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A flag set in a rank's memory: the actions that receive it and what was put before."""

    depth: int
    actions: tuple[int, ...]


@dataclass(slots=True)
class _Rank:
    """One rank's schedule so far."""

    actions: list[Action] = field(default_factory=list)
    last: int | None = None
    """Index of the action of the call before."""
    awaited: list[tuple[int, int]] = field(default_factory=list)
    """Phase and index of each action that sends and computations of later phases wait for."""
    arrivals: defaultdict[int, list[_Arrival]] = field(default_factory=lambda: defaultdict(list))
    """Arrivals not yet waited for, by the rank that sets the flag, in its order."""

    def passive(self, action: Action) -> int:
        """Adds an action that no call of the rank's own makes; returns its index."""
        self.actions.append(action)
        return len(self.actions) - 1

    def active(self, kind: ActionKind, peer: int, amount: int, tag: int, depth: int) -> None:
        """Adds the action of a call."""
        ended: list[int] = []
        if kind is not ActionKind.RECEIVE:
            ended = [index for phase, index in self.awaited if phase < depth]
            self.awaited = [one for one in self.awaited if one[0] >= depth]
        begun = () if self.last is None or self.last in ended else (self.last,)
        self.actions.append(Action(kind, peer, amount, tag, tuple(ended), begun))
        self.last = len(self.actions) - 1
        if kind is not ActionKind.SEND:
            phase = depth if kind is ActionKind.RECEIVE else depth - 1
            self.awaited.append((phase, self.last))

    def wait(self, call: Call) -> None:
        """Awaits the flag that `call` waited for, the first of its phase, and what came before."""
        waiting = self.arrivals[call.peer]
        arrival = next((one for one in waiting if one.depth == call.depth), None)
        if arrival is not None:
            waiting.remove(arrival)
            self.awaited += [(arrival.depth, action) for action in arrival.actions]


def schedule_of(trace: Trace) -> tuple[tuple[Action, ...], ...]:
    """The actions of each rank.

    One-sided operations have a tag each, above those of all other messages.
    """
    two_sided = (CallKind.SEND, CallKind.RECEIVE)
    used = (call.number for calls in trace.calls for call in calls if call.kind in two_sided)
    free = iter(range(max(used, default=-1) + 1, 2**31))
    tags = [
        [next(free) if call.kind in ONE_SIDED else call.number for call in calls]
        for calls in trace.calls
    ]
    ranks = [_Rank() for _ in trace.calls]
    for origin, calls in enumerate(trace.calls):
        _add_passive(ranks, origin, calls, tags[origin])
    for rank, calls, own in zip(ranks, trace.calls, tags, strict=True):
        for call, tag in zip(calls, own, strict=True):
            _add_active(rank, call, tag)
    return tuple(tuple(rank.actions) for rank in ranks)


def _add_passive(
    ranks: Sequence[_Rank], origin: int, calls: Iterable[Call], tags: Iterable[int]
) -> None:
    """Adds what the one-sided operations of `origin` do in other ranks."""
    put: defaultdict[int, list[int]] = defaultdict(list)
    for call, tag in zip(calls, tags, strict=True):
        if call.kind not in ONE_SIDED:
            continue
        target = ranks[call.peer]
        arriving = REQUEST_BYTES if call.kind is CallKind.GET else call.size_bytes
        landed = target.passive(Action(ActionKind.RECEIVE, origin, arriving, tag))
        if call.kind in ANSWERED:
            answer = call.size_bytes if call.kind is CallKind.GET else REQUEST_BYTES
            target.passive(Action(ActionKind.SEND, origin, answer, tag, ended=(landed,)))
        elif call.kind is CallKind.PUT:
            put[call.peer].append(landed)
        else:
            actions = (*put.pop(call.peer, []), landed)
            target.arrivals[origin].append(_Arrival(call.depth, actions))


def _add_active(rank: _Rank, call: Call, tag: int) -> None:
    """Adds the actions of a call in its own rank."""
    match call.kind:
        case CallKind.WAIT:
            rank.wait(call)
        case CallKind.WORK:
            rank.active(ActionKind.COMPUTE, -1, call.number, 0, call.depth)
        case CallKind.RECEIVE:
            rank.active(ActionKind.RECEIVE, call.peer, call.size_bytes, tag, call.depth)
        case CallKind.GET:
            rank.active(ActionKind.SEND, call.peer, REQUEST_BYTES, tag, call.depth)
            rank.active(ActionKind.RECEIVE, call.peer, call.size_bytes, tag, call.depth)
        case _:
            rank.active(ActionKind.SEND, call.peer, call.size_bytes, tag, call.depth)
            if call.kind is CallKind.ATOMIC:
                rank.active(ActionKind.RECEIVE, call.peer, REQUEST_BYTES, tag, call.depth)
