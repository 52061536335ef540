"""Algorithms of collectives that combine elements, and of barriers, which combine nothing.

Where the number of ranks isn't a power of two, those beyond the largest one, the core, fold their
elements into a partner's first and get the result from it in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from leadline.patterns.powers_of_two import core_of
from leadline.patterns.programs.calls import CallStep, received, sent
from leadline.patterns.programs.collective import (
    ELEMENT_BYTES,
    Collective,
    divided,
    ends_of,
    strides_below,
)
from leadline.patterns.programs.data_movement import (
    allgather_parts,
    allgather_ring,
    bcast_binomial,
    binary_rounds,
    chained,
    four_nomial_rounds,
    gather_linear,
    gather_parts,
    scatter_linear,
)
from leadline.topology.networks import Int64

_NOTICE_BYTES = 1
"""Size of each message of a barrier."""


# -- folding onto a power of two of ranks ----------------------------------------------------------


def _partners(ranks: int) -> Int64:
    """The ranks that others fold into."""
    return np.arange(ranks - core_of(ranks))


def _folded(op: Collective, size_bytes: int | None = None) -> Iterator[CallStep]:
    """The ranks beyond the core send their partners `size_bytes`, or the operation's."""
    partners = _partners(op.ranks)
    if len(partners):
        yield op.moved(partners + core_of(op.ranks), partners, size_bytes)


def _folded_and_combined(op: Collective, size_bytes: int | None = None) -> Iterator[CallStep]:
    """As `_folded`; the partners combine what they receive with their own elements."""
    partners = _partners(op.ranks)
    if len(partners):
        yield from _folded(op, size_bytes)
        yield op.combined(partners, size_bytes)


def _unfolded(op: Collective, size_bytes: Int64 | None = None) -> Iterator[CallStep]:
    """The ranks beyond the core get the result, or `size_bytes` of it each."""
    partners = _partners(op.ranks)
    if len(partners):
        yield op.moved(partners, partners + core_of(op.ranks), size_bytes)


