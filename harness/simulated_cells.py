"""What cells take on machines that come along, as `leadline simulate` writes it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.simulate.campaign import Setup, simulated
from leadline.simulate.machine import MachineModel
from leadline.topology.networks import Int64


def seconds(
    machine: MachineModel,
    library: str,
    pattern: str,
    ranks: int,
    size_bytes: int,
    slots: Sequence[int] | str = "default",
) -> float:
    """Of one cell; `slots`: of each rank, or a mapping's name."""
    mapping, files = (slots, {}) if isinstance(slots, str) else ("slots", {"slots": tuple(slots)})
    setup = Setup("", machine, machine.profiles[library], mapping, files)
    cells = described_cells(Request(patterns=(pattern,), sizes=(size_bytes,), ranks=(ranks,)))
    return simulated(setup, cells, lambda _: None).ranks[0].seconds[0]


def halves(ranks: int, apart: int) -> Int64:
    """The pattern's pairs are rank and rank + ranks / 2: slots that make them so far `apart`."""
    lower = np.flatnonzero(np.arange(ranks) // apart % 2 == 0)
    return np.concatenate([lower, lower + apart])
