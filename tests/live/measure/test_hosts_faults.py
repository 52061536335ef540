"""Ranks of other hosts that hang or crash: named with their host, their state or signal."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from harness.patience import HANG_S
from tests.support.campaigns import Silent
from tests.support.emulated import emulated_hosts, needs_root
from tests.support.launches import noted

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.placement import Hosts
from leadline.measure.conduct import conduct
from leadline.measure.launch import Launch
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
from leadline.record.run import Cell, Failure

pytestmark = [needs_root, pytest.mark.long]


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts() as up:
        yield up


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """All launches that are started."""
    return noted(monkeypatch)


class Signalling(Silent):
    """Sends a signal to rank 1 of all launches, once the first slice is done.

    Of one a library wouldn't do: a busy machine may have no time left to ask that one again.
    """

    def __init__(self, number: signal.Signals, launches: list[Launch]) -> None:
        super().__init__()
        self.number, self.launches = number, launches

    def slice_done(self, variant: str, cell: Cell) -> None:
        if not self.slices:
            for launch in self.launches:
                os.kill(launch.hellos[1].pid, self.number)
        super().slice_done(variant, cell)


def first_failures(
    hosts: Cluster, out: Path, libraries: tuple[str, ...], watching: Silent
) -> Mapping[str, Failure]:
    """Of each library, in a campaign on two hosts."""
    request = Request(
        patterns=("bcast",), sizes=(8, 64), backends=libraries, blocks=1, budget_s=1.0,
        bind=False, patience_s=HANG_S,
        hosts=Hosts(tuple(host.name for host in hosts.hosts), str(hosts.agent), emulated=True),
    )  # fmt: skip
    run = conduct(prepare(request), out, watching)
    found = {run.configurations[f.configuration].variant: f for f in reversed(run.failures)}
    assert found.keys() == set(libraries)
    return found


class Stopping(Signalling):
    """Stops ranks, and ends the campaign at the first hang: each of the rest takes as long."""

    def __init__(self, launches: list[Launch]) -> None:
        super().__init__(signal.SIGSTOP, launches)

    def failed(self, failure: Failure) -> None:
        super().failed(failure)
        raise KeyboardInterrupt


@pytest.mark.parametrize("library", ["tcp", "mpich"])
def test_rank_that_hangs_on_another_host_is_named_with_its_state(
    hosts: Cluster, tmp_path: Path, started: list[Launch], library: str
) -> None:
    failures = first_failures(hosts, tmp_path / "run", (library,), Stopping(started))
    failure = failures[library]
    assert failure.code == "hang"
    second = hosts.hosts[1].name
    blamed, _, seen = failure.message.partition(" (")
    assert f"rank 1 on {second} " in blamed and blamed.count("rank ") == 1
    assert seen.startswith(f"rank 1 on {second}: ")
    assert "stopped" in failure.message


def test_rank_that_crashes_on_another_host_is_named_with_its_signal(
    hosts: Cluster, tmp_path: Path, started: list[Launch]
) -> None:
    crashing = Signalling(signal.SIGSEGV, started)
    failures = first_failures(hosts, tmp_path / "run", ("tcp", "mpich", "openmpi"), crashing)
    for failure in failures.values():
        assert failure.code == "crash", failure.message
        assert f"rank 1 on {hosts.hosts[1].name} " in failure.message
        assert "SIGSEGV" in failure.message
