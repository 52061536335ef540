"""The flow engine beside SimGrid (Debian's libsimgrid-dev, seen with 3.32), and how it grows.

Goals: completion times of 50 random traffic patterns on up to 512 processors of a torus within 1 %
of SimGrid's; a halo exchange on 512 at least 20 times faster than it; a uniform phase on 32,768 in
50 ms, a random permutation on 4,096 in 1 s and on 32,768 in 30 s; a million within 8 GiB.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from leadline.mapping.routes import links_of, route
from leadline.simulate.flow import TaskGraph, flow
from leadline.topology.networks import Float64, Int64, Torus

SOURCE = Path(__file__).parent / "reference" / "flows_simgrid.cpp"
PATTERNS = 50
TRIALS = 5
"""The longest time here counts, and SimGrid's shortest."""
LIMIT_DIFFERENCE, LEAST_SPEED_UP = 0.01, 20.0
LIMIT_GIB = 8.0
LINK, OUT, IN, BUS = 340e6, 342e6, 342e6, 400e6
"""B/s; of a Cray T3E, so that links and nodes limit in turn."""
PURE = (
    "network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e15",
    "network/weight-S:0", "surf/precision:1e-9", "maxmin/precision:1e-9",
)  # fmt: skip
"""Bandwidths are shared max-min fair and nothing else takes time."""


@dataclass(frozen=True)
class Traffic:
    """Messages on a torus with a processor a vertex."""

    dims: tuple[int, ...]
    sources: Int64
    destinations: Int64
    sizes: Float64
    delays: Float64
    waits: Int64
    """1: a message waits for the one before it."""

    def graph(self) -> TaskGraph:
        """Links, then of all vertices ways out, ways in, buses."""
        network = Torus(self.dims, (True,) * len(self.dims))
        vertices, links = int(np.prod(self.dims)), links_of(network)
        starts, passed = route(network, self.sources, self.destinations)
        ends = np.stack([
            links + self.sources, links + vertices + self.destinations,
            links + 2 * vertices + self.sources, links + 2 * vertices + self.destinations,
        ], axis=1)  # fmt: skip
        routes = np.insert(passed, np.repeat(starts[1:], 4), ends.reshape(-1))
        capacity = np.repeat([LINK, OUT, IN, BUS], [links, vertices, vertices, vertices])
        count = len(self.sources)
        return TaskGraph(
            capacity_bytes_per_s=capacity,
            delay_s=self.delays,
            size_bytes=self.sizes,
            most_bytes_per_s=np.full(count, np.inf),
            route_starts=starts + 4 * np.arange(count + 1),
            routes=routes,
            after_starts=np.concatenate([[0], np.cumsum(self.waits)]),
            after=np.flatnonzero(self.waits) - 1,
        )


# -- patterns --------------------------------------------------------------------------------------


def at_once(dims: tuple[int, ...], sources: Int64, destinations: Int64) -> Traffic:
    """A megabyte for each pair, all at the same time."""
    moved = sources != destinations
    count = int(np.count_nonzero(moved))
    return Traffic(
        dims, sources[moved], destinations[moved], np.full(count, 1e6), np.zeros(count),
        np.zeros(count, dtype=np.int64),
    )  # fmt: skip


def neighbour(dims: tuple[int, ...], axis: int, step: int) -> Int64:
    """Of each vertex, `step` along `axis`."""
    return np.roll(np.arange(np.prod(dims)).reshape(dims), -step, axis).reshape(-1)


def uniform(dims: tuple[int, ...]) -> Traffic:
    """Everybody to the next one along the last axis."""
    return at_once(dims, np.arange(np.prod(dims)), neighbour(dims, len(dims) - 1, 1))


def permutation(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody to somebody, each once."""
    count = int(np.prod(dims))
    return at_once(dims, np.arange(count), random.permutation(count))


def halo(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody to all of its neighbours in a grid, which lies on the torus in any order."""
    order = random.permutation(int(np.prod(dims)))
    steps = [(axis, step) for axis in range(len(dims)) for step in (-1, 1)]
    destinations = [order[neighbour(dims, axis, step)] for axis, step in steps]
    return at_once(dims, np.tile(order, len(steps)), np.concatenate(destinations))


def chains(dims: tuple[int, ...], random: np.random.Generator) -> Traffic:
    """Everybody sends up to three messages of any size to anybody, with pauses, one by one."""
    vertices = int(np.prod(dims))
    lengths = random.integers(1, 4, vertices)
    sources = np.repeat(np.arange(vertices), lengths)
    count = len(sources)
    others = (sources + random.integers(1, vertices, count)) % vertices
    waits = np.ones(count, dtype=np.int64)
    waits[np.cumsum(lengths) - lengths] = 0
    sizes = random.integers(1_000, 2_000_000, count).astype(np.float64)
    return Traffic(dims, sources, others, sizes, random.uniform(0, 0.01, count), waits)


def random_traffic(seed: int) -> Traffic:
    """On 8 to 512 processors."""
    random = np.random.default_rng(seed)
    dims = tuple(int(length) for length in random.integers(2, 9, 3))
    return (permutation, halo, chains)[seed % 3](dims, random)


# -- SimGrid ---------------------------------------------------------------------------------------


class SimGrid:
    """The reference program, compiled in a directory."""

    def __init__(self, scratch: Path) -> None:
        """Compiles; RuntimeError where libsimgrid-dev is missing."""
        self._scratch, self._program = scratch, scratch / "flows_simgrid"
        command: list[str | Path] = [
            "g++",
            "-O2",
            "-std=c++17",
            "-o",
            self._program,
            SOURCE,
            "-lsimgrid",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"apt-get install g++ libsimgrid-dev: {done.stderr[-300:]}")

    def arrivals(self, traffic: Traffic) -> tuple[Float64, float]:
        """When each message arrives, s; and how long the simulation took, s."""
        (self._scratch / "traffic").write_text(_written(traffic))
        command: list[str | Path] = [
            "timeout",
            "-k",
            "5",
            "300",
            self._program,
            self._scratch / "traffic",
        ]
        command += [f"--cfg={option}" for option in PURE] + ["--log=root.thres:critical"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return np.array(done.stdout.split(), dtype=np.float64), float(done.stderr)


def _written(traffic: Traffic) -> str:
    """As the reference program reads it."""
    graph = traffic.graph()
    capacities = graph.capacity_bytes_per_s
    lines = [
        f"{np.prod(traffic.dims)} {len(capacities)} {len(traffic.sources)}",
        " ".join(map(str, capacities)),
    ]
    for i, size in enumerate(traffic.sizes):
        passed = graph.routes[graph.route_starts[i] : graph.route_starts[i + 1]]
        ends = f"{traffic.sources[i]} {traffic.destinations[i]} {traffic.waits[i]}"
        links = " ".join(map(str, passed))
        lines.append(f"{ends} {float(traffic.delays[i])!r} {size} {len(passed)} {links}")
    return "\n".join(lines) + "\n"


# -- figures ---------------------------------------------------------------------------------------


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
