"""Communicators made with reorder=1: the libraries' own, and what the programs notice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support import neighbours
from tests.support.neighbours import (
    DEBIAN,
    FOUND_WRONG,
    INSTALLED,
    INTERFACES,
    communicators,
    start,
)

from leadline.backends.backend import Backend

RANKS = 9
LABELS_OF_BOTH = {
    "cart", "cart_periodic", "cart_smaller", "cart_map", "graph", "graph_unweighted", "adjacent",
    "adjacent_unweighted",
}  # fmt: skip
FAULTS = {
    "periods": "wrong: cart_periodic: axis 0 is 3 long, periodic 0",
    "ranks": "wrong: cart_map: rank ",
    "sources": "wrong: graph: ",
    "order": "wrong: adjacent: destinations of rank ",
    "weights": "wrong: adjacent: sources of rank ",
    "left behind": "wrong: adjacent: ",
    "delivery": "wrong: cart: rank ",
}
"""What the environment's FAULT plants, and what is then said.

Where two ranks see a fault, the first may end the launch before the other speaks."""


def check(output: str) -> None:
    """Every label has all ranks, each once, and the grid of 3 x 3 its edges."""
    found = communicators(output)
    assert set(found) >= LABELS_OF_BOTH
    for label, one in found.items():
        members = RANKS - 3 if label == "cart_smaller" else RANKS
        assert sorted(one.old_ranks.values()) == list(range(RANKS))[:members]
    assert found["cart"].coordinates[5] == (1, 2)
    assert len(found["cart"].neighbours()) == 24
    assert len(found["cart_periodic"].neighbours(periodic=True)) == 36
    assert len({edge[:2] for edge in found["adjacent"].edges}) == 24


@pytest.mark.parametrize("kind", INSTALLED)
def test_neighbours_of_reordered_ranks_deliver(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    backend = installed_backends[kind]
    done = start(backend, neighbours.build_c(backend, tmp_path, "neighbours.c"), RANKS)
    assert done.status == 0, done.errors
    check(done.output)


@pytest.mark.parametrize("name", DEBIAN)
def test_neighbours_deliver_in_each_of_fortrans_interfaces(name: str) -> None:
    """The module mpi declares what mpif.h leaves undeclared: its functions are the same."""
    backend = neighbours.debian_backend(name)
    assert set(neighbours.fortran_of(backend)) == set(INTERFACES)
    for interface in ("mpif.h", "mpi_f08"):
        done = start(backend, neighbours.build_fortran(backend, interface), RANKS)
        assert done.status == 0, done.errors
        check(done.output)


@pytest.fixture(scope="module")
def faulty(
    installed_backends: Mapping[str, Backend], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    sources = ("neighbours.c", "faulty_library.c")
    return neighbours.build_c(
        installed_backends["mpich"], tmp_path_factory.mktemp("faulty"), *sources
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_library_that_reorders_wrongly_is_noticed(
    fault: str, faulty: Path, installed_backends: Mapping[str, Backend]
) -> None:
    done = start(installed_backends["mpich"], faulty, RANKS, {"FAULT": fault})
    assert done.status == FOUND_WRONG, done.errors
    # What is said just before an abort doesn't always come through the launcher.
    assert FAULTS[fault] in done.errors or not done.errors
