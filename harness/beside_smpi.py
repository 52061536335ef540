"""The same patterns by flow and by SimGrid's smpirun, on the same machine files.

Both share links max-min fair and take costs from one profile; smpirun runs real calls of MPI.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness.algorithms import calls_by
from harness.places import PROGRAMS
from harness.simulated import cell
from harness.simulated import seconds as program_seconds
from harness.simulated_cells import halves, seconds
from leadline.simulate.machine import Compute, MachineModel, Mode, Profile, ProfilePiece
from leadline.simulate.machine_files import machine_named
from leadline.simulate.smpi.launch import SIMGRID_NAMES, SmpiLaunch, smpi_launch

PATTERNS, OPERATIONS = PROGRAMS / "patterns_smpi.c", PROGRAMS / "collectives_smpi.c"
LIMIT = 0.03
"""The most that times may be apart."""
SMALL, LONG = (0, 1024, 65536, 1_000_000), (65536, 1_000_000)
LIBRARY = Profile(
    "plain", "", {Mode.STANDARD: (ProfilePiece(0, 2e-6, 2e-6, 25e-9),)}, {}
)  # fmt: skip
SWITCH = replace(
    machine_named("ibm-sp2"), compute=Compute(), profiles={LIBRARY.name: LIBRARY}
)  # fmt: skip
"""On which messages meet nowhere but at ranks."""
CALLED = {
    "bcast": "Bcast", "gather": "Gather", "scatter": "Scatter", "allgather": "Allgather",
    "alltoall": "Alltoall", "reduce": "Reduce", "allreduce": "Allreduce",
    "reduce_scatter": "Reduce_scatter_block",
}  # fmt: skip
"""What the program calls them."""
OTHERWISE = {("scatter", "binomial"), ("allreduce", "reduce + broadcast")}
"""Of these SimGrid's has the same name, and is another one."""


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

    def __str__(self) -> str:
        return f"{self.machine} {self.library}: {self.pattern} on {self.ranks}"

    @property
    def places(self) -> tuple[int, ...]:
        """The slot of each rank."""
        return self.slots or tuple(range(self.ranks))


CASES = (
    Case("cray-t3e-900", "mpich", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi-direct", "pingpong", 2, SMALL),
    Case("cray-t3e-900", "cray-mpi-direct", "pair", 2),
    Case("cray-t3e-900", "cray-mpi-direct", "pair", 64, slots=tuple(halves(64, 16))),
    Case("cray-t3e-900", "cray-mpi-direct", "halo", 128),
    Case("cray-t3e-900", "mpich", "halo", 128),
    Case("cray-t3d", "mpi", "halo", 64),
    Case("intel-paragon", "mpi", "halo", 64),
    Case("infiniband-fat-tree", "mpi", "pair", 132),
    Case("sun-ethernet-10", "mpich", "pair", 16),
)


@dataclass(frozen=True)
class Collective:
    """One operation from a common start, on the first machine that has no contention."""

    collective: str
    algorithm: str
    ranks: int = 16
    sizes: Sequence[int] = LONG

    def __str__(self) -> str:
        return f"{self.collective} by {self.algorithm} on {self.ranks}"


COLLECTIVES = tuple(
    Collective(collective, algorithm)
    for collective, names in SIMGRID_NAMES.items()
    for algorithm in names
    if collective in CALLED and (collective, algorithm) not in OTHERWISE
)


def by_flow(case: Case, machine: MachineModel | None = None) -> dict[int, float]:
    """Seconds by size, as `leadline simulate` writes them; `machine` in place of the case's."""
    found = machine or machine_named(case.machine)
    return {
        size: seconds(found, case.library, case.pattern, case.ranks, size, case.places)
        for size in case.sizes
    }


def collective_by_flow(case: Collective) -> dict[int, float]:
    """Seconds by size."""
    return {
        size: program_seconds(
            SWITCH, calls_by(case.collective, case.algorithm, case.ranks, size),
            cell(case.collective, size),
        )
        for size in case.sizes
    }  # fmt: skip


class Smpi:
    """The patterns, compiled by smpicc in a directory."""

    def __init__(self, scratch: Path) -> None:
        """Compiles; RuntimeError where libsimgrid-dev is missing."""
        self._scratch = scratch
        for source in (PATTERNS, OPERATIONS):
            command = ["smpicc", "-O2", "-o", str(scratch / source.stem), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"apt-get install libsimgrid-dev: {done.stderr[-300:]}")

    def seconds(self, case: Case, machine: MachineModel | None = None) -> Mapping[int, float]:
        """By size; `machine` in place of the case's."""
        found = machine or machine_named(case.machine)
        profile, slots = found.profiles[case.library], np.array(case.places)
        launch = smpi_launch(found, profile, case.ranks, self._scratch, slots=slots)
        printed = self._run(launch, PATTERNS, case.pattern, case.sizes)
        return {int(size): float(took) for size, took in map(str.split, printed.splitlines())}

    def collective(self, case: Collective) -> Mapping[int, float]:
        """By size."""
        profile = replace(LIBRARY, collectives={case.collective: case.algorithm})
        launch = smpi_launch(SWITCH, profile, case.ranks, self._scratch)
        printed = self._run(launch, OPERATIONS, CALLED[case.collective], case.sizes)
        rows = [line.split() for line in printed.splitlines() if not line.startswith("#")]
        return {int(row[0]): 1e-6 * float(row[2]) for row in rows}

    def _run(self, launch: SmpiLaunch, source: Path, name: str, sizes: Sequence[int]) -> str:
        words = [*launch.words, str(self._scratch / source.stem), name, *map(str, sizes)]
        done = subprocess.run(
            ["timeout", "-k", "5", "300", *words],
            env=os.environ | dict(launch.environment),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"smpirun: {done.stderr[-500:]}")
        return done.stdout