def _core_exchanges(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """The ranks of the core and, round for round, the peer of each: twice as far every time."""
    core = np.arange(core_of(ranks))
    for stride in strides_below(len(core)):
        yield core, core ^ stride


# -- reduce: the result on the root ----------------------------------------------------------------


def reduce_binomial(op: Collective) -> Iterator[CallStep]:
    """In each round half of the ranks that are left send theirs, and the others combine."""
    for stride in strides_below(op.ranks):
        places = np.arange(0, op.ranks - stride, 2 * stride)
        yield from _sent_up(op, places, places + stride)


def reduce_four_nomial(op: Collective) -> Iterator[CallStep]:
    """A 4-nomial broadcast the other way."""
    for places, peers in reversed(list(four_nomial_rounds(op.ranks))):
        yield from _sent_up(op, places, peers)


def reduce_binary(op: Collective) -> Iterator[CallStep]:
    """Up a heap, from the right child first: a binary broadcast the other way."""
    for places, peers in reversed(list(binary_rounds(op.ranks))):
        yield from _sent_up(op, places, peers)


def _sent_up(op: Collective, places: Int64, peers: Int64) -> Iterator[CallStep]:
    """All elements of `peers` to `places`, which combine them with theirs."""
    yield op.moved(peers, places)
    yield op.combined(places)


def reduce_linear(op: Collective) -> Iterator[CallStep]:
    """The root receives from one rank after the other, and combines."""
    others = op.places[1:]
    yield CallStep((sent(op.at(others), op.root, op.size_bytes, op.tag),))
    root = np.zeros(1, dtype=np.int64)
    for other in others:
        yield CallStep((received(op.at(root), int(op.at(other)), op.size_bytes, op.tag),))
        yield op.combined(root)


def reduce_pipeline(op: Collective) -> Iterator[CallStep]:
    """Along a chain in segments: a rank passes one on while it receives the next."""
    receivers = op.places[:-1]
    for arrived, step in chained(op, op.places[1:], receivers):
        yield step
        for segment in arrived:
            yield op.combined(receivers, segment)


def reduce_rabenseifner(op: Collective) -> Iterator[CallStep]:
    """Reduce-scatter by halving, then a binomial gather (Rabenseifner 2004)."""
    parts = divided(op.size_bytes, core_of(op.ranks), ELEMENT_BYTES)
    yield from _folded_and_combined(op)
    yield from _halved(op, parts)
    yield from gather_parts(op, parts)


# -- allreduce: the result on every rank -----------------------------------------------------------


def allreduce_recursive_doubling(op: Collective) -> Iterator[CallStep]:
    """Exchanges of the whole vector with ranks twice as far (Thakur et al. 2005)."""
    yield from _folded_and_combined(op)
    for ranks, peers in _core_exchanges(op.ranks):
        yield op.moved(ranks, peers)
        yield op.combined(ranks)
    yield from _unfolded(op)


def allreduce_rabenseifner(op: Collective) -> Iterator[CallStep]:
    """Reduce-scatter by halving, then an allgather by doubling (Rabenseifner 2004)."""
    parts = divided(op.size_bytes, core_of(op.ranks), ELEMENT_BYTES)
    yield from _folded_and_combined(op)
    yield from _halved(op, parts)
    yield from allgather_parts(op, parts)
    yield from _unfolded(op)


def allreduce_ring(op: Collective) -> Iterator[CallStep]:
    """A reduce-scatter around a ring, then an allgather."""
    parts = replace(op, blocks=divided(op.size_bytes, op.ranks, ELEMENT_BYTES))
    yield from reduce_scatter_ring(parts)
    yield from allgather_ring(parts)


def allreduce_reduce_and_broadcast(op: Collective) -> Iterator[CallStep]:
    """Up a binomial tree, and down again."""
    yield from reduce_binomial(op)
    yield from bcast_binomial(op)


# -- reduce_scatter: a block of the result on each rank --------------------------------------------


def reduce_scatter_pairwise(op: Collective) -> Iterator[CallStep]:
    """In round k each rank sends its block to the rank k ahead, which combines it."""
    for step in range(1, op.ranks):
        yield op.moved(op.places, op.places + step, op.blocks_at(op.places + step))
        yield op.combined(op.places, op.blocks_at(op.places))


def reduce_scatter_ring(op: Collective) -> Iterator[CallStep]:
    """Each block goes once around the ring, and every rank combines its own with it."""
    for step in range(1, op.ranks):
        yield op.moved(op.places, op.places + 1, op.blocks_at(op.places - step))
        yield op.combined(op.places, op.blocks_at(op.places - step - 1))


def reduce_scatter_recursive_halving(op: Collective) -> Iterator[CallStep]:
    """Ranks beyond the core fold all of theirs, and get a block back."""
    core, beyond = core_of(op.ranks), op.blocks[core_of(op.ranks) :]
    parts = op.blocks[:core].copy()
    parts[: len(beyond)] += beyond
    yield from _folded_and_combined(op, int(op.blocks.sum()))
    yield from _halved(op, parts)
    yield from _unfolded(op, op.blocks[core + _partners(op.ranks)])


def _halved(op: Collective, parts: Int64) -> Iterator[CallStep]:
    """Each of the first places, a power of two of them, is left with its part of all combined."""
    places, ends = np.arange(len(parts)), ends_of(parts)
    for stride in reversed(strides_below(len(parts))):
        peers = places ^ stride
        half = ends[stride:] - ends[:-stride]  # of the parts from each place on
        yield op.moved(places, peers, half[peers // stride * stride])
        yield op.combined(places, half[places // stride * stride])


# -- scan and exscan: on each rank the elements of those up to it, or before it, combined ----------


def scan_recursive_doubling(op: Collective) -> Iterator[CallStep]:
    """What a rank has so far goes on to the rank twice as far (Hillis and Steele 1986)."""
    for stride in strides_below(op.ranks):
        yield from _scan_round(op, stride)


def exscan_recursive_doubling(op: Collective) -> Iterator[CallStep]:
    """As the scan, with a second result that leaves a rank's own elements out."""
    for stride in strides_below(op.ranks):
        yield from _scan_round(op, stride)
        if stride > 1:
            yield op.combined(op.places[stride:])


def _scan_round(op: Collective, stride: int) -> Iterator[CallStep]:
    """A rank sends before it receives: the last ones, which don't send, begin a chain."""
    behind = op.places[:-stride]
    yield CallStep((sent(behind, behind + stride, op.size_bytes, op.tag),))
    yield CallStep((received(behind + stride, behind, op.size_bytes, op.tag),))
    yield op.combined(behind + stride)


def scan_linear(op: Collective) -> Iterator[CallStep]:
    """Each rank receives from the one before, combines, and passes the result on."""
    return _passed_on(op, op.ranks)


def exscan_linear(op: Collective) -> Iterator[CallStep]:
    """As the scan; the last rank has nothing to combine for a rank after it."""
    return _passed_on(op, op.ranks - 1)


def _passed_on(op: Collective, combining: int) -> Iterator[CallStep]:
    """A chain in which the first `combining` ranks but rank 0 combine."""
    first, then = op.places[:-1], op.places[1:]
    yield CallStep((received(then, first, op.size_bytes, op.tag),))
    yield op.combined(op.places[1:combining])
    yield CallStep((sent(first, then, op.size_bytes, op.tag),))


# -- barrier ---------------------------------------------------------------------------------------


def _notices(op: Collective) -> Collective:
    """The operation with messages of a barrier's size."""
    return replace(op, blocks=np.full(op.ranks, _NOTICE_BYTES))


def barrier_dissemination(op: Collective) -> Iterator[CallStep]:
    """In each round to the rank twice as far ahead (Hensgen, Finkel and Manber 1988)."""
    for stride in strides_below(op.ranks):
        yield op.moved(op.places, op.places + stride, _NOTICE_BYTES)


def barrier_recursive_doubling(op: Collective) -> Iterator[CallStep]:
    """Exchanges with ranks twice as far; those beyond the core fold."""
    notices = _notices(op)
    yield from _folded(notices)
    for ranks, peers in _core_exchanges(op.ranks):
        yield notices.moved(ranks, peers)
    yield from _unfolded(notices)


def barrier_tree(op: Collective) -> Iterator[CallStep]:
    """Up a binomial tree, and down again."""
    for stride in strides_below(op.ranks):
        senders = np.arange(stride, op.ranks, 2 * stride)
        yield op.moved(senders, senders - stride, _NOTICE_BYTES)
    yield from bcast_binomial(_notices(op))


def barrier_linear(op: Collective) -> Iterator[CallStep]:
    """To rank 0, which answers all."""
    notices = _notices(op)
    yield from gather_linear(notices)
    yield from scatter_linear(notices)
