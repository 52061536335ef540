"""A program that never ends: which ranks wait for each other, and in which calls."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.errors import UsageError
from leadline.simulate.flow import CircleError, Watcher, flow, unwatched
from leadline.simulate.matching import NONE, ranks_of
from leadline.simulate.programs.calls import KINDS
from leadline.simulate.tasks import Tasks
from leadline.topology.networks import Float64
from leadline.topology.phases import CallKind
from leadline.units import format_size

WAITING = (CallKind.RECEIVE, CallKind.WAIT)
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
    remedy = _remedy(tasks, list(waiting.values()))
    return f"{what} ends in a deadlock: {'; '.join(named[:MOST_NAMED])}{more}; {remedy}"


def _named(tasks: Tasks, rank: int, call: int) -> str:
    """E.g. "rank 0 waits to send 1 MiB to rank 1 (tag 5)"."""
    calls = tasks.calls
    kind, size = KINDS[calls.kind[call]], format_size(int(calls.size_bytes[call]))
    peer, tag = int(calls.peer[call]), int(calls.number[call])
    if kind is CallKind.WAIT:
        never = ", which is never set" * _is_alone(tasks, call)
        return f"rank {rank} waits for a flag of rank {peer}{never}"
    if kind is CallKind.RECEIVE:
        never = ", which is never sent" * _is_alone(tasks, call)
        return f"rank {rank} waits to receive {size} from rank {peer} (tag {tag}){never}"
    never = ", which is never received" * _is_alone(tasks, call)
    return f"rank {rank} waits to {kind} {size} to rank {peer} (tag {tag}){never}"


def _is_alone(tasks: Tasks, call: int) -> bool:
    """Whether it is a receive or wait without its message, or a message that nobody receives."""
    if KINDS[tasks.calls.kind[call]] in WAITING:
        return call not in tasks.messages.finder
    sent = tasks.messages.finder[tasks.messages.call == call]
    return KINDS[tasks.calls.kind[call]] is CallKind.SEND and bool((sent == NONE).all())


def _remedy(tasks: Tasks, waiting: Sequence[int]) -> str:
    """Against that these calls wait."""
    if any(_is_alone(tasks, call) for call in waiting):
        return "each message needs a send and a receive with the same ranks and tag"
    if all(KINDS[tasks.calls.kind[call]] in WAITING for call in waiting):
        return "let one of them send first"
    return "let one of them receive first, or take a library whose sends don't wait for receives"
