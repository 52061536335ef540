"""A program that never ends: which ranks wait for each other, and in which calls."""

from __future__ import annotations

from leadline.errors import UsageError
from leadline.simulate.flow import CircleError, Watcher, flow, unwatched
from leadline.simulate.matching import ranks_of
from leadline.simulate.programs.calls import KINDS
from leadline.simulate.tasks import Tasks
from leadline.topology.networks import Float64
from leadline.topology.phases import CallKind
from leadline.units import format_size

MOST_NAMED = 4
"""Of the ranks that wait for each other."""


def ended_s(tasks: Tasks, what: str, watch: Watcher = unwatched) -> Float64:
    """Shape (tasks,): when each ends, s from the common start.

    Args:
        tasks: The program's.
        what: The program, for an error.
        watch: Told how far it is.

    Raises:
        UsageError: A deadlock; the ranks that wait for each other are named with their calls.
        MachineError: The memory doesn't suffice, or there is no C compiler.
    """
    try:
        return flow(tasks.graph, watch).ended_s
    except CircleError as circle:
        raise UsageError(_deadlock(tasks, circle.tasks, what)) from None


def _deadlock(tasks: Tasks, circle: tuple[int, ...], what: str) -> str:
    ranks, waiting = ranks_of(tasks.calls), dict[int, int]()
    for call in sorted(tasks.numbers.calls_among(circle, tasks.messages), reverse=True):
        waiting[int(ranks[call])] = call
    named = [_named(tasks, rank, waiting[rank]) for rank in sorted(waiting)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return (
        f"{what} ends in a deadlock: {'; '.join(named[:MOST_NAMED])}{more}; let one of them "
        "receive first, or take a library whose sends don't wait for receives"
    )


def _named(tasks: Tasks, rank: int, call: int) -> str:
    """E.g. "rank 0 waits to send 1 MiB to rank 1 (tag 5)"."""
    calls = tasks.calls
    kind, size = KINDS[calls.kind[call]], format_size(int(calls.size_bytes[call]))
    peer, tag = int(calls.peer[call]), int(calls.number[call])
    never = "" if call in tasks.messages.finder else ", which is never sent"
    if kind is CallKind.WAIT:
        return f"rank {rank} waits for a flag of rank {peer}{never}"
    if kind is CallKind.RECEIVE:
        return f"rank {rank} waits to receive {size} from rank {peer} (tag {tag}){never}"
    return f"rank {rank} waits to {kind} {size} to rank {peer} (tag {tag})"
