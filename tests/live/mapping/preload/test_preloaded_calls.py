"""Every wrapped call does what the standard says, whichever ranks move; the rest stays as it is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.support.neighbours import PROGRAMS, Printed, build_c, communicators, start
from tests.support.preloaded import THREE_NODES, gain, preloading, run_named

from leadline.backends.backend import Backend

KINDS = ("mpich", "openmpi", "impi")
MAPPED = {"LEADLINE_MAP_MACHINE": THREE_NODES}
GRID = "MPI_Cart_create 3x3"
GAINS = {
    GRID: ["24", "12", "8", "6", "1.333", "0.5"],
    "MPI_Cart_create 3x3 periodic": ["36", "18"],
    "MPI_Cart_create 2x3": ["14", "8"],
    "MPI_Cart_map 3x3": ["24", "12"],
    "MPI_Dist_graph_create of 9 ranks": ["9", "84"],
    "MPI_Dist_graph_create_adjacent of 9 ranks": ["9", "84"],
}
"""Call -> what the library says first of it: edges between nodes, and so on, before and after;
of a graph, its ranks before."""


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_of_ranks_that_moved_deliver(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    """Of all four calls, weighted or not, in order: neighbours.c holds them to the standard."""
    backend = installed_backends[kind]
    done = run_named(backend, tmp_path, "neighbours.c", preloading(backend) | MAPPED)
    assert done.status == 0, done.errors
    assert [label for label, one in communicators(done.output).items() if one.stays] == []
    for call, first in GAINS.items():
        assert gain(done, call)[: len(first)] == first, done.errors


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_about_ranks_is_as_without(
    kind: str,
    installed_backends: Mapping[str, Backend],
    plain_surroundings: Callable[[str], Printed],
    tmp_path: Path,
) -> None:
    """Errors and who handles them, inter-communicators, reorder=0, no axes, pending receives."""
    backend, plain = installed_backends[kind], plain_surroundings(kind)
    mapped = run_named(backend, tmp_path, "surroundings.c", preloading(backend) | MAPPED)
    assert plain.status == mapped.status == 0, mapped.errors
    assert mapped.output == plain.output
    assert "handler kept 9" in mapped.output
    assert gain(mapped, "MPI_Cart_create 3x3 periodic 1,0")


FAULTS = {
    "errors": "handled 9", "moves": "reorder=0 moves 9", "handler": "error handler kept 0",
    "stray": "strays 9",
}  # fmt: skip
"""What faulty_library.c does to others' surroundings, and the fact that is then printed."""


@pytest.mark.parametrize("fault", FAULTS)
def test_library_that_changes_what_is_not_about_ranks_is_noticed(
    fault: str,
    installed_backends: Mapping[str, Backend],
    plain_surroundings: Callable[[str], Printed],
    tmp_path: Path,
) -> None:
    backend, sound = installed_backends["mpich"], plain_surroundings("mpich").output
    faulty = build_c(backend, tmp_path, "surroundings.c", "faulty_library.c")
    printed = start(backend, faulty, 9, {"FAULT": fault}).output.splitlines()
    assert [line for line in printed if line not in sound.splitlines()] == [FAULTS[fault]]


@pytest.mark.parametrize("kind", ["mpich", "openmpi"])
def test_ranks_move_where_only_a_part_of_the_program_sees_its_mpi(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    """As in Python, whose modules bring libraries that nothing else may name."""
    backend, part = installed_backends[kind], tmp_path / "one_grid.so"
    words = ["-shared", "-fPIC", str(PROGRAMS / "one_grid.c"), "-o", str(part)]
    subprocess.run([str(backend.compiler), *words], check=True)
    arguments = (str(part), "3", "3")
    mapped = preloading(backend) | MAPPED
    done = run_named(backend, tmp_path, "local_library.c", mapped, arguments)
    assert done.status == 0, done.errors
    assert not communicators(done.output)["cart"].stays
    assert gain(done, GRID)[:6] == GAINS[GRID], done.errors


def beside(
    backend: Backend, folder: Path, source: Path, environment: Mapping[str, str], *flags: str
) -> Printed:
    """A grid of 3x3 made with `source` preloaded before the library that maps."""
    other, mine = folder / "other.so", preloading(backend)["LD_PRELOAD"]
    words = ["-D_GNU_SOURCE", "-shared", "-fPIC", *flags, str(source), "-o", str(other)]
    subprocess.run([str(backend.compiler), *words], check=True)
    preloaded = {"LD_PRELOAD": f"{other}:{mine}", **environment}
    return run_named(backend, folder, "one_grid.c", preloaded, ("3", "3"))


@pytest.mark.parametrize("kind", ["mpich", "openmpi"])
def test_tool_that_is_preloaded_before_sees_what_the_program_calls(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    done = beside(installed_backends[kind], tmp_path, PROGRAMS / "counting.c", MAPPED)
    assert done.status == 0, done.errors
    assert "counting saw 1" in done.errors.splitlines()
    assert not communicators(done.output)["cart"].stays


def test_core_is_found_where_there_are_more_than_a_set_of_usual_size_holds(
    installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    renamed = "-D__wrap_sched_getaffinity=sched_getaffinity"
    cores = "leadline-machine 1;torus 3 periodic 0;core n0 0 0;core n1 0 1;core n2 0 2"
    many = {"MANY_CORES": "4096", "LEADLINE_MAP_MACHINE": cores}
    source = PROGRAMS.parent / "many_cores.c"
    done = beside(installed_backends["mpich"], tmp_path, source, many, renamed)
    assert done.status == 0, done.errors
    assert gain(done, GRID)[:6] == GAINS[GRID], done.errors
