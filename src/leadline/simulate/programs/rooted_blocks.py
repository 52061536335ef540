"""A block of the root's for each rank, or of each rank's for the root."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.simulate.programs.calls import CallStep, only, received, sent
from leadline.simulate.programs.collective import Collective, ends_of, strides_below
from leadline.topology.networks import Int64


def _others(of: Collective) -> Int64:
    """All ranks but the root, by number."""
    return np.delete(np.arange(of.ranks), of.root)


def linear_gather(of: Collective) -> Iterator[CallStep]:
    """The root receives from one rank after the other."""
    others = _others(of)
    whose = only(of.root, len(others))
    yield CallStep((sent(others, of.root, of.blocks[others], of.tag),))
    yield CallStep((received(whose, others, of.blocks[others], of.tag),), one_by_one=True)


def linear_scatter(of: Collective) -> Iterator[CallStep]:
    """The root sends to one rank after the other."""
    others = _others(of)
    whose = only(of.root, len(others))
    yield CallStep((sent(whose, others, of.blocks[others], of.tag),), one_by_one=True)
    yield CallStep((received(others, of.root, of.blocks[others], of.tag),))


def binomial_gather(of: Collective) -> Iterator[CallStep]:
    """In each round half of the ranks that are left send all that they have."""
    return gathered(of, of.blocks_at(of.places))


def gathered(of: Collective, parts: Int64) -> Iterator[CallStep]:
    """The parts of the first places to the root."""
    for low, high, size_bytes in _edges(parts):
        yield of.moved(high, low, size_bytes)


def binomial_scatter(of: Collective) -> Iterator[CallStep]:
    """In each round all that have blocks send half of them."""
    for low, high, size_bytes in reversed(list(_edges(of.blocks_at(of.places)))):
        yield of.moved(low, high, size_bytes)


def _edges(parts: Int64) -> Iterator[tuple[Int64, Int64, Int64]]:
    """Of a binomial tree from the leaves on: both ends, and the bytes of the parts beyond."""
    ends = ends_of(parts)
    for stride in strides_below(len(parts)):
        high = np.arange(stride, len(parts), 2 * stride)
        size_bytes = ends[np.minimum(high + stride, len(parts))] - ends[high]
        yield high - stride, high, size_bytes
