"""Algorithms of collectives that move blocks: bcast, gather, scatter, allgather, alltoall.

What is called the parts here are the blocks of the first places, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from leadline.errors import UsageError
from leadline.patterns.programs.calls import CallStep, only, received, sent
from leadline.patterns.programs.collective import Collective, divided, ends_of, strides_below
from leadline.topology.networks import Int64

SEGMENT_BYTES = 8192
"""Longest segment of a pipelined message."""


# -- bcast: the root's bytes to every rank ---------------------------------------------------------


def bcast_binomial(op: Collective) -> Iterator[CallStep]:
    """In each round all ranks that have the message send it to as many others."""
    for stride in strides_below(op.ranks):
        places = np.arange(min(stride, op.ranks - stride))
        yield op.moved(places, places + stride)


def bcast_four_nomial(op: Collective) -> Iterator[CallStep]:
    """In each round all ranks that have the message send it to three times as many others."""
    for places, peers in four_nomial_rounds(op.ranks):
        yield op.moved(places, peers)


def four_nomial_rounds(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """Senders and receivers of a 4-nomial broadcast, one message of each sender after the other."""
    stride = 1
    while stride < ranks:
        for far in (1, 2, 3):
            places = np.arange(max(0, min(stride, ranks - far * stride)))
            yield places, places + far * stride
        stride *= 4


def bcast_binary(op: Collective) -> Iterator[CallStep]:
    """Down a heap, to the left child first."""
    for places, peers in binary_rounds(op.ranks):
        yield op.moved(places, peers)


def binary_rounds(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """Parents and their left, then their right children, level by level."""
    first = 0
    while 2 * first + 1 < ranks:
        for child in (1, 2):
            parents = np.arange(first, 2 * first + 1)
            parents = parents[2 * parents + child < ranks]
            yield parents, 2 * parents + child
        first = 2 * first + 1


def bcast_scatter_and_ring(op: Collective) -> Iterator[CallStep]:
    """A part to each rank, then the parts around a ring (van de Geijn; Thakur et al. 2005)."""
    parts = _message_in_parts(op)
    yield from scatter_binomial(parts)
    yield from allgather_ring(parts)


def bcast_scatter_and_doubling(op: Collective) -> Iterator[CallStep]:
    """A part to each rank, then exchanges of all that a rank has with ranks twice as far."""
    parts = _message_in_parts(op)
    parts.check_power_of_two("scatter + recursive doubling")
    yield from scatter_binomial(parts)
    yield from allgather_recursive_doubling(parts)


def _message_in_parts(op: Collective) -> Collective:
    """The message as a block for each place."""
    blocks = np.empty(op.ranks, dtype=np.int64)
    blocks[op.at(op.places)] = divided(op.size_bytes, op.ranks)
    return replace(op, blocks=blocks)


def bcast_pipeline(op: Collective) -> Iterator[CallStep]:
    """Along a chain in segments: a rank passes one on while it receives the next."""
    for _, step in chained(op, op.places[:-1], op.places[1:]):
        yield step


def chained(
    op: Collective, sources: Int64, destinations: Int64
) -> Iterator[tuple[list[int], CallStep]]:
    """Steps in which segments arrive and, a step later, are passed on.

    Each comes with the bytes of the segments that have arrived after it.
    """
    senders, receivers = op.at(sources), op.at(destinations)
    count = max(1, -(-op.size_bytes // SEGMENT_BYTES))
    unit = 8 if op.size_bytes % 8 == 0 else 1
    segments: list[int] = divided(op.size_bytes, count, unit).tolist()
    before: list[int] = []
    for now in [*([segment] for segment in segments), []]:
        leaving = [sent(senders, receivers, one, op.tag) for one in before]
        coming = [received(receivers, senders, one, op.tag) for one in now]
        yield now, CallStep((*leaving, *coming))
        before = now


# -- gather and scatter: a block of each rank to the root, or of the root's for each rank ----------


def gather_linear(op: Collective) -> Iterator[CallStep]:
    """The root receives from one rank after the other."""
    others = np.delete(np.arange(op.ranks), op.root)
    root = only(op.root, len(others))
    yield CallStep((sent(others, op.root, op.blocks[others], op.tag),))
    yield CallStep((received(root, others, op.blocks[others], op.tag),), one_by_one=True)


def scatter_linear(op: Collective) -> Iterator[CallStep]:
    """The root sends to one rank after the other."""
    others = np.delete(np.arange(op.ranks), op.root)
    root = only(op.root, len(others))
    yield CallStep((sent(root, others, op.blocks[others], op.tag),), one_by_one=True)
    yield CallStep((received(others, op.root, op.blocks[others], op.tag),))


def gather_binomial(op: Collective) -> Iterator[CallStep]:
    """In each round half of the ranks that are left send all that they have."""
    return gather_parts(op, op.blocks_at(op.places))


def gather_parts(op: Collective, parts: Int64) -> Iterator[CallStep]:
    """The parts of the first places to the root, by a binomial tree."""
    for low, high, size_bytes in _binomial_edges(parts):
        yield op.moved(high, low, size_bytes)


def scatter_binomial(op: Collective) -> Iterator[CallStep]:
    """In each round all ranks that have blocks send half of them."""
    for low, high, size_bytes in reversed(list(_binomial_edges(op.blocks_at(op.places)))):
        yield op.moved(low, high, size_bytes)


def _binomial_edges(parts: Int64) -> Iterator[tuple[Int64, Int64, Int64]]:
    """Edges of a binomial tree from the leaves on: both ends, and the bytes of the parts beyond."""
    ends = ends_of(parts)
    for stride in strides_below(len(parts)):
        high = np.arange(stride, len(parts), 2 * stride)
        size_bytes = ends[np.minimum(high + stride, len(parts))] - ends[high]
        yield high - stride, high, size_bytes


# -- allgather: every rank's block to every rank ---------------------------------------------------


def allgather_ring(op: Collective) -> Iterator[CallStep]:
    """In p - 1 rounds each rank passes on the block that it got last."""
    for step in range(op.ranks - 1):
        yield op.moved(op.places, op.places + 1, op.blocks_at(op.places - step))


def allgather_recursive_doubling(op: Collective) -> Iterator[CallStep]:
    """Exchanges of all that a rank has with ranks twice as far.

    UsageError: the number of ranks isn't a power of two.
    """
    op.check_power_of_two("recursive doubling of an allgather")
    return allgather_parts(op, op.blocks_at(op.places))


def allgather_parts(op: Collective, parts: Int64) -> Iterator[CallStep]:
    """The parts of the first places, a power of two of them, to each of these, by doubling."""
    places, ends = np.arange(len(parts)), ends_of(parts)
    for stride in strides_below(len(parts)):
        first = places // stride * stride
        yield op.moved(places, places ^ stride, ends[first + stride] - ends[first])


def allgather_bruck(op: Collective) -> Iterator[CallStep]:
    """All that a rank has to the rank twice as far behind (Bruck et al. 1997)."""
    ends = ends_of(np.tile(op.blocks_at(op.places), 2))
    for stride in strides_below(op.ranks):
        blocks = min(stride, op.ranks - stride)
        size_bytes = ends[op.places + blocks] - ends[op.places]
        yield op.moved(op.places, op.places - stride, size_bytes)


def allgather_neighbor_exchange(op: Collective) -> Iterator[CallStep]:
    """The two blocks that came last to one neighbour, then to the other (Chen et al. 2005).

    The first exchange is of a rank's own block. UsageError: the number of ranks is odd.
    """
    if op.ranks % 2:
        raise UsageError(
            f"neighbor exchange takes an even number of ranks, seen {op.ranks}; give "
            f"{op.ranks - 1} or {op.ranks + 1} ranks, or another algorithm"
        )
    even = op.places % 2 == 0
    pair, size_bytes = op.places // 2, op.blocks_at(op.places)
    for step in range(op.ranks // 2):
        peers = (op.places + np.where(even == (step % 2 == 0), 1, -1)) % op.ranks
        yield op.moved(op.places, peers, size_bytes)
        pair = pair[peers]
        size_bytes = op.blocks_at(2 * pair) + op.blocks_at(2 * pair + 1)


# -- alltoall: a block of each rank to each other; the receiver's, times the sender's length -------


def alltoall_pairwise(op: Collective) -> Iterator[CallStep]:
    """In round k each rank sends to the one k ahead and receives from the one k behind."""
    for step in range(1, op.ranks):
        ahead = op.places + step
        yield op.moved(op.places, ahead, op.between(op.places, ahead))


def alltoall_linear(op: Collective) -> Iterator[CallStep]:
    """All messages at once, each rank's to the ranks ahead of it in turn."""
    ranks = np.repeat(op.places, op.ranks - 1)
    steps = np.tile(np.arange(1, op.ranks), op.ranks)
    ahead, behind = op.at(ranks + steps), op.at(ranks - steps)
    yield CallStep((
        sent(ranks, ahead, op.between(ranks, ahead), op.tag),
        received(ranks, behind, op.between(behind, ranks), op.tag),
    ))  # fmt: skip


def alltoall_bruck(op: Collective) -> Iterator[CallStep]:
    """In round k all blocks whose distance has bit k, 2^k ranks ahead (Bruck et al. 1997)."""
    for stride in strides_below(op.ranks):
        size_bytes = np.zeros(op.ranks, dtype=np.int64)
        for distance in range(op.ranks):
            if distance & stride:
                gone = distance % stride
                size_bytes += op.between(op.places - gone, op.places - gone + distance)
        yield op.moved(op.places, op.places + stride, size_bytes)
