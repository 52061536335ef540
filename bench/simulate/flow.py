"""The flow engine beside SimGrid (Debian's libsimgrid-dev, seen with 3.32), and how it grows.

Goals: completion times of 50 random traffic patterns on up to 512 processors of a torus within 1 %
of SimGrid's; a halo exchange on 512 at least 20 times faster than it; a uniform phase on 32,768 in
50 ms, a random permutation on 4,096 in 1 s and on 32,768 in 30 s; a million within 8 GiB.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from harness.simgrid_flows import SimGrid
from harness.torus_traffic import Traffic, halo, permutation, random_traffic, uniform

from leadline.simulate.flow import TaskGraph, flow
from leadline.topology.networks import Float64

PATTERNS = 50
TRIALS = 5
"""The longest time here counts, and SimGrid's shortest."""
LIMIT_DIFFERENCE, LEAST_SPEED_UP = 0.01, 20.0
LIMIT_GIB = 8.0


def measure() -> dict[str, Any]:
    """Every figure, and whether all goals are reached."""
    flow(uniform((2, 2)).graph())  # compiles
    speed = [_speed_row(*row) for row in _phases()]
    with tempfile.TemporaryDirectory() as scratch:
        beside = _beside(SimGrid(Path(scratch)))
    gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    reached = all(row["reached"] for row in (*speed, *beside)) and gib <= LIMIT_GIB
    return {"speed": speed, "beside_simgrid": beside, "most_gib": gib, "reached": reached}


def _phases() -> Sequence[tuple[str, Traffic, float | None]]:
    """Name, traffic, and the most seconds that are allowed."""
    random = np.random.default_rng(1)
    return [
        ("uniform 4,096", uniform((16, 16, 16)), None),
        ("uniform 32,768", uniform((32, 32, 32)), 0.05),
        ("uniform 262,144", uniform((64, 64, 64)), None),
        ("uniform 1,000,000", uniform((100, 100, 100)), None),
        ("permutation 512", permutation((8, 8, 8), random), None),
        ("permutation 4,096", permutation((16, 16, 16), random), 1.0),
        ("permutation 32,768", permutation((32, 32, 32), random), 30.0),
        ("halo 32,768", halo((32, 32, 32), random), None),
    ]


def _speed_row(name: str, traffic: Traffic, limit_s: float | None) -> dict[str, Any]:
    took_s, processor_s, times = _worst_of(traffic.graph())
    return {
        "phase": name,
        "took_ms": 1e3 * took_s,
        "processor_ms": 1e3 * processor_s,
        "limit_ms": None if limit_s is None else 1e3 * limit_s,
        "ends_ms": 1e3 * float(times.max()),
        "reached": limit_s is None or took_s <= limit_s,
    }


def _worst_of(graph: TaskGraph) -> tuple[float, float, Float64]:
    """The longest time that `flow` took, s, that of the processor alone, and what it found."""
    took: list[tuple[float, float]] = []
    for _ in range(TRIALS):
        begin = time.perf_counter(), time.process_time()
        ended = flow(graph).ended_s
        took.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
    elapsed_s, processor_s = map(max, zip(*took, strict=True))
    return elapsed_s, processor_s, ended


def _beside(simgrid: SimGrid) -> list[dict[str, Any]]:
    worst = worst_message = 0.0
    for seed in range(PATTERNS):
        traffic = random_traffic(seed)
        ours, theirs = flow(traffic.graph()).ended_s, simgrid.arrivals(traffic)[0]
        worst = max(worst, abs(float(ours.max() / theirs.max()) - 1))
        worst_message = max(worst_message, float(np.abs(ours / theirs - 1).max()))
    exchange = halo((8, 8, 8), np.random.default_rng(2))
    ours_s = _worst_of(exchange.graph())[0]
    theirs_s = min(simgrid.arrivals(exchange)[1] for _ in range(TRIALS))
    return [
        {
            "patterns": PATTERNS,
            "worst_difference": worst,
            "worst_of_a_message": worst_message,
            "reached": worst <= LIMIT_DIFFERENCE,
        },
        {
            "halo": "512",
            "took_ms": 1e3 * ours_s,
            "simgrid_ms": 1e3 * theirs_s,
            "times_faster": theirs_s / ours_s,
            "reached": theirs_s / ours_s >= LEAST_SPEED_UP,
        },
    ]
