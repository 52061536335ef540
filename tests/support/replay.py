"""How long ranks take for what they were traced to do.

A message takes alpha + beta n, an operation gamma.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from leadline.topology.phases import Call, CallKind, Trace

Link = tuple[int, int]


@dataclass(slots=True)
class Clocks:
    """Of ranks that each send one message and receive another at a time; sends don't wait."""

    alpha: float
    beta: float
    gamma: float
    now: list[float]
    """When each rank begins its next call."""
    receiving: list[float]
    """Until when each one's way in is busy."""
    under_way: defaultdict[Link, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    """When each message began to be sent, in order."""

    def cost(self, call: Call) -> float:
        return self.alpha + self.beta * call.size_bytes

    def obey(self, rank: int, call: Call) -> bool:
        """Whether the call is over: a receive waits for its message."""
        if call.kind is CallKind.SEND:
            self.under_way[rank, call.peer].append(self.now[rank])
            self.now[rank] += self.cost(call)
        elif call.kind is CallKind.RECEIVE:
            queue = self.under_way[call.peer, rank]
            if not queue:
                return False
            end = max(queue.popleft(), self.receiving[rank]) + self.cost(call)
            self.receiving[rank] = end
            self.now[rank] = max(self.now[rank], end)
        elif call.kind is CallKind.WORK:
            self.now[rank] += self.gamma * call.number
        return True


def replayed(trace: Trace, alpha: float, beta: float, gamma: float = 0.0) -> float:
    """When the last rank is through, if all begin at 0."""
    ranks = len(trace.calls)
    clocks = Clocks(alpha, beta, gamma, [0.0] * ranks, [0.0] * ranks)
    left = [deque(calls) for calls in trace.calls]
    moved = True
    while moved:
        moved = False
        for rank, calls in enumerate(left):
            while calls and clocks.obey(rank, calls[0]):
                calls.popleft()
                moved = True
    assert not any(left), "a rank waits for what nobody sends"
    return max(clocks.now)
