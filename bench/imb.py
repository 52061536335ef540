"""Intel MPI Benchmarks' PingPong, from the impi-devel wheel, pinned to cores 0 and 1.

Its binary also runs over MPICH, whose ABI it was linked for; not over Open MPI.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from bench.live import mpi_backends
from leadline.backends.backend import Backend

ROW = re.compile(r"^\s*(\d+)\s+\d+\s+([\d.]+)\s+[\d.]+\s*$", re.MULTILINE)
KINDS = ("impi", "mpich")
TRIAL = 20_000
"""Iterations that tell how many make up the time wanted."""


def imb_for(backend: Backend, size_bytes: int, seconds: float) -> float:
    """The half round trip of `size_bytes` (a power of two) in microseconds, in about `seconds`."""
    per_round_s = 2e-6 * sum(imb(backend, size_bytes, TRIAL).values())
    return imb(backend, size_bytes, max(TRIAL, int(seconds / per_round_s)))[size_bytes]


def imb(backend: Backend, size_bytes: int, iterations: int) -> dict[int, float]:
    """Half round trips in microseconds of 0 B (always measured too) and `size_bytes`."""
    program = Path(str(mpi_backends()["impi"].compiler)).parent / "IMB-MPI1"
    prefix = Path(str(backend.compiler)).parent.parent
    path = ":".join([str(prefix / "lib" / "release"), str(prefix / "lib")])
    environment = os.environ | dict(backend.environment) | {"LD_LIBRARY_PATH": path}
    environment |= {"I_MPI_PIN": "1", "I_MPI_PIN_PROCESSOR_LIST": "0,1"}
    binding = [] if backend.kind == "impi" else ["-bind-to", "user:0,1"]
    power = str(size_bytes.bit_length() - 1)
    argv = [
        str(backend.launcher), *binding, "-n", "2", str(program), "PingPong",
        "-msglog", f"{power}:{power}", "-time", "1000", "-iter", str(iterations),
        "-iter_policy", "off",
    ]  # fmt: skip
    done = subprocess.run(
        ["timeout", "-k", "1", "120", *argv], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    times = {int(size): float(time) for size, time in ROW.findall(done.stdout)}
    if set(times) != {0, size_bytes}:
        raise RuntimeError(f"IMB-MPI1 said: {done.stdout[-300:]}{done.stderr[-300:]}")
    return times
