"""Pairs of neighbours along the first axis of the T3E's grids, in order, sorted, by least load.

What Müller and Resch say of them besides figures: from which size on many pairs lose, and whether
sorting helps. Who pairs with whom isn't printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from leadline.mapping import map_ranks
from leadline.reproduce.asked import Asked, in_a_loop, times_of
from leadline.reproduce.sorting import sorted_over
from leadline.simulate.machine import MachineModel
from leadline.studies.published import t3e_mapping
from leadline.topology.communication import Graph
from leadline.topology.networks import Int64

DIRECT = "cray-t3e-900", "cray-mpi-direct"
LONG_BYTES = t3e_mapping.EXCHANGED_BYTES
"""What tables 2 and 3 exchange; large for pairs and halos too."""
PAIR_GRIDS = ((2, 1, 1), (2, 2, 1), (2, 2, 2), (4, 2, 2), (4, 4, 2), (4, 4, 4), (8, 4, 4))
"""2 to 128 PEs, of which neighbours along the first axis pair up."""
IN_ORDER, SORTED, BY_LOAD = "in order", "sorted", "least load"
CUBE = (4, 4, 4)
UNTIL_BYTES = (64, 256, 1000, 4000, 10_000)
"""Sizes at which the paper sees no contention yet."""
SIZES = (256, 1024, 10_000, 131_072, LONG_BYTES)
NO_SLOWER = 1 + 1e-9
"""Sums of the same rates, in another order, differ in the last bits."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Of one number of PEs, and where their ranks are in each way."""

    pes: int
    slots: dict[str, tuple[int, ...]]

    def asked(self, way: str) -> Callable[[int], Asked]:
        """By size."""
        return lambda size: in_a_loop(DIRECT, "pair", self.pes, size).on(self.slots[way])


def pairs_of(machine: MachineModel, dims: tuple[int, ...]) -> Pairs:
    """The pattern's pairs are rank and rank + PEs / 2: its lower half has the lower partners."""
    pes, apart = prod(dims), prod(dims[1:])
    ranks = np.arange(pes)
    lower = ranks[ranks // apart % 2 == 0]
    order = np.concatenate([lower, lower + apart])
    laid = sorted_over(machine.allocate(pes).machine, dims)
    slots = {IN_ORDER: ranks, SORTED: laid, BY_LOAD: _loaded(machine, order)}
    return Pairs(pes, {way: tuple(found[order].tolist()) for way, found in slots.items()})


def _loaded(machine: MachineModel, order: Int64) -> Int64:
    """Where the busiest link has least of the pairs that `order` has in its halves."""
    pes = len(order)
    partner = np.empty(pes, dtype=np.int64)
    partner[order] = np.roll(order, pes // 2)
    pairs = Graph(np.arange(pes + 1), partner, np.ones(pes))
    return map_ranks(pairs, machine.allocate(pes).machine, metric="load").permutation


def least_share(machine: MachineModel) -> float:
    """Of the rate that two PEs have, what 64 in order have at least, at all of UNTIL_BYTES."""
    two, many = (pairs_of(machine, dims).asked(IN_ORDER) for dims in (PAIR_GRIDS[0], CUBE))
    asked = [(two(size), many(size)) for size in UNTIL_BYTES]
    times = times_of([one for both in asked for one in both], lambda _: machine)
    return min(times[alone] / times[together] for alone, together in asked)


def share_no_slower(machine: MachineModel) -> float:
    """Of all PAIR_GRIDS at all SIZES, in how many pairs are no slower sorted than in order."""
    cases = [
        (pairs.asked(IN_ORDER)(size), pairs.asked(SORTED)(size))
        for pairs in (pairs_of(machine, dims) for dims in PAIR_GRIDS)
        for size in SIZES
    ]
    times = times_of([one for both in cases for one in both], lambda _: machine)
    kept = [times[laid] <= NO_SLOWER * times[in_order] for in_order, laid in cases]
    return sum(kept) / len(kept)


def gain_sorted(machine: MachineModel) -> float:
    """How many times as fast 64 PEs' long messages are sorted as in order."""
    pairs = pairs_of(machine, CUBE)
    in_order, laid = (pairs.asked(way)(LONG_BYTES) for way in (IN_ORDER, SORTED))
    times = times_of([in_order, laid], lambda _: machine)
    return times[in_order] / times[laid]
