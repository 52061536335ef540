"""A campaign under attack: strangers are counted, and nothing else changes."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from harness.callers import connected, hello
from harness.kernels import variant
from tests.support.campaigns import plan_for, run_campaign, seen

from leadline.kernels.clock import SYSTEM_CLOCK, Clock
from leadline.kernels.connections import Cause
from leadline.kernels.server import ControlServer

WORDS = (
    b"token \n",
    b"token a\n" * 1000,
    b"launch a b\n" + hello(0, 2),
    b"",
    bytes(1000),
    hello(0, 2),
)
MOST_LINES = 200


def attack(address: str, over: threading.Event) -> None:
    """Connects again and again, says one thing after the other, and stays."""
    with contextlib.ExitStack() as lines:
        for number in range(MOST_LINES):
            with contextlib.suppress(OSError):
                line = lines.enter_context(connected(address))
                line.sendall(WORDS[number % len(WORDS)])
            if over.wait(0.005):
                return
        over.wait()


@pytest.fixture
def attacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The addresses of all servers: each is attacked from when it listens."""
    addresses: list[str] = []
    over, attackers = threading.Event(), list[threading.Thread]()
    listening: Callable[[Sequence[str], Clock], ControlServer] = ControlServer.listening

    def attacked(hosts: Sequence[str] = (), clock: Clock = SYSTEM_CLOCK) -> ControlServer:
        server = listening(hosts, clock)
        addresses.append(server.address)
        attackers.append(threading.Thread(target=attack, args=(server.address, over)))
        attackers[-1].start()
        return server

    monkeypatch.setattr(ControlServer, "listening", attacked)
    yield addresses
    over.set()
    for attacker in attackers:
        attacker.join()


@pytest.mark.parametrize("way", ["path", "network"])
def test_campaign_under_attack_loses_nothing(
    way: str, tmp_path: Path, attacks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "network":  # whose socket every local user reaches
        deep = tmp_path / ("d" * 100)
        deep.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(deep))
    variants = [variant("shm"), variant("null"), variant("tcp")]
    run, watched = run_campaign(tmp_path / "run", variants, plan_for(variants, "pingpong", (8,), 3))
    assert {address.startswith("unix:") for address in attacks} == {way == "path"}
    assert watched.failures == []
    assert run.complete
    assert len(seen(run)) == 3 * len(variants)
    (warning,) = (one for one in run.warnings if one.code == "unauthenticated")
    assert Cause.NO_PROOF.value in warning.cause
    assert Cause.UNKNOWN.value in warning.cause


def test_campaign_that_nobody_disturbs_has_no_strangers(tmp_path: Path) -> None:
    variants = [variant("shm"), variant("null")]
    run, _ = run_campaign(tmp_path / "run", variants, plan_for(variants, "barrier", (0,), 2))
    assert "unauthenticated" not in {one.code for one in run.warnings}
