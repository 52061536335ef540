"""Relays as the front-end hears them: they say that they listen, then their ranks' hellos."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from harness.callers import OURS, Front
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.ready_relays import ready_relay, relay_of

from leadline.backends.launchers import Command
from leadline.errors import LaunchError
from leadline.kernels.connections import Cause, Credentials
from leadline.kernels.server import Arrival
from leadline.measure.launch import Launch
from leadline.measure.pool import start_together


@pytest.fixture
def server() -> Iterator[Front]:
    with Front.listening() as listening:
        yield listening


# -- launches that wait for relays -----------------------------------------------------------------


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
            launch.add_relay(ready_relay(server).connection)
            started.append(len(launch.started))
        assert started == [2, 2, 3]


def test_relay_that_ends_before_it_listens_is_named(
    server: Front, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    says = Command(("sh", "-c", "echo no folder; exit 1"), {}, "relay on h2")
    launch = launch_of(tmp_path, says, Command(("sleep", "600"), {}), relays=1)
    failed = start_together(server, [launch], patience_s=PATIENCE_S)
    assert str(failed[7]) == snapshot
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
        if server.refused and gate.exists():
            gate.write_text("end\n")
            gate.unlink()
        return arrived

    monkeypatch.setattr(server, "accept", accept_and_end_the_launch)
    relay = Command(("sh", "-c", 'read line < "$1"; exit 1', "sh", str(gate)), {}, "relay")
    launch = launch_of(tmp_path, relay, Command(("sleep", "600"), {}), relays=1)
    failed = start_together(server, [launch], patience_s=PATIENCE_S)
    assert "exit status 1" in str(failed[7])
    assert server.refused == {Cause.TAKEN: 1}
    assert all(caller.is_hung_up_on() for caller in callers)
