"""Who sends what to whom, one phase after the other, from the calls of all ranks.

A message's phase is the length of the longest chain of messages, each received before the next was
sent, that ends in it: 0 for one that waits for none. Each rank keeps count of it while it runs, so
that it depends only on what waits for what, never on time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class CallKind(StrEnum):
    """What a rank did."""

    SEND = "send"
    RECEIVE = "receive"
    PUT = "put"
    GET = "get"
    FLAG = "flag"
    """Set a flag in the memory of another rank."""
    ATOMIC = "atomic"
    WAIT = "wait"
    """Waited for a flag in its own memory."""
    WORK = "work"
    """Computed between two calls."""


MESSAGES = (CallKind.SEND, CallKind.PUT, CallKind.GET, CallKind.FLAG, CallKind.ATOMIC)
"""Calls that send something; with a get the peer sends."""
SHOWN = (*MESSAGES, CallKind.WORK)
"""Calls that phases consist of."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one rank, or its work between two calls."""

    kind: CallKind
    peer: int
    """The other rank; for a wait the one that set the flag last; below 0: none."""
    size_bytes: int
    """Bytes of the message; for work the bytes that it read and wrote."""
    number: int
    """The tag of a message; for work its floating-point operations."""
    depth: int
    """The phase of the message that is sent or received; for work that of a message sent now."""
    operation: str
    """The collective that the call is part of and its algorithm, "bcast: binomial"; "": none."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message."""

    source: int
    destination: int
    size_bytes: int
    kind: CallKind
    tag: int
    operation: str


@dataclass(frozen=True, slots=True)
class Work:
    """What one rank computes in one phase."""

    rank: int
    flop: int
    size_bytes: int
    """Bytes read and written."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Messages and work that may be under way together."""

    deliveries: tuple[Delivery, ...]
    """By source; those of one source in their order."""
    work: tuple[Work, ...]
    """By rank that computes; after what it received in the phases before."""

    @property
    def size_bytes(self) -> int:
        """Bytes of all messages."""
        return sum(delivery.size_bytes for delivery in self.deliveries)

    @property
    def flop(self) -> int:
        """Floating-point operations of all ranks."""
        return sum(work.flop for work in self.work)

    @property
    def worked_bytes(self) -> int:
        """Bytes that all ranks read and wrote while they computed."""
        return sum(work.size_bytes for work in self.work)

    @property
    def sent(self) -> Counter[int]:
        """Bytes by the rank that sends them."""
        return _sums((delivery.source, delivery.size_bytes) for delivery in self.deliveries)

    @property
    def received(self) -> Counter[int]:
        """Bytes by the rank that receives them."""
        return _sums((delivery.destination, delivery.size_bytes) for delivery in self.deliveries)


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls and phases of a pattern."""

    calls: tuple[tuple[Call, ...], ...]
    """The calls of each rank, in their order."""
    phases: tuple[Phase, ...]

    @property
    def whole(self) -> Phase:
        """All phases as one, their contents one after the other."""
        return Phase(
            tuple(delivery for phase in self.phases for delivery in phase.deliveries),
            tuple(work for phase in self.phases for work in phase.work),
        )

    @property
    def messages(self) -> int:
        """The number of messages in all phases."""
        return sum(len(phase.deliveries) for phase in self.phases)

    @property
    def operations(self) -> tuple[str, ...]:
        """Collectives that were called, with their algorithms, in the order of ranks' calls."""
        named = (call.operation for calls in self.calls for call in calls if call.operation)
        return tuple(dict.fromkeys(named))


def parse_calls(text: str) -> tuple[Call, ...]:
    """The calls of one rank: a line each of KIND PEER BYTES NUMBER DEPTH OPERATION between tabs.

    ValueError: a line isn't that; it is named with its number.
    """
    calls: list[Call] = []
    for row, line in enumerate(text.splitlines(), 1):
        try:
            kind, *numbers, operation = line.split("\t")
            peer, size_bytes, tag, depth = map(int, numbers)
            if min(size_bytes, tag, depth) < 0:
                raise ValueError("a number is below 0")
            calls.append(Call(CallKind(kind), peer, size_bytes, tag, depth, operation))
        except ValueError as error:
            problem = f"line {row} of a trace, {line[:80]!r}, is no call: {error}"
            raise ValueError(problem) from None
    return tuple(calls)


def trace_of(calls: Sequence[Sequence[Call]]) -> Trace:
    """The trace of the calls of all ranks, by rank."""
    depths = (call.depth for one in calls for call in one if call.kind in SHOWN)
    deliveries: list[list[Delivery]] = [[] for _ in range(max(depths, default=-1) + 1)]
    work = [dict[int, Work]() for _ in deliveries]
    for rank, one in enumerate(calls):
        for call in one:
            size_bytes, number = call.size_bytes, call.number
            if call.kind in MESSAGES:
                ends = (call.peer, rank) if call.kind is CallKind.GET else (rank, call.peer)
                delivery = Delivery(*ends, size_bytes, call.kind, number, call.operation)
                deliveries[call.depth].append(delivery)
            elif call.kind is CallKind.WORK:
                before = work[call.depth].get(rank, Work(rank, 0, 0))
                done = Work(rank, before.flop + number, before.size_bytes + size_bytes)
                work[call.depth][rank] = done
    phases = (
        Phase(tuple(sorted(sent, key=lambda one: one.source)), tuple(by_rank.values()))
        for sent, by_rank in zip(deliveries, work, strict=True)
    )
    return Trace(tuple(map(tuple, calls)), tuple(phases))


def _sums(pairs: Iterable[tuple[int, int]]) -> Counter[int]:
    sums = Counter[int]()
    for rank, size_bytes in pairs:
        sums[rank] += size_bytes
    return sums
