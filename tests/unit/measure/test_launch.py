"""Launches that don't come up, and ranks that claim to be others: what is said of them."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, cast

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.joined_launch import joined, launch_of, two_joined

from leadline.backends.launchers import Command
from leadline.errors import LaunchError
from leadline.hosts.cleanup.notes import Note
from leadline.kernels.connections import Cause, UnauthenticatedError
from leadline.measure.launch import Launch, SliceError
from leadline.measure.pool import unauthenticated_warnings
from leadline.measure.system import System


def test_limit_that_keeps_a_launch_from_starting_is_said_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    def spawned(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("leadline.measure.system.spawn", spawned)
    with pytest.raises(LaunchError) as refused:
        launch_of(("kernel",), tmp_path).start()
    assert str(refused.value) == snapshot


class Started:
    """What a launch's system starts: a number for each command, in order, and no process."""

    def __init__(self) -> None:
        self.pids: list[int] = []

    def start(self, command: Command, output: IO[bytes]) -> SimpleNamespace:
        self.pids.append(100 + len(self.pids))
        return SimpleNamespace(pid=self.pids[-1])


def test_launchers_without_a_kernels_environment_are_noted(tmp_path: Path) -> None:
    known: list[int] = []
    noted = SimpleNamespace(know_processes=known.extend)
    kernel, launcher = Command(("k",), {}, bound=False), Command(("mpiexec",), {})
    for note in (None, noted):
        launch = launch_of(("kernel",), tmp_path)
        launch.commands = [kernel, launcher]
        launch.system, launch.note = cast(System, Started()), cast(Note | None, note)
        launch.start()
        assert [process.pid for process in launch.started] == [100, 101]
    assert known == [101]


# -- ranks that claim to be others -----------------------------------------------------------------


@pytest.fixture
def two_ranks(tmp_path: Path) -> Iterator[tuple[Launch, list[socket.socket]]]:
    with two_joined(tmp_path) as ranks:
        yield ranks


@pytest.mark.parametrize(
    ("rank", "cause"), [(0, Cause.TAKEN), (2, Cause.NO_RANK), (-1, Cause.NO_RANK)]
)
def test_rank_that_is_there_or_isnt_to_be_is_a_stranger(
    two_ranks: tuple[Launch, list[socket.socket]], rank: int, cause: Cause
) -> None:
    launch, _ = two_ranks
    real = dict(launch.connections)
    with pytest.raises(UnauthenticatedError) as refused:
        joined(launch, rank)
    assert refused.value.cause is cause
    assert launch.connections == real
    assert launch.missing == 0


def test_late_rank_of_another_world_doesnt_end_a_launch_that_is_up(
    two_ranks: tuple[Launch, list[socket.socket]], snapshot: SnapshotAssertion
) -> None:
    launch, _ = two_ranks
    with pytest.raises(UnauthenticatedError):
        joined(launch, rank=0, size=1)
    with pytest.raises(LaunchError) as refused:
        joined(launch, rank=2, size=3)
    assert str(refused.value) == snapshot


def test_answer_of_another_kind_is_no_result(
    two_ranks: tuple[Launch, list[socket.socket]], snapshot: SnapshotAssertion
) -> None:
    launch, theirs = two_ranks
    theirs[0].sendall(b"placed id=1 rank=0\n")
    with pytest.raises(SliceError) as refused:
        launch.measure("pattern=pingpong", "a slice", 1, patience_s=20.0)
    assert refused.value.code == "protocol"
    assert str(refused.value) == snapshot
    theirs[1].sendall(b"traced id=2 rank=1 bytes=0\n")
    with pytest.raises(SliceError) as refused:
        launch.place(1, [0, 1], patience_s=20.0)
    assert str(refused.value) == snapshot


# -- what is said of strangers ---------------------------------------------------------------------


def test_run_without_strangers_says_nothing_of_them() -> None:
    assert unauthenticated_warnings({}) == []


def test_strangers_are_said_by_what_they_were_refused_for(snapshot: SnapshotAssertion) -> None:
    (many,) = unauthenticated_warnings({Cause.SILENT: 1, Cause.FORGED: 2})
    assert many.code == "unauthenticated"
    assert many.cause == snapshot
    (one,) = unauthenticated_warnings({Cause.TAKEN: 1})
    assert one.cause == snapshot
