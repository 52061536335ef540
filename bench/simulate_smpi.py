"""The same patterns by flow and by SimGrid's smpirun, on the same machine files.

Both share links max-min fair and take costs from one profile; smpirun runs real MPI calls. A
message that wasn't copied keeps its sender until it has left by flow, and doesn't by SMPI.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.simulate_papers import FIRST_AXIS, halves, seconds
from leadline.simulate.machine import MachineModel
from leadline.simulate.shipped import machine_named
from leadline.simulate.smpi.launch import smpi_launch

SOURCE = Path(__file__).parent / "reference" / "patterns_smpi.c"
LIMIT = 0.03
SMALL, LONG = (0, 1024, 65536, 1_000_000), (65536, 1_000_000)


@dataclass(frozen=True)
class Case:
    """A pattern on a machine that comes along."""

    machine: str
    library: str
    pattern: str
    ranks: int
    sizes: Sequence[int] = LONG
    slots: tuple[int, ...] | None = None
    """None: rank r has slot r."""

    @property
    def places(self) -> tuple[int, ...]:
        """The slot of each rank."""
        return self.slots or tuple(range(self.ranks))


CASES = (
    Case("cray-t3e-900", "mpich", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi-direct", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi-direct", "pair", 2),
    Case("cray-t3e-900", "cray-mpi-direct", "pair", 64, slots=tuple(halves(64, FIRST_AXIS))),
    Case("cray-t3e-900", "cray-mpi-direct", "halo", 128),
    Case("cray-t3d", "mpi", "halo", 64),
    Case("intel-paragon", "mpi", "halo", 64),
    Case("infiniband-fat-tree", "mpi", "pair", 132),
    Case("sun-ethernet-10", "mpich", "pair", 16),
)


def measure() -> dict[str, Any]:
    """Every case, and whether all are as near as LIMIT."""
    with tempfile.TemporaryDirectory() as scratch:
        smpi = Smpi(Path(scratch))
        rows = [_row(smpi, case) for case in CASES]
    return {"beside_smpi": rows, "reached": all(row["reached"] for row in rows)}


def _row(smpi: Smpi, case: Case) -> dict[str, Any]:
    """The size at which they differ most."""
    ours, theirs = by_flow(case), smpi.seconds(case)
    apart = {size: theirs[size] / ours[size] - 1 for size in case.sizes}
    worst = max(apart, key=lambda size: abs(apart[size]))
    return {
        "case": f"{case.machine} {case.library}: {case.pattern} on {case.ranks}",
        "size_bytes": worst,
        "flow_us": 1e6 * ours[worst],
        "smpi_us": 1e6 * theirs[worst],
        "apart": apart[worst],
        "reached": abs(apart[worst]) <= LIMIT,
    }


def by_flow(case: Case) -> dict[int, float]:
    """Seconds by size, as `leadline simulate` writes them."""
    machine = machine_named(case.machine)
    return {
        size: seconds(machine, case.library, case.pattern, case.ranks, size, case.places)
        for size in case.sizes
    }


class Smpi:
    """The patterns, compiled by smpicc in a directory."""

    def __init__(self, scratch: Path) -> None:
        """Compiles; RuntimeError where libsimgrid-dev is missing."""
        self._scratch, self._program = scratch, scratch / "patterns_smpi"
        command = ["smpicc", "-O2", "-o", str(self._program), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"apt-get install libsimgrid-dev: {done.stderr[-300:]}")

    def seconds(self, case: Case, machine: MachineModel | None = None) -> Mapping[int, float]:
        """By size; `machine` in place of the case's."""
        found = machine or machine_named(case.machine)
        profile, slots = found.profiles[case.library], np.array(case.places)
        launch = smpi_launch(found, profile, case.ranks, self._scratch, slots=slots)
        words = [*launch.words, str(self._program), case.pattern, *map(str, case.sizes)]
        done = subprocess.run(
            ["timeout", "-k", "5", "300", *words],
            env=os.environ | dict(launch.environment),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"smpirun: {done.stderr[-500:]}")
        return {int(size): float(took) for size, took in map(str.split, done.stdout.splitlines())}
