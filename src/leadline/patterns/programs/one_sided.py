"""Operations on another rank's memory, and the global communications that are made of them.

See native/kernels/patterns: one_sided.c, put_flag.c, atomics.c; global.c and vector_sum.c (global
communications of Lopez-Pineda 1996). One-sided operations have no tag. A put with a flag is a put,
if it has bytes, and a flag.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.patterns.powers_of_two import core_of
from leadline.patterns.programs.calls import CallRows, CallStep, Program, Repetition, only
from leadline.patterns.programs.collective import ELEMENT_BYTES, TOUCHED
from leadline.patterns.programs.collectives import CALLED, collective_steps
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

WORD_BYTES = 8
"""Size of a flag, and of what atomics change."""


def one_way(kind: CallKind, times: int = 1) -> Program:
    """A number of operations of rank 0 on rank 1's memory, all under way together."""

    def steps(repetition: Repetition) -> Iterator[CallStep]:
        yield CallStep((CallRows(kind, only(0, times), 1, repetition.size_bytes, 0),))

    return steps


def put_flag(repetition: Repetition) -> Iterator[CallStep]:
    """There and back, each put with a flag that the other rank waits for."""
    for origin in (0, 1):
        yield put_with_flag(only(origin), 1 - origin, repetition.size_bytes)
        yield waited(only(1 - origin), origin)


def atomic(repetition: Repetition) -> Iterator[CallStep]:
    """Each rank changes a word of the next rank, or all change one of rank 0."""
    ranks = np.arange(repetition.ranks)
    if repetition.chose("contention", "contended"):
        callers, owners = ranks[1:], np.zeros_like(ranks[1:])
    else:
        callers, owners = ranks, (ranks + 1) % repetition.ranks
    yield CallStep((CallRows(CallKind.ATOMIC, callers, owners, WORD_BYTES, 0),))


def put_with_flag(ranks: Int64, peers: Int64 | int, size_bytes: int) -> CallStep:
    """What each of `ranks` puts into its peer's memory, and the flag that says so."""
    flag = CallRows(CallKind.FLAG, ranks, peers, WORD_BYTES, 0)
    put = CallRows(CallKind.PUT, ranks, peers, size_bytes, 0)
    return CallStep((put, flag) if size_bytes else (flag,))


def waited(ranks: Int64, peers: Int64 | int) -> CallStep:
    """Each of `ranks` waits for a flag that its peer sets."""
    return CallStep((CallRows(CallKind.WAIT, ranks, peers, WORD_BYTES, 0),))


# -- global communications -------------------------------------------------------------------------


def global_master(repetition: Repetition) -> Iterator[CallStep]:
    """All put a word to rank 0, which combines them, and all get the result."""
    others = np.arange(1, repetition.ranks)
    yield CallStep((CallRows(CallKind.PUT, others, 0, WORD_BYTES, 0),))
    yield from collective_steps(CALLED["barrier"], repetition)
    yield from collective_steps(CALLED["barrier"], repetition)
    yield CallStep((CallRows(CallKind.GET, others, 0, WORD_BYTES, 0),))
    touched = WORD_BYTES * (repetition.ranks + 1)
    yield CallStep((CallRows(CallKind.WORK, only(0), -1, touched, repetition.ranks),))


def vector_sum_log2(repetition: Repetition) -> Iterator[CallStep]:
    """Partial sums put into each other's memory in log2 p rounds; the work is logged at the end."""
    core = core_of(repetition.ranks)
    beyond, ranks = np.arange(core, repetition.ranks), np.arange(core)
    yield from _put_sum(repetition, beyond, beyond - core)
    yield from _added(beyond - core, beyond)
    stride = 1
    while stride < core:
        yield from _put_sum(repetition, ranks, ranks ^ stride)
        yield from _added(ranks, ranks ^ stride)
        stride *= 2
    yield put_with_flag(beyond - core, beyond, repetition.size_bytes)
    yield waited(beyond, beyond - core)
    rounds = core.bit_length() - 1 + (ranks + core < repetition.ranks)
    flop = rounds * (repetition.size_bytes // ELEMENT_BYTES)
    touched = TOUCHED * ELEMENT_BYTES * flop
    yield CallStep((CallRows(CallKind.WORK, ranks, -1, touched, flop),))


def _put_sum(repetition: Repetition, ranks: Int64, peers: Int64) -> Iterator[CallStep]:
    """Puts into blocks that their owners said were free, but for the first time."""
    if repetition.number > 0:
        yield waited(ranks, peers)
    yield put_with_flag(ranks, peers, repetition.size_bytes)


def _added(ranks: Int64, peers: Int64) -> Iterator[CallStep]:
    """Adds what `peers` have put, and tells them that their blocks are free."""
    yield waited(ranks, peers)
    yield put_with_flag(ranks, peers, 0)
