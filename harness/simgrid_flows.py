"""When messages on a torus arrive by SimGrid (Debian's libsimgrid-dev, seen with 3.32)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from harness.places import PROGRAMS
from harness.torus_traffic import Traffic
from leadline.topology.networks import Float64

SOURCE = PROGRAMS / "flows_simgrid.cpp"
PURE = (
    "network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e15",
    "network/weight-S:0", "surf/precision:1e-9", "maxmin/precision:1e-9",
)  # fmt: skip
"""Bandwidths are shared max-min fair and nothing else takes time."""


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
