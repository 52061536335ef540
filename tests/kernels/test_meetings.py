"""Relays as the front-end hears them: they say that they listen, then their ranks' hellos."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.support.callers import OURS, PATIENCE_S, Caller, Front, hello, rank_of, until

from leadline.backends.launchers import Command
from leadline.errors import LaunchError
from leadline.kernels.credentials import Credentials
from leadline.kernels.server import Arrival, Meeting
from leadline.kernels.strangers import Cause
from leadline.measure.launch import Launch
from leadline.measure.starting import start_together

LISTENS = b"relay ranks=3 host=h1 pid=1\n"


@pytest.fixture
def server() -> Iterator[Front]:
    with Front.listening() as listening:
        yield listening


def relay_of(server: Front) -> Caller:
    """Who proves to be of OURS, and says that it is a relay of three ranks."""
    relay = Caller(server)
    relay.proves()
    relay.says(LISTENS)
    return relay


def met(server: Front) -> Meeting:
    until(server, lambda _: bool(server._met))
    (meeting,) = server.met()
    assert server.met() == []
    return meeting


def test_ranks_arrive_one_by_one_over_the_connection_of_their_relay(server: Front) -> None:
    relay = relay_of(server)
    meeting = met(server)
    relay.says(hello(2, 3) + hello(0, 3)[:9])
    first = until(server, lambda arrived: len(arrived) == 1)
    relay.says(hello(0, 3)[9:] + hello(1, 3))
    others = until(server, lambda arrived: len(arrived) == 2)
    assert [arrival.hello.rank for arrival in first + others] == [2, 0, 1]
    assert {arrival.connection for arrival in first + others} == {meeting.connection}
    assert server._proved == {}
    assert rank_of(server).hello.rank == 0


def test_strangers_that_a_relay_refused_are_counted(server: Front) -> None:
    relay = relay_of(server)
    relay.says(b"stranger forged\nstranger silent\nstranger forged\n" + hello(0, 3))
    until(server, lambda arrived: len(arrived) == 1)
    assert server.strangers == {Cause.FORGED: 2, Cause.SILENT: 1}


@pytest.mark.parametrize(
    "words",
    [
        LISTENS,
        b"stranger nonsense\n",
        b"lost rank=0 how=silent\n",
        b"missing ranks=0\n",
        b"nonsense\n",
    ],
)
def test_relay_that_says_something_else_is_refused(server: Front, words: bytes) -> None:
    relay = relay_of(server)
    met(server)
    relay.says(words)
    until(server, lambda _: bool(server.strangers))
    assert server.strangers == {Cause.NO_HELLO: 1}
    assert relay.is_hung_up_on()


@pytest.mark.parametrize(
    "words", [b"relay ranks=0 host=h pid=1\n", b"relay ranks=-1 host=h pid=1\n"]
)
def test_relay_of_no_ranks_is_none(server: Front, words: bytes) -> None:
    relay = Caller(server)
    relay.proves()
    relay.says(words)
    until(server, lambda _: bool(server.strangers))
    assert server.strangers == {Cause.NO_HELLO: 1}


def test_rank_cant_become_a_relay(server: Front) -> None:
    rank = Caller(server)
    rank.proves()
    rank.says(hello(0, 3) + LISTENS)
    until(server, lambda arrived: len(arrived) == 1)
    assert server.met() == []


def test_relay_of_a_launch_that_is_over_is_late(server: Front) -> None:
    rank_of(server)
    relay = relay_of(server)
    while not server.strangers:
        assert server.accept(0.02, {}, 0) == []
    assert server.strangers == {Cause.LATE: 1}
    assert server.met() == []
    assert relay.is_hung_up_on()


def test_relay_of_a_launch_that_failed_is_forgotten(server: Front) -> None:
    relay = relay_of(server)
    met(server).connection.close()  # as its launch does
    assert rank_of(server).hello.rank == 0
    assert server._proved == {}
    assert relay.is_hung_up_on()


# -- launches that wait for relays ----------------------------------------------------------------


def launch_of(scratch: Path, *commands: Command, relays: int) -> Launch:
    return Launch(
        label="tcp",
        number=7,
        ranks=1,
        processes=1,
        credentials=OURS,
        commands=commands,
        phases=(),
        library="tcp",
        sites=(),
        scratch=scratch,
        relays=relays,
    )


def test_ranks_are_started_when_all_their_relays_listen(server: Front, tmp_path: Path) -> None:
    sleeps = Command(("sleep", "600"), {}, "relay")
    launch = launch_of(tmp_path, sleeps, sleeps, Command(("sleep", "600"), {}), relays=2)
    with launch:
        launch.start()
        started = [len(launch.started)]
        for _ in range(2):
            relay_of(server)
            launch.meet(met(server).connection)
            started.append(len(launch.started))
        assert started == [2, 2, 3]


def test_relay_that_ends_before_it_listens_is_named(server: Front, tmp_path: Path) -> None:
    says = Command(("sh", "-c", "echo no folder; exit 1"), {}, "relay on h2")
    launch = launch_of(tmp_path, says, Command(("sleep", "600"), {}), relays=1)
    failed = start_together(server, [launch], patience_s=PATIENCE_S)
    assert "its relay on h2 ended before all ranks were ready (exit status 1)" in str(failed[7])
    assert "no folder" in str(failed[7])
    assert len(launch.started) == 1


def test_ranks_that_cant_be_started_fail_their_launch(server: Front, tmp_path: Path) -> None:
    ours = relay_of(server)
    sleeps = Command(("sleep", "600"), {}, "relay")
    launch = launch_of(tmp_path, sleeps, Command(("/no/such/launcher",), {}), relays=1)
    failed = start_together(server, [launch], patience_s=PATIENCE_S)
    assert isinstance(failed[7], LaunchError)
    assert "/no/such/launcher" in str(failed[7])
    assert ours.is_hung_up_on()


def test_relay_too_many_is_a_stranger(
    server: Front, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = [relay_of(server) for _ in range(2)]
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    accept = server.accept

    def accept_and_end_the_launch(
        timeout_s: float, launches: Mapping[str, Credentials], awaited: int
    ) -> list[Arrival]:
        arrived = accept(timeout_s, launches, awaited)
        if server.strangers and gate.exists():
            gate.write_text("end\n")
            gate.unlink()
        return arrived

    monkeypatch.setattr(server, "accept", accept_and_end_the_launch)
    relay = Command(("sh", "-c", 'read line < "$1"; exit 1', "sh", str(gate)), {}, "relay")
    launch = launch_of(tmp_path, relay, Command(("sleep", "600"), {}), relays=1)
    failed = start_together(server, [launch], patience_s=PATIENCE_S)
    assert "exit status 1" in str(failed[7])
    assert server.strangers == {Cause.TAKEN: 1}
    assert all(caller.is_hung_up_on() for caller in callers)
