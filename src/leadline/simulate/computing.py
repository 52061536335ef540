"""What applications compute on a machine: what of it costs nothing there, and who communicates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from leadline.measure.cells import PlannedCell
from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Cell
from leadline.simulate.machine import Compute, MachineModel
from leadline.simulate.tasks import Tasks
from leadline.simulate.timing import Timed, communicating_shares, seconds_of
from leadline.topology.networks import Float64

FREE = Compute()


def timed(tasks: Tasks, ended: Float64, planned: PlannedCell, compute: Compute) -> Timed:
    """What the cell takes; of an application that computes at some cost its ranks' shares, too."""
    cell: Cell = planned.cell
    seconds = seconds_of(tasks, ended, cell)
    if planned.problem is None or compute == FREE:
        return Timed(seconds)
    shares = communicating_shares(tasks, ended, cell)
    return Timed(seconds, float(np.mean(shares)), float(np.max(shares)))


def free_computing(
    machines: Iterable[MachineModel], cells: Iterable[PlannedCell]
) -> Iterator[Caveat]:
    """What of the computing of applications among `cells` costs nothing on each machine."""
    labels = ", ".join(dict.fromkeys(one.choice.label for one in cells if one.problem))
    for name, free in dict.fromkeys((one.name, _free(one.compute)) for one in machines):
        if labels and free:
            yield CaveatKind.FREE_COMPUTING.because(f"{labels} on {name}: {free} cost nothing")


def _free(compute: Compute) -> str:
    """What of computing; "": nothing."""
    rates = {"operations": compute.flop_per_s, "bytes read and written": compute.bytes_per_s}
    return " and ".join(what for what, rate in rates.items() if math.isinf(rate))
