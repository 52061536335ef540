"""A block of each rank to each other rank: as long as the receiver's, times the sender's length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.simulate.programs.calls import CallStep, received, sent
from leadline.simulate.programs.collective import Collective, strides_below


def pairwise(of: Collective) -> Iterator[CallStep]:
    """In round k each rank sends to the one k ahead and receives from the one k behind."""
    for step in range(1, of.ranks):
        ahead = of.places + step
        yield of.moved(of.places, ahead, of.between(of.places, ahead))


def linear(of: Collective) -> Iterator[CallStep]:
    """All messages at once, each rank's to the ranks ahead of it in turn."""
    ranks = np.repeat(of.places, of.ranks - 1)
    steps = np.tile(np.arange(1, of.ranks), of.ranks)
    ahead, behind = of.at(ranks + steps), of.at(ranks - steps)
    yield CallStep((
        sent(ranks, ahead, of.between(ranks, ahead), of.tag),
        received(ranks, behind, of.between(behind, ranks), of.tag),
    ))  # fmt: skip


def bruck(of: Collective) -> Iterator[CallStep]:
    """In round k all blocks whose distance has bit k, 2^k ranks ahead (Bruck et al. 1997)."""
    for stride in strides_below(of.ranks):
        size_bytes = np.zeros(of.ranks, dtype=np.int64)
        for distance in range(of.ranks):
            if distance & stride:
                gone = distance % stride
                size_bytes += of.between(of.places - gone, of.places - gone + distance)
        yield of.moved(of.places, of.places + stride, size_bytes)
