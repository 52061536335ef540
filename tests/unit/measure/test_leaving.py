"""Launches that end together: who hangs in several of them is waited for once."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from harness.callers import OURS

from leadline.kernels.connections import Connection
from leadline.measure.launch import GRACE_S, HUNG_UP_S, LEAVE_S, LOOK_S, Launch, kill, leave
from leadline.scripted.campaigns import ONE_HOST, capability
from leadline.scripted.machine import ScriptedMachine
from leadline.scripted.processes import ScriptedProcess
from leadline.scripted.script import Script

Ending = Callable[[Sequence[Launch]], None]


class Deaf(ScriptedProcess):
    """A process that only SIGKILL ends."""

    def terminate(self) -> None:
        """Is told in vain."""


@pytest.fixture
def machine() -> Iterator[ScriptedMachine]:
    with ScriptedMachine(Script({}, ONE_HOST), capability()) as one:
        yield one


def launches(machine: ScriptedMachine, folder: Path, number: int) -> list[Launch]:
    found = []
    for index in range(number):
        scratch = folder / f"leadline-launch-{index}"
        scratch.mkdir()
        one = Launch("a", index, 1, 1, OURS, [], (), "a", (), scratch, system=machine)
        one.started = [Deaf(index)]
        found.append(one)
    return found


@pytest.mark.parametrize("ending", [leave, kill])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_what_hangs_in_several_launches_is_waited_for_once(
    machine: ScriptedMachine, tmp_path: Path, number: int, ending: Ending
) -> None:
    hung = launches(machine, tmp_path, number)
    ending(hung)
    assert [one.started[0].poll() for one in hung] == [-signal.SIGKILL] * number
    assert list(tmp_path.iterdir()) == []
    assert machine.elapsed_s == pytest.approx(GRACE_S * bool(number), abs=LOOK_S)


@pytest.mark.parametrize(("ending", "asked_s"), [(leave, LEAVE_S), (kill, 0.0)])
@pytest.mark.parametrize("number", [1, 3])
def test_ranks_that_do_not_end_when_asked_nor_when_hung_up_on_are_waited_for_once(
    machine: ScriptedMachine, tmp_path: Path, number: int, ending: Ending, asked_s: float
) -> None:
    hung = launches(machine, tmp_path, number)
    ranks = []
    for one in hung:
        ours, theirs = socket.socketpair()
        one.connections[0] = Connection(ours)
        ranks.append(theirs)
    ending(hung)
    for theirs in ranks:
        with theirs:
            assert theirs.recv(100) == (b"end\n" if ending is leave else b"")
            assert theirs.recv(100) == b""
    waited_s = asked_s + HUNG_UP_S + GRACE_S
    assert machine.elapsed_s == pytest.approx(waited_s, abs=3 * LOOK_S)
