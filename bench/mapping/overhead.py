"""What the library that maps ranks costs: a Cartesian communicator of 64 ranks, and all the rest.

Goal: a ping-pong with it takes what it takes without: 1 lies in the interval of 95 %. What the
communicator costs has no goal: 64 ranks on few cores wait for each other in either.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.live import measure as run_campaign
from bench.live import mpi_backends, variant_of
from leadline.backends.backend import Backend
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import JobStep
from leadline.backends.preparation import prepare
from leadline.mapping.preload.build import preload_library

KINDS = ("mpich", "openmpi")
RANKS, TIMES, TURNS = 64, 5, 3
SIZES = (0, 1024)
REFERENCE = Path(__file__).parents[1] / "reference"


def measure() -> dict[str, object]:
    """Seconds of one MPI_Cart_create with and without it, and the ping-pong's ratios."""
    found = mpi_backends()
    backends = {kind: found[kind] for kind in KINDS}
    pingpong = [row for kind, backend in backends.items() for row in _pingpong(kind, backend)]
    return {
        "cart_create": [_cart_create(kind, backend) for kind, backend in backends.items()],
        "pingpong": pingpong,
        "reached": all(row["reached"] for row in pingpong),
    }


def _preloaded(backend: Backend) -> dict[str, str]:
    """The variables with which its programs run under the library."""
    library = preload_library(Path(str(backend.compiler)), backend.environment)
    return {"LD_PRELOAD": str(library)}


def _pingpong(kind: str, backend: Backend) -> list[dict[str, object]]:
    """The ratio of the times with it to those without, with its interval, for each size."""
    plain = variant_of(backend, f"{kind} without")
    around = {**plain.environment, **_preloaded(backend)}
    preloaded = replace(plain, name=f"{kind} with", environment=around)
    medians = run_campaign([plain, preloaded], ["pingpong"], SIZES, budget_s=40.0, blocks=12)
    rows = []
    for row, size in enumerate(SIZES):
        ratio = medians.ratio(preloaded.name, plain.name, row)
        within = ratio.low is not None and ratio.high is not None and ratio.low <= 1 <= ratio.high
        rows.append({
            "library": kind, "size_bytes": size,
            "ratio": ratio.value, "low": ratio.low, "high": ratio.high, "reached": within,
        })  # fmt: skip
    return rows


def _cart_create(kind: str, backend: Backend) -> dict[str, object]:
    """Medians of some launches' communicators, in turns: each launch's first, and the others."""
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as folder:
        program = Path(folder) / "cart_create"
        source = str(REFERENCE / "cart_create_mpi.c")
        subprocess.run(
            [str(backend.compiler), "-O2", source, "-o", str(program)],
            check=True, env=os.environ | dict(backend.environment),
        )  # fmt: skip
        with_it = {"without": {}, "with": _preloaded(backend)}
        took: dict[str, list[list[float]]] = {name: [] for name in with_it}
        for _ in range(TURNS):
            for name, variables in with_it.items():
                took[name].append(_creations(backend, program, variables))
    row: dict[str, object] = {"library": kind, "ranks": RANKS}
    for name, seconds in took.items():
        row[f"first_{name}_ms"] = float(np.median(np.array(seconds)[:, 0])) * 1e3
        row[f"later_{name}_ms"] = float(np.median(np.array(seconds)[:, 1:])) * 1e3
    return row


def _creations(backend: Backend, program: Path, variables: Mapping[str, str]) -> list[float]:
    step = JobStep(str(program), (str(TIMES),), RANKS, variables, oversubscribed=True)
    (command,) = launcher_for(backend).commands(prepare(backend, step))
    done = subprocess.run(
        ["timeout", "-k", "5", "120", *command.argv],
        env=os.environ | dict(command.environment), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [float(line) for line in done.stdout.split()]
