"""Links that the kernel shapes: they carry frames once its bridge says so."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest

from leadline.errors import MachineError
from leadline.hosts.emulated import wire
from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.wire import PATIENCE_S, await_forwarding, impair_by_buckets
from leadline.processes import CommandResult

DISABLED, FORWARDING = (
    f"3: port1@if2: <UP> bridge_slave state {state} " for state in ("disabled", "forwarding")
)
HOST = EmulatedHost("h1", "10.77.0.1", pid=1)
CLUSTER = Cluster("h", (HOST,), parse_link("1Gbit"), wire_pid=2)
Commands = list[tuple[str, ...]]
Kernel = Callable[[Sequence[CommandResult]], Commands]


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Answers one ending after another, the last for ever; what it was asked. Waits take none."""

    def with_answers(endings: Sequence[CommandResult]) -> Commands:
        asked: Commands = []
        waited = [0.0]

        def run(argv: Sequence[str], *_: object) -> CommandResult:
            asked.append(tuple(argv))
            return endings[min(len(asked), len(endings)) - 1]

        monkeypatch.setattr(wire, "run", run)
        monkeypatch.setattr(wire, "obeyed", lambda *_: None)
        monkeypatch.setattr(time, "monotonic", lambda: waited[0])
        monkeypatch.setattr(time, "sleep", lambda s: waited.__setitem__(0, waited[0] + s))
        return asked

    return with_answers


def test_link_is_awaited_until_the_bridge_passes_frames_on(kernel: Kernel) -> None:
    asked = kernel(
        [CommandResult(0, DISABLED), CommandResult(0, DISABLED), CommandResult(0, FORWARDING)]
    )
    await_forwarding(CLUSTER, HOST)
    assert len(asked) == 3
    assert {words[-1] for words in asked} == {"port1"}


def test_link_that_is_cut_is_not_awaited(kernel: Kernel) -> None:
    asked = kernel([CommandResult(0, FORWARDING)])
    impair_by_buckets(CLUSTER, HOST, 1.0, cut=True)
    assert asked == []
    impair_by_buckets(CLUSTER, HOST, 1.0, cut=False)
    assert len(asked) == 1


def test_link_that_never_comes_up_is_an_error_in_the_end(kernel: Kernel) -> None:
    kernel([CommandResult(0, DISABLED)])
    with pytest.raises(MachineError) as caught:
        await_forwarding(CLUSTER, HOST)
    assert time.monotonic() > PATIENCE_S
    assert "'h1'" in str(caught.value) and "state disabled" in str(caught.value)


def test_kernel_that_cannot_be_asked_is_an_error_at_once(kernel: Kernel) -> None:
    asked = kernel([CommandResult(1, 'Device "port1" does not exist.')])
    with pytest.raises(MachineError, match="port1"):
        await_forwarding(CLUSTER, HOST)
    assert len(asked) == 1
