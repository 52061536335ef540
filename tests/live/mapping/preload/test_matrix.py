"""Each library, by each of its interfaces: reordered, and every neighbour delivers.

Sixteen ranks, four to a node, on one host: what MPI says of shared memory is planted, so that no
network is needed for several nodes.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support import neighbours
from tests.support.neighbours import Communicator, Printed, communicators
from tests.support.preloaded import gain

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.mapping.preload.build import preload_library

RANKS = 16
FORTRAN = {
    "mpich": (),
    "openmpi": (),
    "impi": ("mpif.h", "use mpi"),
    "mpich-debian": ("mpif.h", "use mpi", "mpi_f08"),
    "openmpi-debian": ("mpif.h", "use mpi", "mpi_f08"),
}
"""What each library here has beside C."""
MATRIX = [
    *((library, "C") for library in FORTRAN), ("impi", "use mpi"),
    *((library, way) for library in neighbours.DEBIAN for way in ("mpif.h", "mpi_f08")),
]  # fmt: skip
"""Every library, and of it each way by which calls come: C's names; the one function that both
mpif.h and the module mpi are, here once each; and those of mpi_f08."""
GRIDS = {
    "cart": "4x4", "cart_map": "4x4", "cart_of_reversed": "4x4",
    "cart_periodic": "4x4", "cart_smaller": "3x4",
}  # fmt: skip
Promise = Callable[..., tuple[float, float]]


@dataclass(frozen=True)
class Built:
    """One library's own."""

    backend: Backend
    folder: Path
    preloaded: str

    def run(self, way: str, environment: Mapping[str, str]) -> Printed:
        program = neighbours.build_neighbours(self.backend, self.folder, way)
        variables = {"LD_PRELOAD": self.preloaded, **environment}
        return neighbours.start(self.backend, program, RANKS, variables)


@pytest.fixture(scope="module")
def built(
    installed_backends: Mapping[str, Backend], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Built]:
    @functools.cache
    def of(library: str) -> Built:
        backend = neighbours.library(library, installed_backends)
        folder = tmp_path_factory.mktemp(library)
        mapping = preload_library(Path(str(backend.compiler)), backend.environment)
        nodes = neighbours.build_preload(backend, "nodes_of_four")
        return Built(backend, folder, f"{mapping}:{nodes}")

    return of


@pytest.fixture
def promise(capsys: pytest.CaptureFixture[str]) -> Promise:
    """Edges between nodes, and of the busiest, that `leadline map WORDS --json` promises."""

    def of(*words: str) -> tuple[float, float]:
        capsys.readouterr()
        where = ("--machine", "nodes:4x4", "--metric", "internode", "--json")
        assert main(["map", *words, *where]) == 0
        after = json.loads(capsys.readouterr().out)["after"]
        return after["internode_edges"], after["max_node_edges"]

    return of


def check_grids(found: Mapping[str, Communicator], promise: Promise) -> None:
    for label in GRIDS.keys() & found.keys():
        one, is_periodic = found[label], label == "cart_periodic"
        rows = promise("--grid", GRIDS[label], "--periodic", "1,1" if is_periodic else "0,0")
        assert one.crossing(one.neighbours(is_periodic)) == rows, label
        assert one.stays is is_periodic, label


def check_graphs(found: Mapping[str, Communicator], promise: Promise, folder: Path) -> None:
    for label in ("graph", "graph_unweighted", "adjacent", "adjacent_unweighted"):
        one, listed = found[label], folder / label
        edges = [
            (source, target, 1 if "unweighted" in label else weight)
            for source, target, weight in one.edges
        ]
        listed.write_text("".join(f"{a} {b} {weight}\n" for a, b, weight in edges))
        assert one.crossing(edges) == promise("--graph", str(listed)), label
        assert not one.stays, label


@pytest.mark.parametrize(("library", "way"), MATRIX)
def test_ranks_lie_as_map_promises_and_neighbours_deliver(
    library: str, way: str, built: Callable[[str], Built], promise: Promise, tmp_path: Path
) -> None:
    done = built(library).run(way, {})
    assert done.status == 0, done.errors
    found = communicators(done.output)
    check_grids(found, promise)
    check_graphs(found, promise, tmp_path)
    assert "warning" not in done.errors


@pytest.mark.parametrize("library", ["mpich", "openmpi"])
def test_ranks_of_mpi4py_lie_as_map_promises(
    library: str, built: Callable[[str], Built], promise: Promise
) -> None:
    one = built(library)
    found_there = str(Path(str(one.backend.launcher)).parents[1] / "lib")
    variables = {
        "LD_PRELOAD": one.preloaded, "LD_LIBRARY_PATH": found_there,
        "OMPI_MCA_mpi_yield_when_idle": "1",
    }  # fmt: skip
    words = (str(neighbours.PROGRAMS / "neighbours.py"),)
    python = Path(sys.executable)
    done = neighbours.start(one.backend, python, RANKS, variables, arguments=words)
    assert done.status == 0, done.errors
    check_grids(communicators(done.output), promise)
    assert gain(done, "MPI_Cart_create 4x4")[:2] == ["24", "16"]


def test_promise_is_not_kept_by_ranks_that_stay(
    built: Callable[[str], Built], promise: Promise
) -> None:
    found = communicators(built("mpich").run("C", {"LEADLINE_MAP": "off"}).output)
    assert all(
        communicator.stays for label, communicator in found.items() if "reversed" not in label
    )
    with pytest.raises(AssertionError):
        check_grids(found, promise)


def test_matrix_has_all_that_the_libraries_here_have(
    installed_backends: Mapping[str, Backend],
) -> None:
    for library, interfaces in FORTRAN.items():
        backend = neighbours.library(library, installed_backends)
        assert tuple(neighbours.fortran_of(backend)) == interfaces
