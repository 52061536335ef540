"""Flows on a torus beside SimGrid: the same random messages, each held to when it arrives there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.simgrid_flows import SimGrid
from harness.torus_traffic import permutation, random_traffic

from leadline.simulate.flow import flow


@pytest.fixture(scope="module")
def simgrid(tmp_path_factory: pytest.TempPathFactory) -> SimGrid:
    scratch: Path = tmp_path_factory.mktemp("simgrid")
    return SimGrid(scratch)


@pytest.mark.parametrize("seed", [0, 2, 3, 5, 8])
def test_messages_arrive_when_simgrid_says(simgrid: SimGrid, seed: int) -> None:
    traffic = random_traffic(seed)
    theirs, _ = simgrid.arrivals(traffic)
    assert flow(traffic.graph()).ended_s == pytest.approx(theirs, rel=1e-9)


def test_other_capacities_would_be_seen(simgrid: SimGrid) -> None:
    traffic = permutation((4, 4, 2), np.random.default_rng(1))
    theirs, _ = simgrid.arrivals(traffic)
    graph = traffic.graph()
    slower = replace(graph, capacity_bytes_per_s=0.97 * graph.capacity_bytes_per_s)
    assert np.all(flow(slower).ended_s > 1.02 * theirs)
