"""Collectives on simulated machines: what they take there is known by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from harness.smpi_collectives import Machine, Simulator

from leadline.record.run import Origin

RANKS, SIZES = (2, 3, 4), (1024, 1 << 20)
LATENCY_S, BYTES_PER_S = 1e-6, 1e9


def test_messages_take_the_time_of_their_links(tmp_path: Path) -> None:
    simulator = Simulator(tmp_path, RANKS)
    machine = Machine(LATENCY_S, BYTES_PER_S)
    found = simulator.collective("bcast", "binomial_tree", machine, SIZES)
    assert (found.origin, found.pattern, found.ranks) == (Origin.SIMULATED, "bcast", RANKS)
    assert found.sizes_bytes == SIZES
    # a message crosses two links; two follow each other to three ranks, whose start-up also waits
    one = 2 * LATENCY_S + np.array(SIZES) / BYTES_PER_S
    assert found.seconds[0, :, 0] == pytest.approx(one, rel=0.05)
    assert found.seconds[2, 1, 0] == pytest.approx(2 * one[1], rel=0.05)


def test_simulation_that_ends_with_an_error_says_which(tmp_path: Path) -> None:
    simulator = Simulator(tmp_path, RANKS)
    with pytest.raises(RuntimeError, match="alltoall by pair"):
        simulator.collective("alltoall", "pair", Machine(1e-6, 1e9), SIZES, (3,))
