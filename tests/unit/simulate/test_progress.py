"""What is told of a cell that takes long: its name, then how far it is."""

from __future__ import annotations

import re

from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.simulate.campaign import Setup, simulated
from leadline.simulate.machine_files import machine_named

WHAT = "alltoall 64 KiB on 256 ranks"


def test_a_cell_is_told_before_it_and_then_again_how_far_it_is() -> None:
    on, told = machine_named("cray-t3e-900"), list[str]()
    cells = described_cells(Request(patterns=("alltoall",), sizes=(2**16,), ranks=(256,)))
    simulated(Setup("row", on, on.profiles["mpich"]), cells, told.append)
    assert told[0] == WHAT
    shares = [re.fullmatch(f"{WHAT}: (\\d+) %", one) for one in told[1:]]
    percent = [int(share[1]) for share in shares if share]
    assert len(percent) == len(told) - 1 > 1
    assert percent == sorted(percent)
    assert percent[-1] <= 100
