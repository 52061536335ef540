"""Blocks of all ranks combined, a block of the result on each rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.models.algorithms import core_of
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import Collective, ends_of, strides_below
from leadline.simulate.programs.folding import folded_and_combined, partners_of, unfolded
from leadline.topology.networks import Int64


def pairwise(of: Collective) -> Iterator[CallStep]:
    """In round k each rank sends its block to the rank k ahead, which combines it."""
    for step in range(1, of.ranks):
        yield of.moved(of.places, of.places + step, of.blocks_at(of.places + step))
        yield of.combined(of.places, of.blocks_at(of.places))


def ring(of: Collective) -> Iterator[CallStep]:
    """Each block goes once around the ring, and every rank combines its own with it."""
    for step in range(1, of.ranks):
        yield of.moved(of.places, of.places + 1, of.blocks_at(of.places - step))
        yield of.combined(of.places, of.blocks_at(of.places - step - 1))


def recursive_halving(of: Collective) -> Iterator[CallStep]:
    """Ranks beyond the largest power of two fold all of theirs, and get a block back."""
    core, beyond = core_of(of.ranks), of.blocks[core_of(of.ranks) :]
    parts = of.blocks[:core].copy()
    parts[: len(beyond)] += beyond
    yield from folded_and_combined(of, int(of.blocks.sum()))
    yield from halved(of, parts)
    yield from unfolded(of, of.blocks[core + partners_of(of.ranks)])


def halved(of: Collective, parts: Int64) -> Iterator[CallStep]:
    """Each of the first places, a power of two of them, is left with its part of all combined."""
    places, ends = np.arange(len(parts)), ends_of(parts)
    for stride in reversed(strides_below(len(parts))):
        peers = places ^ stride
        half = ends[stride:] - ends[:-stride]  # of the parts from each place on
        yield of.moved(places, peers, half[peers // stride * stride])
        yield of.combined(places, half[places // stride * stride])
