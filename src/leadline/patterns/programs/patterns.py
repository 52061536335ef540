"""Every pattern that can be simulated, and how its messages are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from leadline.errors import UsageError, unknown_name
from leadline.patterns.pattern import PatternChoice
from leadline.patterns.programs import collectives, grids, multigrid, one_sided, space_time
from leadline.patterns.programs import point_to_point as pairs
from leadline.patterns.programs.calls import (
    CallStep,
    Program,
    RankCalls,
    Repetition,
    SendMode,
    calls_in,
)
from leadline.topology.phases import CallKind

PATTERNS: Mapping[str, Program] = {
    "pingpong": pairs.pingpong(1),
    "pingpong_sync": pairs.pingpong(1),
    "pingpong_buffered": pairs.pingpong(1),
    "pingpong_nonblocking": pairs.pingpong(1),
    "pingpong_persistent": pairs.pingpong(1),
    "pingpong_anysource": pairs.pingpong(1),
    "unexpected": pairs.pingpong(1),
    "pingpong_packed": pairs.pingpong(4),
    "pingpong_strided": pairs.pingpong(5),
    "pingpong_strided_packed": pairs.pingpong(5),
    "pingpong_struct": pairs.pingpong(5),
    "pingpong_struct_packed": pairs.pingpong(5),
    "pack": pairs.nothing,
    "unpack": pairs.nothing,
    "exchange": pairs.exchange,
    "stream": pairs.stream,
    "message_rate": pairs.message_rate,
    "pair": grids.pair,
    "cyclic": grids.cyclic,
    "cyclic_two_step": grids.cyclic_two_step,
    "halo": grids.halo,
    **{name: collectives.calling(name) for name in collectives.CALLED},
    "neighbor_allgather": grids.neighbour_collective("neighbor_allgather"),
    "neighbor_alltoall": grids.neighbour_collective("neighbor_alltoall"),
    "put": one_sided.one_way(CallKind.PUT),
    "get": one_sided.one_way(CallKind.GET),
    "put_window": one_sided.one_way(CallKind.PUT, pairs.WINDOW),
    "get_window": one_sided.one_way(CallKind.GET, pairs.WINDOW),
    "put_flag": one_sided.put_flag,
    "fetch_add": one_sided.atomic,
    "compare_swap": one_sided.atomic,
    "gsum_master": one_sided.global_master,
    "gmax_master": one_sided.global_master,
    "gland_master": one_sided.global_master,
    "vector_sum_log2": one_sided.vector_sum_log2,
    "mg": multigrid.iterating(multigrid.by_messages),
    "mg_puts": multigrid.iterating(multigrid.by_puts),
    "stap": space_time.process,
}
"""Programs by pattern."""
MODES: Mapping[str, SendMode] = {
    "pingpong_sync": SendMode.SYNCHRONOUS,
    "pingpong_buffered": SendMode.BUFFERED,
    "pingpong_nonblocking": SendMode.NONBLOCKING,
    "pingpong_persistent": SendMode.PERSISTENT,
    "stream": SendMode.NONBLOCKING,
    "message_rate": SendMode.NONBLOCKING,
    "pair": SendMode.NONBLOCKING,
    "cyclic": SendMode.NONBLOCKING,
    "cyclic_two_step": SendMode.NONBLOCKING,
    "halo": SendMode.NONBLOCKING,
    "mg": SendMode.NONBLOCKING,
}
"""Send modes by pattern, where it isn't the standard one."""
SOLVING = frozenset({"mg", "mg_puts", "stap"})
"""Applications: those that compute between their messages, also on one rank."""


def least_ranks(pattern: str) -> int:
    """The smallest number of ranks with something to do: one alone has no messages."""
    return 1 if pattern in SOLVING else 2


def calls_of(
    choice: PatternChoice,
    ranks: int,
    size_bytes: int,
    algorithms: Mapping[str, str],
    repetitions: int = 1,
) -> RankCalls:
    """What each rank calls in so many repetitions of `choice`, one after the other.

    Args:
        choice: The pattern with its options; a rotating root goes on from its root.
        ranks: Of the job; those that a pattern doesn't take call nothing.
        size_bytes: Of the cell: a multiple of the pattern's granularity.
        algorithms: By collective, e.g. {"bcast": "scatter + ring"}; those that aren't named are
            done as the kernel's fallbacks do them.
        repetitions: At least one.

    Raises:
        UsageError: The pattern or algorithm is unknown, the ranks don't fit it, or there would be
            too many calls.
    """
    if choice.name not in PATTERNS:
        raise unknown_name("pattern to simulate", choice.name, PATTERNS)
    if ranks < least_ranks(choice.name):
        raise UsageError(f"pattern {choice.label} takes at least 2 ranks, seen {ranks}; give more")
    options = {chosen.key: chosen.value for chosen in choice.options}

    def steps() -> Iterator[CallStep]:
        for number in range(repetitions):
            root = (choice.root + number * choice.rotates) % ranks
            repetition = Repetition(
                choice.name, options, choice.dims, ranks, size_bytes, root, number, algorithms
            )
            for step in PATTERNS[choice.name](repetition):
                yield replace(step, repetition=number)

    return calls_in(steps(), ranks, MODES.get(choice.name, SendMode.STANDARD))
