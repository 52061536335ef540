"""What goes wrong is one warning, and the program runs as without; permutations on request."""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Callable, Mapping
from errno import EISDIR
from pathlib import Path

import pytest
from harness.places import ROOT
from syrupy.assertion import SnapshotAssertion
from tests.support.neighbours import Printed, communicators
from tests.support.preloaded import THREE_NODES, messages_of, preloading, run_named

from leadline.backends.backend import Backend

DIED = 7
RACE = {DIED, 9, DIED | 9}
"""MPICH's launcher says with what the rank died, or that it killed the others, or both in one."""
WARNING = "leadline: warning: "


@pytest.fixture
def mpich(installed_backends: Mapping[str, Backend]) -> Backend:
    return installed_backends["mpich"]


@pytest.mark.parametrize(
    "machine",
    [
        "leadline-machine 1;torus 3",
        "@/nowhere/machine",
        THREE_NODES.replace("n2", "n3"),
    ],
    ids=["no torus", "no file", "no host"],
)
def test_description_that_cannot_be_used_is_one_warning(
    mpich: Backend,
    plain_surroundings: Callable[[str], Printed],
    tmp_path: Path,
    machine: str,
    snapshot: SnapshotAssertion,
) -> None:
    wrong = preloading(mpich) | {"LEADLINE_MAP_MACHINE": machine}
    plain = plain_surroundings("mpich")
    done = run_named(mpich, tmp_path, "surroundings.c", wrong)
    assert (done.status, done.output) == (0, plain.output), done.errors
    warnings = [line for line in messages_of(done) if line.startswith(WARNING)]
    assert len(set(warnings)) == 1, warnings
    assert warnings[0].partition(", core ")[0] == snapshot


@pytest.mark.parametrize("kind", ["mpich", "openmpi", "impi"])
def test_rank_that_died_ends_the_job_as_without(
    kind: str, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    backend = installed_backends[kind]
    words = (str(DIED),)
    plain = run_named(backend, tmp_path, "surroundings.c", {}, words)
    done = run_named(backend, tmp_path, "surroundings.c", preloading(backend), words)
    assert 0 not in (plain.status, done.status)
    assert plain.status == done.status or {plain.status, done.status} <= RACE
    assert messages_of(done) == []


def test_what_is_preloaded_already_keeps_its_place(mpich: Backend, tmp_path: Path) -> None:
    """Two of them: what the second makes of the first's call is the library's to the first."""
    path = Path(preloading(mpich)["LD_PRELOAD"])
    copy = Path(shutil.copytree(path.parent, tmp_path / "another")) / path.name
    both = {"LD_PRELOAD": f"{path}:{copy}", "LEADLINE_MAP_MACHINE": THREE_NODES}
    done = run_named(mpich, tmp_path, "neighbours.c", both)
    assert done.status == 0, done.errors
    assert not communicators(done.output)["cart"].stays
    assert [line for line in messages_of(done) if line.startswith(WARNING)] == []


def test_permutations_are_appended_on_request(mpich: Backend, tmp_path: Path) -> None:
    out = tmp_path / "permutations.csv"
    asked = preloading(mpich) | {
        "LEADLINE_MAP_MACHINE": THREE_NODES, "LEADLINE_MAP_OUT": str(out),
    }  # fmt: skip
    done = run_named(mpich, tmp_path, "neighbours.c", asked)
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["communicator", "rank", "old_rank", "host"]
    assert [row["communicator"] for row in rows[:19:9]] == ["1", "2", "3"]
    first = {int(row["rank"]): int(row["old_rank"]) for row in rows[:9]}
    assert first == communicators(done.output)["cart"].old_ranks
    assert {row["host"] for row in rows} == {"n0", "n1", "n2"}
    assert len({row["communicator"] for row in rows}) == 9


def test_file_that_cannot_be_written_is_one_warning(mpich: Backend, tmp_path: Path) -> None:
    asked = preloading(mpich) | {"LEADLINE_MAP_OUT": str(ROOT)}
    done = run_named(mpich, tmp_path, "surroundings.c", asked)
    assert done.status == 0, done.errors
    (warning,) = {line for line in messages_of(done) if line.startswith(WARNING)}
    assert f"LEADLINE_MAP_OUT={ROOT} " in warning and os.strerror(EISDIR) in warning
