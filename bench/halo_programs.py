"""The halo in C and Fortran (bench/reference), built by each library's own compiler."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.live import mpi_backends

REFERENCE = Path(__file__).parent / "reference"


@dataclass(frozen=True)
class HaloProgram:
    """An unmodified program, and what starts it on several hosts."""

    name: str
    launcher: str
    path: Path
    is_openmpi: bool
    environment: dict[str, str] = field(default_factory=dict)

    def launch(self, hosts: Sequence[str], each: int) -> tuple[str, ...]:
        """The launcher's words for `each` ranks on each of `hosts`, host by host."""
        ranks = ("-n", str(each * len(hosts)), str(self.path))
        if not self.is_openmpi:
            return (self.launcher, "-hosts", ",".join(f"{host}:{each}" for host in hosts), *ranks)
        where = ",".join(f"{host}:{each}" for host in hosts)
        calm = ("--bind-to", "none", "--map-by", "slot", "--mca", "mpi_yield_when_idle", "1")
        return (self.launcher, "--host", where, *calm, *ranks)

    def words(
        self, grid: str, periodic: bool, size_bytes: int, exchanges: int, warmup: int
    ) -> tuple[str, ...]:
        """The program's own."""
        return (grid, str(int(periodic)), str(size_bytes), str(exchanges), str(warmup))


@functools.cache
def programs() -> tuple[HaloProgram, ...]:
    """In C over MPICH and Open MPI, in Fortran over Debian's Open MPI if it is there.

    Not over Debian's MPICH 4.0.2: its ranks on several hosts now and then wait for ever on two busy
    cores, also without the library that maps them.
    """
    folder = Path(tempfile.mkdtemp(prefix="leadline-bench-halo-"))
    found = [_in_c(kind, folder) for kind in ("mpich", "openmpi")]
    compiler, launcher = (shutil.which(name) for name in ("mpifort.openmpi", "mpiexec.openmpi"))
    if compiler and launcher:
        found.append(_in_fortran("openmpi", compiler, launcher, folder))
    return tuple(found)


def _in_c(kind: str, folder: Path) -> HaloProgram:
    backend = mpi_backends()[kind]
    path = folder / f"{kind}-c"
    _build(str(backend.compiler), REFERENCE / "halo_mpi.c", path)
    return HaloProgram(
        f"{kind} in C", str(backend.launcher), path, kind == "openmpi", dict(backend.environment)
    )


def _in_fortran(kind: str, compiler: str, launcher: str, folder: Path) -> HaloProgram:
    path = folder / f"{kind}-fortran"
    _build(compiler, REFERENCE / "halo_mpi.f90", path)
    return HaloProgram(f"{kind} in Fortran", launcher, path, kind == "openmpi")


def _build(compiler: str, source: Path, target: Path) -> None:
    subprocess.run([compiler, "-O2", "-Wall", str(source), "-o", str(target)], check=True)
