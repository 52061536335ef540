"""Global communications by one-sided operations (Lopez-Pineda 1996).

See native/kernels/patterns/global.c and vector_sum.c.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.models.algorithms import core_of
from leadline.simulate.programs.calls import CallRows, CallStep, only
from leadline.simulate.programs.collective import ELEMENT_BYTES, TOUCHED
from leadline.simulate.programs.collectives import CALLED, collective_steps
from leadline.simulate.programs.one_sided import WORD_BYTES, put_with_flag, waited
from leadline.simulate.programs.repetition import Repetition
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind


def master(of: Repetition) -> Iterator[CallStep]:
    """All put a word to rank 0, which combines them, and all get the result."""
    others = np.arange(1, of.ranks)
    yield CallStep((CallRows(CallKind.PUT, others, 0, WORD_BYTES, 0),))
    yield from collective_steps(CALLED["barrier"], of)
    yield from collective_steps(CALLED["barrier"], of)
    yield CallStep((CallRows(CallKind.GET, others, 0, WORD_BYTES, 0),))
    touched = WORD_BYTES * (of.ranks + 1)
    yield CallStep((CallRows(CallKind.WORK, only(0), -1, touched, of.ranks),))


def vector_sum_log2(of: Repetition) -> Iterator[CallStep]:
    """Partial sums put into each other's memory in log2 p rounds; the work is logged at the end."""
    core = core_of(of.ranks)
    beyond, ranks = np.arange(core, of.ranks), np.arange(core)
    yield from _put(of, beyond, beyond - core)
    yield from _added(beyond - core, beyond)
    stride = 1
    while stride < core:
        yield from _put(of, ranks, ranks ^ stride)
        yield from _added(ranks, ranks ^ stride)
        stride *= 2
    yield put_with_flag(beyond - core, beyond, of.size_bytes)
    yield waited(beyond, beyond - core)
    yield _additions(of, core)


def _put(of: Repetition, ranks: Int64, peers: Int64) -> Iterator[CallStep]:
    """Into blocks that their owners said were free, but for the first time."""
    if of.number > 0:
        yield waited(ranks, peers)
    yield put_with_flag(ranks, peers, of.size_bytes)


def _added(ranks: Int64, peers: Int64) -> Iterator[CallStep]:
    """What `peers` have put, whose blocks are free then."""
    yield waited(ranks, peers)
    yield put_with_flag(ranks, peers, 0)


def _additions(of: Repetition, core: int) -> CallStep:
    ranks = np.arange(core)
    rounds = core.bit_length() - 1 + (ranks + core < of.ranks)
    flop = rounds * (of.size_bytes // ELEMENT_BYTES)
    return CallStep((CallRows(CallKind.WORK, ranks, -1, TOUCHED * ELEMENT_BYTES * flop, flop),))
