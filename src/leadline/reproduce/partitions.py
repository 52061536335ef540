"""What where a job's PEs lie costs it, and the jobs beside it: Müller and Resch's conclusions.

All jobs exchange with their neighbours on an open grid, ranks sorted over the torus. PEs are those
of the machine in its own numbering; which the paper's jobs had isn't printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from leadline.mapping import RankMapping, map_ranks
from leadline.mapping.interference import share_machine
from leadline.measure.spec import Order
from leadline.measure.tracing import described_cells
from leadline.record.run import Cadence
from leadline.reproduce.sorting import average_hops, sorted_over
from leadline.simulate.campaign import PAPER, Setup, SimulatedJob, simulated
from leadline.simulate.machine import MachineModel
from leadline.topology.allocation import Allocation
from leadline.topology.job import Job
from leadline.topology.words import open_grid

LIBRARY = "cray-mpi-direct"
CUBE, LONG_CUBE = (4, 4, 4), (8, 8, 4)
LONG_BYTES = 1_000_000
PART, GAP = 128, 64
"""PEs of either part of LONG_CUBE, and between them."""
OTHERS_PE = 5
"""Of so many PEs one is another's."""
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
    holes = [one for one in range(2 * pes) if one % OTHERS_PE != OTHERS_PE // 2][:pes]
    return _sorted_hops(machine, holes) / _sorted_hops(machine, range(pes))


def divided(machine: MachineModel) -> float:
    """Of what two scattered jobs put on each other's links: what dividing their PEs anew leaves."""
    pes = prod(CUBE)
    order = [STRIDE * one % SCATTERED for one in range(2 * pes)]
    jobs = [
        Job(name, open_grid(CUBE), _allocation(machine, sorted(mine)))
        for name, mine in (("first", order[:pes]), ("second", order[pes:]))
    ]
    found = share_machine(_allocation(machine, range(SCATTERED)), jobs, _mapped, _mapped)
    return found.divided.foreign / found.before.foreign


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
    """Of a halo, while another goes on beside it if PEs of one are told."""
    others = [_job(machine, dims, beside)] if beside else []
    own = _job(machine, dims, pes)
    return simulated(own.setup, own.cells, lambda _: None, others).ranks[0].seconds[0]


def _job(machine: MachineModel, dims: tuple[int, ...], pes: Sequence[int]) -> SimulatedJob:
    pattern = f"halo:{'x'.join(map(str, dims))}"
    order = Order(
        patterns=(pattern,), sizes=(LONG_BYTES,), ranks=(len(pes),), cadence=Cadence.STREAMING
    )
    pool = _allocation(machine, pes)
    setup = Setup("", machine, machine.profiles[LIBRARY], PAPER, pool=pool)
    return SimulatedJob(pattern, setup, described_cells(order))
