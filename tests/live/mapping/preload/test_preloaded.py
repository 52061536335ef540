"""The library that is preloaded moves ranks of unchanged programs, and nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.neighbours import (
    PROGRAMS,
    Communicator,
    Printed,
    build_c,
    communicators,
    library,
    start,
)
from tests.support.preloaded import gain, messages_of, preloading

from leadline.backends.backend import Backend
from leadline.mapping.preload.build import CORE

KINDS = ("mpich", "openmpi", "impi")
NODES = {"MPIR_CVAR_NUM_CLIQUES": "4", "MPIR_CVAR_ODD_EVEN_CLIQUES": "1"}
"""With these MPICH says of one host that it is four, half of them with even ranks."""
NAMES = {"mpich": "MPICH", "openmpi": "Open MPI", "mpich-debian": "MPICH"}
GAIN = ["24", "16", "8", "4"]
"""Edges between nodes, and of the busiest one, before and after."""


def run(
    backend: Backend, folder: Path, environment: Mapping[str, str], dims: str = "4x4"
) -> Printed:
    """One grid, a rank for each of its points."""
    rows, columns = dims.split("x")
    program = build_c(backend, folder, "one_grid.c")
    ranks = int(rows) * int(columns)
    return start(backend, program, ranks, environment, arguments=(rows, columns))


def grid(done: Printed) -> Communicator:
    assert done.status == 0, done.errors
    return communicators(done.output)["cart"]


@pytest.fixture
def mpich(installed_backends: Mapping[str, Backend]) -> Backend:
    return installed_backends["mpich"]


def test_ranks_of_an_unchanged_program_move_together(mpich: Backend, tmp_path: Path) -> None:
    done = run(mpich, tmp_path, preloading(mpich) | NODES)
    found = grid(done)
    assert found.crossing(found.neighbours()) == (16, 4)
    assert gain(done, "MPI_Cart_create 4x4")[:4] == GAIN, done.errors


def test_library_that_reorders_by_itself_does_not_where_ranks_were_mapped(
    mpich: Backend, tmp_path: Path
) -> None:
    own = tmp_path / "reordering.so"
    words = ("-shared", "-fPIC", "-D_GNU_SOURCE", str(PROGRAMS / "reordering.c"), "-o", str(own))
    subprocess.run([str(mpich.compiler), *words], check=True)
    alone = grid(run(mpich, tmp_path, NODES | {"LD_PRELOAD": str(own)}))
    assert not alone.stays
    both = {"LD_PRELOAD": f"{preloading(mpich)['LD_PRELOAD']}:{own}"}
    found = grid(run(mpich, tmp_path, NODES | both))
    assert found.crossing(found.neighbours()) == (16, 4)


def test_report_says_the_gain_and_moves_nobody(mpich: Backend, tmp_path: Path) -> None:
    done = run(mpich, tmp_path, preloading(mpich) | NODES | {"LEADLINE_MAP": "report"})
    assert grid(done).stays
    assert gain(done, "MPI_Cart_create 4x4")[:4] == GAIN
    assert "LEADLINE_MAP=report" in done.errors


@pytest.mark.parametrize("kind", KINDS)
def test_library_that_is_off_changes_nothing_and_says_nothing(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    backend = installed_backends[kind]
    done = run(backend, tmp_path, preloading(backend) | {"LEADLINE_MAP": "off"}, "2x2")
    assert grid(done).stays
    assert "leadline" not in done.errors


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_preloaded_needs_no_name_of_any_library(
    kind: str, installed_backends: Mapping[str, Backend]
) -> None:
    """So that it does nothing in shells, launchers and proxies."""
    backend = installed_backends[kind]
    path = preloading(backend)["LD_PRELOAD"]
    names = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout
    wanted = [line for line in names.splitlines() if line.split()[-2] in "UwvV"]
    assert [line for line in wanted if "mpi" in line.lower()] == []
    libraries = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    assert "libmpi" not in libraries
    done = subprocess.run(
        ["sh", "-c", "echo unharmed"], env={"LD_PRELOAD": path}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("unharmed\n", "")
    assert Path(path).with_name(CORE).exists()


@pytest.mark.parametrize(
    "of, running", [("openmpi", "mpich"), ("mpich", "openmpi"), ("mpich", "mpich-debian")]
)
def test_library_of_another_mpi_is_said_once_and_ranks_stay(
    of: str, running: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    """Or of the same, but of another major version."""
    backend = library(running, installed_backends)
    done = run(backend, tmp_path, preloading(installed_backends[of]), "2x2")
    assert grid(done).stays
    (line,) = messages_of(done)
    mine, _, theirs = line.partition(", ")
    assert NAMES[of] in mine and NAMES[running] in theirs


def test_word_that_is_no_mode_is_said_once_and_ranks_stay(
    mpich: Backend, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    two = NODES | {"MPIR_CVAR_NUM_CLIQUES": "2", "LEADLINE_MAP": "yes"}
    done = run(mpich, tmp_path, preloading(mpich) | two, "2x3")
    assert grid(done).stays
    (line,) = messages_of(done)
    assert line == snapshot
