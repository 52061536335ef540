"""Broadcasts: the root's bytes to every rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from leadline.simulate.programs import allgathers, rooted_blocks
from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.collective import Collective, divided, strides_below
from leadline.topology.networks import Int64

SEGMENT_BYTES = 8192
"""Of a pipeline, at most."""


def binomial(of: Collective) -> Iterator[CallStep]:
    """In each round all that have it send it to as many others."""
    for stride in strides_below(of.ranks):
        places = np.arange(min(stride, of.ranks - stride))
        yield of.moved(places, places + stride)


def four_nomial(of: Collective) -> Iterator[CallStep]:
    """In each round all that have it send it to three times as many others."""
    for places, peers in four_nomial_rounds(of.ranks):
        yield of.moved(places, peers)


def four_nomial_rounds(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """Who sends and to whom, one message of each after the other."""
    stride = 1
    while stride < ranks:
        for far in (1, 2, 3):
            places = np.arange(max(0, min(stride, ranks - far * stride)))
            yield places, places + far * stride
        stride *= 4


def binary(of: Collective) -> Iterator[CallStep]:
    """Down a heap, to the left child first."""
    for places, peers in binary_rounds(of.ranks):
        yield of.moved(places, peers)


def binary_rounds(ranks: int) -> Iterator[tuple[Int64, Int64]]:
    """Parents and their left, then their right children, level by level."""
    first = 0
    while 2 * first + 1 < ranks:
        for child in (1, 2):
            parents = np.arange(first, 2 * first + 1)
            parents = parents[2 * parents + child < ranks]
            yield parents, 2 * parents + child
        first = 2 * first + 1


def linear(of: Collective) -> Iterator[CallStep]:
    """The root sends it to one rank after the other."""
    return rooted_blocks.linear_scatter(of)


def scatter_and_ring(of: Collective) -> Iterator[CallStep]:
    """A part to each rank, then the parts around a ring (van de Geijn; Thakur et al. 2005)."""
    parts = _parts(of)
    yield from rooted_blocks.binomial_scatter(parts)
    yield from allgathers.ring(parts)


def scatter_and_doubling(of: Collective) -> Iterator[CallStep]:
    """A part to each rank, then exchanges of all that a rank has with ranks twice as far."""
    parts = _parts(of)
    parts.check_power_of_two("scatter + recursive doubling")
    yield from rooted_blocks.binomial_scatter(parts)
    yield from allgathers.recursive_doubling(parts)


def _parts(of: Collective) -> Collective:
    """The message as a block for each place."""
    blocks = np.empty(of.ranks, dtype=np.int64)
    blocks[of.at(of.places)] = divided(of.size_bytes, of.ranks)
    return replace(of, blocks=blocks)


def pipeline(of: Collective) -> Iterator[CallStep]:
    """Along a chain in segments: a rank passes one on while it receives the next."""
    for _, step in chained(of, of.places[:-1], of.places[1:]):
        yield step


def chained(
    of: Collective, sources: Int64, destinations: Int64
) -> Iterator[tuple[list[int], CallStep]]:
    """Each segment in two steps, and which has come after each: it comes, then it is passed on."""
    whose, to = of.at(sources), of.at(destinations)
    before: list[int] = []
    for now in [*([one] for one in segments(of.size_bytes)), []]:
        leaving = [sent(whose, to, one, of.tag) for one in before]
        coming = [received(to, whose, one, of.tag) for one in now]
        yield now, CallStep((*leaving, *coming))
        before = now


def segments(size_bytes: int) -> list[int]:
    """The bytes of each segment of a message: none is longer than SEGMENT_BYTES."""
    count = max(1, -(-size_bytes // SEGMENT_BYTES))
    lengths: list[int] = divided(size_bytes, count, 8 if size_bytes % 8 == 0 else 1).tolist()
    return lengths
