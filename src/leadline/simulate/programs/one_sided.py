"""Operations on another rank's memory (native/kernels/patterns/one_sided.c, put_flag.c, atomics.c).

One-sided operations have no tag. A put with a flag is a put, if it has bytes, and a flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from leadline.simulate.programs.calls import CallRows, CallStep, only
from leadline.simulate.programs.repetition import Program, Repetition
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

WORD_BYTES = 8
"""Of a flag, and of what atomics change."""


def one_way(kind: CallKind, times: int = 1) -> Program:
    """So many operations of rank 0 on rank 1's memory, all under way together."""
    return partial(_one_way, kind, times)


def _one_way(kind: CallKind, times: int, of: Repetition) -> Iterator[CallStep]:
    yield CallStep((CallRows(kind, only(0, times), 1, of.size_bytes, 0),))


def put_flag(of: Repetition) -> Iterator[CallStep]:
    """There and back, each put with a flag that the other rank waits for."""
    for origin in (0, 1):
        yield put_with_flag(only(origin), 1 - origin, of.size_bytes)
        yield waited(only(1 - origin), origin)


def atomic(of: Repetition) -> Iterator[CallStep]:
    """Each rank's on a word of the next rank, or all on one of rank 0."""
    ranks = np.arange(of.ranks)
    whose = ranks[1:] if of.chose("contention", "contended") else ranks
    owners = np.zeros_like(whose) if len(whose) < of.ranks else (ranks + 1) % of.ranks
    yield CallStep((CallRows(CallKind.ATOMIC, whose, owners, WORD_BYTES, 0),))


def put_with_flag(ranks: Int64, peers: Int64 | int, size_bytes: int) -> CallStep:
    """What each of `ranks` puts into its peer's memory, and the flag that says so."""
    flag = CallRows(CallKind.FLAG, ranks, peers, WORD_BYTES, 0)
    put = CallRows(CallKind.PUT, ranks, peers, size_bytes, 0)
    return CallStep((put, flag) if size_bytes else (flag,))


def waited(ranks: Int64, peers: Int64 | int) -> CallStep:
    """Each of `ranks` waits for a flag that its peer sets."""
    return CallStep((CallRows(CallKind.WAIT, ranks, peers, WORD_BYTES, 0),))
