"""The halo in C and Fortran (bench/reference), built by each library's own compiler."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from bench.live import mpi_backends
from leadline.backends.backend import Backend
from leadline.backends.discovery import find_backends
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import Command, JobStep
from leadline.backends.preparation import prepare
from leadline.hosts.placement import Hosts

REFERENCE = Path(__file__).parents[1] / "reference"
FORTRAN = "mpifort.openmpi"
"""What Debian calls it; wheels have none."""
YIELDING = ("--mca", "mpi_yield_when_idle", "1")
"""Open MPI's ranks that poll leave the core to others, of which there are eight on each."""


@dataclass(frozen=True)
class HaloProgram:
    """An unmodified program, and the library that it is built for."""

    name: str
    backend: Backend
    path: Path

    def launch(self, hosts: Hosts, ranks: int, words: tuple[str, ...]) -> Command:
        """The launcher on the first of `hosts`, as a user there would start it with `words`."""
        step = JobStep(
            str(self.path), words, ranks, {},
            YIELDING if self.backend.kind == "openmpi" else (),
            hosts=replace(hosts, emulated=False),  # whose launchers are entered from outside
        )  # fmt: skip
        (command,) = launcher_for(self.backend).commands(prepare(self.backend, step))
        return command


@functools.cache
def programs() -> tuple[HaloProgram, ...]:
    """In C over MPICH and Open MPI, in Fortran over Debian's Open MPI if it is there.

    Not over Debian's MPICH 4.0.2, whose ranks hang at their end on several hosts, with any program:
    of ranks that close their connections in MPI_Finalize one waits for answers of others, which
    wait for it in a barrier of the launcher's, where no connection is served (mpich#6596 took
    that barrier out).
    """
    folder = Path(tempfile.mkdtemp(prefix="leadline-bench-halo-"))
    found = [_built(mpi_backends()[kind], "C", folder) for kind in ("mpich", "openmpi")]
    return (*found, *(_built(one, "Fortran", folder) for one in _with_fortran()))


def _with_fortran() -> list[Backend]:
    """The backend that has a compiler of this name beside its own, or none."""
    every = (one for one in find_backends() if one.usable and one.kind == "openmpi")
    return [one for one in every if Path(str(one.compiler)).with_name(FORTRAN).exists()][:1]


def _built(backend: Backend, language: str, folder: Path) -> HaloProgram:
    compiler = Path(str(backend.compiler))
    if language == "Fortran":
        compiler = compiler.with_name(FORTRAN)
    source = REFERENCE / f"halo_mpi.{'f90' if language == 'Fortran' else 'c'}"
    target = folder / f"{backend.kind}-{language.lower()}"
    subprocess.run([str(compiler), "-O2", "-Wall", str(source), "-o", str(target)], check=True)
    return HaloProgram(f"{backend.kind} {backend.version} in {language}", backend, target)
