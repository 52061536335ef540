"""Who sends what to whom, one phase after the other, as the calls of all ranks say.

A message's phase is the length of the longest chain of messages, each received before the next was
sent, that ends in it: 0 for one that waits for none. Each rank keeps count of it while it runs, so
that it depends on what waits for what alone, never on time.
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
    """Set in the memory of another rank."""
    ATOMIC = "atomic"
    WAIT = "wait"
    """For a flag in the own memory."""
    WORK = "work"
    """Computed, between two calls."""


MESSAGES = (CallKind.SEND, CallKind.PUT, CallKind.GET, CallKind.FLAG, CallKind.ATOMIC)
"""The calls that send something; a get has it sent by its peer."""
SHOWN = (*MESSAGES, CallKind.WORK)
"""The calls that phases consist of."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one rank; of work that between two of them."""

    kind: CallKind
    peer: int
    """The other rank: of a wait who set the flag last; below 0: there is none."""
    size_bytes: int
    """Of work, what it read and wrote."""
    number: int
    """The tag of a message; of work its floating-point operations."""
    depth: int
    """The phase of the message that is sent, or was received; of work that of a message now."""
    operation: str
    """Which collective the call is part of and how that is done, "bcast: binomial"; "": none."""


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
    """Read and written."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What may be under way together."""

    deliveries: tuple[Delivery, ...]
    """By source, each one's in their order."""
    work: tuple[Work, ...]
    """By rank, of those that compute; after what they received of the phases before."""

    @property
    def size_bytes(self) -> int:
        """Of all messages."""
        return sum(delivery.size_bytes for delivery in self.deliveries)

    @property
    def flop(self) -> int:
        """Of all ranks."""
        return sum(work.flop for work in self.work)

    @property
    def worked_bytes(self) -> int:
        """That all ranks read and wrote while they computed."""
        return sum(work.size_bytes for work in self.work)

    @property
    def sent(self) -> Counter[int]:
        """Bytes by the rank that sends them."""
        return _sums((one.source, one.size_bytes) for one in self.deliveries)

    @property
    def received(self) -> Counter[int]:
        """Bytes by the rank that receives them."""
        return _sums((one.destination, one.size_bytes) for one in self.deliveries)


@dataclass(frozen=True, slots=True)
class Trace:
    """What a pattern did."""

    calls: tuple[tuple[Call, ...], ...]
    """Of each rank, in their order."""
    phases: tuple[Phase, ...]

    @property
    def whole(self) -> Phase:
        """All phases as one, one after the other."""
        return Phase(
            tuple(one for phase in self.phases for one in phase.deliveries),
            tuple(one for phase in self.phases for one in phase.work),
        )

    @property
    def messages(self) -> int:
        """In all phases."""
        return sum(len(phase.deliveries) for phase in self.phases)

    @property
    def operations(self) -> tuple[str, ...]:
        """The collectives that were called and how they are done, in the order of ranks' calls."""
        named = (call.operation for calls in self.calls for call in calls if call.operation)
        return tuple(dict.fromkeys(named))


def parse_calls(text: str) -> tuple[Call, ...]:
    """The calls of one rank: a line each of KIND PEER BYTES NUMBER DEPTH OPERATION between tabs.

    ValueError: a line isn't that; it is named with its number.
    """
    return tuple(_call(number, line) for number, line in enumerate(text.splitlines(), 1))


def _call(number: int, line: str) -> Call:
    try:
        kind, *numbers, operation = line.split("\t")
        peer, size_bytes, tag, depth = map(int, numbers)
        if min(size_bytes, tag, depth) < 0:
            raise ValueError("a number is below 0")
        return Call(CallKind(kind), peer, size_bytes, tag, depth, operation)
    except ValueError as error:
        raise ValueError(f"line {number} of a trace, {line[:80]!r}, is no call: {error}") from None


def trace_of(calls: Sequence[Sequence[Call]]) -> Trace:
    """What the calls of all ranks come to, by rank."""
    depths = (call.depth for one in calls for call in one if call.kind in SHOWN)
    deliveries: list[list[Delivery]] = [[] for _ in range(max(depths, default=-1) + 1)]
    work = [dict[int, Work]() for _ in deliveries]
    for rank, one in enumerate(calls):
        for call in one:
            if call.kind in MESSAGES:
                deliveries[call.depth].append(_delivery(rank, call))
            elif call.kind is CallKind.WORK:
                before = work[call.depth].get(rank, Work(rank, 0, 0))
                work[call.depth][rank] = _more(before, call)
    phases = (
        Phase(tuple(sorted(sent, key=lambda one: one.source)), tuple(done.values()))
        for sent, done in zip(deliveries, work, strict=True)
    )
    return Trace(tuple(map(tuple, calls)), tuple(phases))


def _delivery(rank: int, call: Call) -> Delivery:
    ends = (call.peer, rank) if call.kind is CallKind.GET else (rank, call.peer)
    return Delivery(*ends, call.size_bytes, call.kind, call.number, call.operation)


def _more(work: Work, call: Call) -> Work:
    return Work(work.rank, work.flop + call.number, work.size_bytes + call.size_bytes)


def _sums(pairs: Iterable[tuple[int, int]]) -> Counter[int]:
    found = Counter[int]()
    for rank, size_bytes in pairs:
        found[rank] += size_bytes
    return found
