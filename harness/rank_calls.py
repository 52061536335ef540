"""Calls of generated programs, rank by rank, and whether ranks that make them ever stop."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby

from leadline.patterns.programs.calls import KINDS, RankCalls
from leadline.topology.phases import Call, CallKind

Message = tuple[int, int, int]
"""Source, destination and tag."""
FOUND = (CallKind.RECEIVE, CallKind.WAIT)


def by_rank(calls: RankCalls) -> list[list[Call]]:
    """The calls of each rank, as a trace has them, their phases untold."""
    return [[_call(calls, i) for i in _indices(calls, rank)] for rank in range(calls.ranks)]


def _indices(calls: RankCalls, rank: int) -> range:
    return range(*calls.of(rank).indices(len(calls.kind)))


def _call(calls: RankCalls, i: int) -> Call:
    kind, operation = KINDS[calls.kind[i]], calls.operations[calls.operation[i]]
    numbers = int(calls.peer[i]), int(calls.size_bytes[i]), int(calls.number[i])
    return Call(kind, *numbers, 0, operation)


def stuck(calls: RankCalls) -> list[int]:
    """The ranks that never end where every send waits until its receive has begun."""
    begun: dict[CallKind, Counter[Message]] = defaultdict(Counter)
    told = by_rank(calls)
    steps = [
        _steps(calls.step[calls.of(rank)].tolist(), told[rank], rank, begun)
        for rank in range(calls.ranks)
    ]
    running = set(range(calls.ranks))
    moved = True
    while moved:
        moved = False
        for rank in sorted(running):
            progress = next(steps[rank], None)
            moved |= progress is not False
            running -= {rank} if progress is None else set()
    return sorted(running)


def _steps(
    numbers: list[int], calls: list[Call], rank: int, begun: dict[CallKind, Counter[Message]]
) -> Iterator[bool]:
    """Whether the rank has gone on to its next step, again and again until it has ended."""
    for _, together in groupby(zip(numbers, calls, strict=True), key=lambda one: one[0]):
        awaited = [_begin(call, rank, begun) for _, call in together]
        while any(begun[kind][message] < count for kind, message, count in awaited):
            yield False
        yield True


def _begin(
    call: Call, rank: int, begun: dict[CallKind, Counter[Message]]
) -> tuple[CallKind, Message, int]:
    """Begins a call; returns how many calls of its peers must have begun for it to end."""
    peers = {
        CallKind.SEND: CallKind.RECEIVE, CallKind.RECEIVE: CallKind.SEND,
        CallKind.WAIT: CallKind.FLAG,
    }  # fmt: skip
    ends = (call.peer, rank) if call.kind in FOUND else (rank, call.peer)
    message = (*ends, 0 if call.kind is CallKind.WORK else call.number)
    begun[call.kind][message] += 1
    awaited = peers.get(call.kind, call.kind)
    return awaited, message, begun[call.kind][message]
