"""The phases of a trace once more, from what each rank sent and received and nothing else."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field

from leadline.topology.phases import Call, CallKind, Trace

FOLLOWED = {
    CallKind.SEND, CallKind.RECEIVE, CallKind.PUT, CallKind.FLAG, CallKind.WAIT, CallKind.WORK,
}  # fmt: skip
"""The calls whose chains can be told: of a get it isn't known when its rank waited for it."""
SENDERS = {CallKind.RECEIVE: CallKind.SEND, CallKind.WAIT: CallKind.FLAG}
"""What each call that finds something was sent by."""

Key = tuple[CallKind, int, int, int, int]


@dataclass(slots=True)
class Job:
    """Ranks that do what was traced, one call after the other."""

    now: list[int]
    """The phase of what each rank would send."""
    under_way: defaultdict[Key, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    """Phases of what was sent and not found yet, in the order of sending."""

    def chain(self, rank: int, call: Call) -> int | None:
        """The longest chain that ends in what `call` sends or finds; None: it hasn't been sent."""
        sender = SENDERS.get(call.kind)
        if sender is None:
            key = (call.kind, rank, call.peer, call.size_bytes, call.number)
            self.under_way[key].append(self.now[rank])
            return self.now[rank]
        queue = self.under_way[sender, call.peer, rank, call.size_bytes, call.number]
        if not queue or (sender is CallKind.FLAG and call.depth not in queue):
            return None
        chain = call.depth if sender is CallKind.FLAG else queue[0]  # a rank sets several flags
        queue.remove(chain)
        self.now[rank] = max(self.now[rank], chain + 1)
        return chain


def chains(trace: Trace) -> list[list[int]]:
    """For each call of each rank the longest chain that ends in it.

    AssertionError: a rank found what nobody sent, or nobody received what was sent.
    """
    job = Job([0] * len(trace.calls))
    found: list[list[int]] = [[] for _ in trace.calls]
    moved = True
    while moved:
        moved = False
        for rank, calls in enumerate(trace.calls):
            while len(found[rank]) < len(calls):
                chain = job.chain(rank, calls[len(found[rank])])
                if chain is None:
                    break
                found[rank].append(chain)
                moved = True
    assert [len(one) for one in found] == [len(calls) for calls in trace.calls]
    assert not [key for key, left in job.under_way.items() if left and key[0] is CallKind.SEND]
    return found
