"""How ranks come to the front-end: by which socket, and by what they say."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.callers import OURS, Caller, Front, hello, proof, rank_of, until
from harness.patience import PATIENCE_S
from tests.support.emulated import needs_root

from leadline.errors import MachineError
from leadline.kernels.connections import (
    FOLDER,
    LOOPBACK,
    Cause,
    Credentials,
    Listener,
    address_towards,
    sweep_folders,
)
from leadline.kernels.server import MOST_UNPROVED, Arrival


@pytest.fixture(params=[(), ("localhost",)], ids=["path", "network"])
def server(request: pytest.FixtureRequest) -> Iterator[Front]:
    with Front.listening(request.param) as listening:
        yield listening


# -- where they connect ----------------------------------------------------------------------------


def test_ranks_on_this_host_connect_where_only_their_owner_can() -> None:
    with Front.listening() as server:
        kind, _, path = server.address.partition(":")
        assert kind == "unix"
        folder = Path(path).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_where_a_path_is_too_long_for_a_socket_they_connect_to_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with Front.listening() as server:
        assert server.address.startswith(f"{LOOPBACK}:")
        assert rank_of(server).hello.rank == 0
    assert list(deep.iterdir()) == []


def test_ranks_elsewhere_connect_to_this_host_as_they_see_it() -> None:
    assert address_towards(()) == LOOPBACK
    assert address_towards(("localhost",)) == LOOPBACK
    with pytest.raises(MachineError, match=r"'no\.such\.host\.invalid'"):
        Front.listening(("no.such.host.invalid",))


def test_only_folders_of_front_ends_long_gone_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = [f"{FOLDER}old", f"{FOLDER}new", "somebody-elses"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "socket").touch()
    for name in (names[0], names[2]):
        os.utime(tmp_path / name, (0, 0))
    with Front.listening() as server:
        mine = Path(server.address.removeprefix("unix:")).parent
        os.utime(mine, (0, 0))  # a campaign of several days
        sweep_folders(3600.0)
        assert {path.name for path in tmp_path.iterdir()} == {*names[1:], mine.name}
    assert not server.refused


def test_sweeping_waits_for_nobody_who_has_too_many_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"{FOLDER}busy"
    folder.mkdir()
    monkeypatch.chdir(folder)  # a path from here is short enough for a socket's
    with contextlib.ExitStack() as stack:
        listening, *callers = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(3)]
        listening.bind("socket")
        listening.listen(0)
        for caller in callers:
            caller.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                caller.connect("socket")
        os.utime(folder, (0, 0))
        assert sweep_folders(3600.0) == []
        assert folder.exists()


@needs_root
def test_folders_of_other_users_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / f"{FOLDER}another"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    os.utime(folder, (0, 0))
    assert sweep_folders(3600.0) == []
    assert folder.exists()


# -- what they say ---------------------------------------------------------------------------------


def test_rank_that_proves_whose_it_is_comes_in(server: Front) -> None:
    arrival = rank_of(server, rank=1, size=2)
    assert (arrival.launch, arrival.hello.rank, arrival.hello.size) == (OURS.name, 1, 2)
    assert not server.refused


def test_hello_may_come_in_pieces_long_after_the_proof(
    server: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    rank = Caller(server)
    rank.proves()
    assert server.accept(0.0, {OURS.name: OURS}, 1) == []
    monkeypatch.setattr("leadline.kernels.connections.PROOF_S", 0.0)
    words = hello(library="MPICH Version: 5.0 x=y" * 10)
    for at in range(0, len(words), 100):
        assert server.accept(0.0, {OURS.name: OURS}, 1) == []
        rank.says(words[at : at + 100])
    (arrival,) = until(server, bool, awaited=1)
    assert arrival.hello.library == "MPICH Version: 5.0 x=y" * 10


def test_ranks_of_several_launches_come_in_at_once(server: Front) -> None:
    theirs = Credentials.fresh()
    launches = {one.name: one for one in (OURS, theirs)}
    callers = [Caller(server) for _ in launches]
    nonces = [caller.nonce() for caller in callers]
    for caller, nonce, credentials in zip(callers, nonces, launches.values(), strict=True):
        caller.says(proof(credentials, nonce) + hello())
    arrived: list[Arrival] = []
    while len(arrived) < 2:
        arrived += server.accept(PATIENCE_S, launches, 2)
    assert {arrival.launch for arrival in arrived} == set(launches)


def test_many_ranks_may_connect_before_any_gives_its_proof(server: Front) -> None:
    ranks = 4 * MOST_UNPROVED
    callers = [Caller(server) for _ in range(ranks)]
    nonces = [caller.nonce(awaited=ranks) for caller in callers]
    for rank, (caller, nonce) in enumerate(zip(callers, nonces, strict=True)):
        caller.says(proof(OURS, nonce) + hello(rank, ranks))
    arrived = until(server, lambda arrived: len(arrived) == ranks, awaited=ranks)
    assert sorted(arrival.hello.rank for arrival in arrived) == list(range(ranks))
    assert not server.refused


def test_rank_that_ends_before_its_proof_is_no_stranger(server: Front) -> None:
    rank = Caller(server)
    rank.nonce()
    rank.line.close()
    server.accept(0.02, {OURS.name: OURS}, 1)
    assert not server.refused
    assert rank_of(server).hello.rank == 0


def test_whoever_waits_or_gave_no_proof_is_turned_away(server: Front) -> None:
    silent = Caller(server)
    silent.nonce()
    waiting = [Caller(server) for _ in range(3)]
    server.turn_away()
    assert all(caller.is_hung_up_on() for caller in (silent, *waiting))
    assert not server.refused
    assert rank_of(server).hello.rank == 0


# -- where files are few ---------------------------------------------------------------------------


@pytest.fixture
def few_files() -> Iterator[int]:
    """A soft limit with room for few more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = max(int(path.name) for path in Path("/proc/self/fd").iterdir()) + 20
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    yield few
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_limit_that_can_be_raised_keeps_no_rank_out(few_files: int) -> None:
    with Front.listening() as server:
        found = [rank_of(server, rank, few_files).hello.rank for rank in range(few_files)]
    assert found == list(range(few_files))


def test_limit_that_cant_be_raised_costs_the_oldest_without_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Front.listening() as server:
        strangers = [Caller(server) for _ in range(3)]
        for stranger in strangers:
            stranger.nonce()
        none_left(monkeypatch, server, 3)
        assert rank_of(server).hello.rank == 0
        assert server.refused == {Cause.CROWD: 1}
        assert strangers[0].is_hung_up_on()


def test_rank_that_finds_no_room_at_all_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with Front.listening() as server:
        none_left(monkeypatch, server, 0)
        caller = Caller(server)
        with pytest.raises(MachineError, match=r"Too many open files\b.*\b7 .*ulimit -n"):
            server.accept(PATIENCE_S, {OURS.name: OURS}, 1)
        assert caller.line.fileno() >= 0


def none_left(monkeypatch: pytest.MonkeyPatch, server: Front, most: int) -> None:
    """From now on this process may have `most` connections without a proof, and no more files."""
    accept = Listener.accept

    def limited(listener: Listener) -> object:
        if len(server._unproved) >= most:
            raise OSError(24, "Too many open files")
        return accept(listener)

    monkeypatch.setattr(Listener, "accept", limited)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (7, 7))
