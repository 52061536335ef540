"""Where ranks of grids, pairs and whole jobs lie on the T3E's torus, and what that costs.

Pairs are neighbours along the first axis of a grid, in order, sorted, or by least load: what Müller
and Resch say of them besides figures is from which size on many pairs lose, and whether sorting
helps. Who pairs with whom isn't printed.

Jobs exchange with their neighbours on an open grid, ranks sorted over the torus. PEs are those of
the machine in its own numbering; which the paper's jobs had isn't printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from leadline.mapping import RankMapping, evaluate, map_by, map_ranks
from leadline.mapping.interference import share_machine
from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.papers.simulation import CellSpec, in_a_loop, times_of
from leadline.papers.t3e_mapping import printed as t3e_mapping
from leadline.record.run import Cadence
from leadline.simulate.campaign import PAPER, Setup, SimulatedJob, simulated
from leadline.simulate.machine import MachineModel
from leadline.topology.allocation import Allocation
from leadline.topology.communication import Graph
from leadline.topology.job import Job
from leadline.topology.networks import Int64, Machine
from leadline.topology.words import open_grid


def sorted_over(slots: Machine, dims: tuple[int, ...]) -> Int64:
    """The slot of each rank; `slots`: as many as the grid, of a torus."""
    permutation = map_by("sort", open_grid(dims), slots, steps=0)
    assert permutation is not None  # a torus has axes to sort over
    return permutation


def average_hops(slots: Machine, dims: tuple[int, ...], mapping: Int64) -> float:
    """Between neighbours of the grid."""
    return evaluate(open_grid(dims), slots, mapping).average_hops


# -- pairs -----------------------------------------------------------------------------------------


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
    """Pairs on a number of PEs, and where their ranks are in each way."""

    pes: int
    slots: dict[str, tuple[int, ...]]

    def cell_at(self, way: str) -> Callable[[int], CellSpec]:
        """By size."""
        return lambda size: in_a_loop(DIRECT, "pair", self.pes, size).on(self.slots[way])


def pairs_of(machine: MachineModel, dims: tuple[int, ...]) -> Pairs:
    """The pattern's pairs are rank and rank + PEs / 2: its lower half has the lower partners."""
    pes, apart = prod(dims), prod(dims[1:])
    ranks = np.arange(pes)
    lower = ranks[ranks // apart % 2 == 0]
    order = np.concatenate([lower, lower + apart])
    torus = machine.allocate(pes).machine
    partner = np.empty(pes, dtype=np.int64)
    partner[order] = np.roll(order, pes // 2)
    pairs = Graph(np.arange(pes + 1), partner, np.ones(pes))
    slots = {
        IN_ORDER: ranks,
        SORTED: sorted_over(torus, dims),
        BY_LOAD: map_ranks(pairs, torus, metric="load").permutation,  # of the busiest link
    }
    return Pairs(pes, {way: tuple(of_ranks[order].tolist()) for way, of_ranks in slots.items()})


def least_share(machine: MachineModel) -> float:
    """The least share of two PEs' rate that 64 in order have, at all of UNTIL_BYTES."""
    two, many = (pairs_of(machine, dims).cell_at(IN_ORDER) for dims in (PAIR_GRIDS[0], CUBE))
    pairs_of_cells = [(two(size), many(size)) for size in UNTIL_BYTES]
    times = times_of([spec for both in pairs_of_cells for spec in both], lambda _: machine)
    return min(times[alone] / times[together] for alone, together in pairs_of_cells)


def share_no_slower(machine: MachineModel) -> float:
    """The share of PAIR_GRIDS and SIZES in which pairs are no slower sorted than in order."""
    cases = [
        (pairs.cell_at(IN_ORDER)(size), pairs.cell_at(SORTED)(size))
        for pairs in (pairs_of(machine, dims) for dims in PAIR_GRIDS)
        for size in SIZES
    ]
    times = times_of([spec for both in cases for spec in both], lambda _: machine)
    kept = [times[reordered] <= NO_SLOWER * times[in_order] for in_order, reordered in cases]
    return sum(kept) / len(kept)


def gain_sorted(machine: MachineModel) -> float:
    """How many times as fast 64 PEs' long messages are sorted as in order."""
    pairs = pairs_of(machine, CUBE)
    in_order, reordered = (pairs.cell_at(way)(LONG_BYTES) for way in (IN_ORDER, SORTED))
    times = times_of([in_order, reordered], lambda _: machine)
    return times[in_order] / times[reordered]


# -- partitions ------------------------------------------------------------------------------------


LIBRARY = "cray-mpi-direct"
LONG_CUBE = (8, 8, 4)
HALO_BYTES = 1_000_000
PART, GAP = 128, 64
"""PEs of either part of LONG_CUBE, and between them."""
OTHERS_PE = 5
"""One in so many PEs is another's."""
STRIDE, SCATTERED = 37, 256
"""How far apart a scattered job's PEs lie, around so many."""
SWAPS = 2000


def beside_parts(machine: MachineModel) -> float:
    """A halo's time beside one whose halves lie around it, over beside one that lies whole."""
    pes = prod(CUBE)
    own = range(pes, 2 * pes)
    whole = range(2 * pes, 3 * pes)
    parts = (*range(pes // 2, pes), *range(2 * pes, 2 * pes + pes // 2))
    return _seconds(machine, CUBE, own, parts) / _seconds(machine, CUBE, own, whole)


def in_parts(machine: MachineModel) -> float:
    """A halo's time on two parts with others between them, over on as many that lie together."""
    parts = (*range(PART), *range(PART + GAP, 2 * PART + GAP))
    return _seconds(machine, LONG_CUBE, parts) / _seconds(machine, LONG_CUBE, range(2 * PART))


def disturbed(machine: MachineModel) -> float:
    """Hops of a sorted grid among PEs that are another's, over those without."""
    pes = prod(CUBE)
    holes = [pe for pe in range(2 * pes) if pe % OTHERS_PE != OTHERS_PE // 2][:pes]
    return _sorted_hops(machine, holes) / _sorted_hops(machine, range(pes))


def divided(machine: MachineModel) -> float:
    """The share of two scattered jobs' load on each other's links that dividing PEs leaves."""
    pes = prod(CUBE)
    order = [STRIDE * pe % SCATTERED for pe in range(2 * pes)]
    jobs = [
        Job(name, open_grid(CUBE), _allocation(machine, sorted(own_pes)))
        for name, own_pes in (("first", order[:pes]), ("second", order[pes:]))
    ]
    sharing = share_machine(_allocation(machine, range(SCATTERED)), jobs, _mapped, _mapped)
    return sharing.divided.foreign / sharing.before.foreign


def _mapped(job: Job) -> RankMapping:
    return map_ranks(job.pattern, job.allocation.machine, steps=SWAPS)


def _allocation(machine: MachineModel, pes: Sequence[int]) -> Allocation:
    """These of all PEs."""
    whole = machine.allocate(len(machine.whole()))
    return whole.take(np.array(pes))


def _sorted_hops(machine: MachineModel, pes: Sequence[int]) -> float:
    slots = _allocation(machine, pes).machine
    return average_hops(slots, CUBE, sorted_over(slots, CUBE))


def _seconds(
    machine: MachineModel, dims: tuple[int, ...], pes: Sequence[int], beside: Sequence[int] = ()
) -> float:
    """Time of a halo, while another goes on beside it if PEs of one are given."""
    others = [_job(machine, dims, beside)] if beside else []
    own = _job(machine, dims, pes)
    return simulated(own.setup, own.cells, lambda _: None, others).ranks[0].seconds[0]


def _job(machine: MachineModel, dims: tuple[int, ...], pes: Sequence[int]) -> SimulatedJob:
    pattern = f"halo:{'x'.join(map(str, dims))}"
    request = Request(
        patterns=(pattern,), sizes=(HALO_BYTES,), ranks=(len(pes),), cadence=Cadence.STREAMING
    )
    pool = _allocation(machine, pes)
    setup = Setup("", machine, machine.profiles[LIBRARY], PAPER, pool=pool)
    return SimulatedJob(pattern, setup, described_cells(request))
