"""Every rank's block to every rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.errors import UsageError
from leadline.simulate.programs.calls import CallStep
from leadline.simulate.programs.collective import Collective, ends_of, strides_below
from leadline.topology.networks import Int64


def ring(of: Collective) -> Iterator[CallStep]:
    """In p - 1 rounds each rank passes on the block that it got last."""
    for step in range(of.ranks - 1):
        yield of.moved(of.places, of.places + 1, of.blocks_at(of.places - step))


def recursive_doubling(of: Collective) -> Iterator[CallStep]:
    """Exchanges of all that a rank has with ranks twice as far; of a power of two of ranks."""
    of.check_power_of_two("recursive doubling of an allgather")
    return doubled(of, of.blocks_at(of.places))


def doubled(of: Collective, parts: Int64) -> Iterator[CallStep]:
    """The parts of the first places, a power of two of them, to each of these."""
    places, ends = np.arange(len(parts)), ends_of(parts)
    for stride in strides_below(len(parts)):
        first = places // stride * stride
        yield of.moved(places, places ^ stride, ends[first + stride] - ends[first])


def bruck(of: Collective) -> Iterator[CallStep]:
    """All that a rank has to the rank twice as far behind (Bruck et al. 1997)."""
    ends = ends_of(np.tile(of.blocks_at(of.places), 2))
    for stride in strides_below(of.ranks):
        sent = min(stride, of.ranks - stride)
        size_bytes = ends[of.places + sent] - ends[of.places]
        yield of.moved(of.places, of.places - stride, size_bytes)


def neighbor_exchange(of: Collective) -> Iterator[CallStep]:
    """The two blocks that came last to one neighbour, then to the other (Chen et al. 2005).

    Of an even number of ranks; the first exchange is of the own block.
    """
    if of.ranks % 2:
        raise UsageError(
            f"neighbor exchange takes an even number of ranks, seen {of.ranks}; give "
            f"{of.ranks - 1} or {of.ranks + 1} ranks, or another algorithm"
        )
    even = of.places % 2 == 0
    pair, size_bytes = of.places // 2, of.blocks_at(of.places)
    for step in range(of.ranks // 2):
        peers = (of.places + np.where(even == (step % 2 == 0), 1, -1)) % of.ranks
        yield of.moved(of.places, peers, size_bytes)
        pair = pair[peers]
        size_bytes = of.blocks_at(2 * pair) + of.blocks_at(2 * pair + 1)
