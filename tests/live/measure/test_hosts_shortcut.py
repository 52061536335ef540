"""Emulated hosts that share memory by mistake: what a library sends past the links is no number."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from tests.support.campaigns import Silent
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root

from leadline.hosts.emulated.cluster import Cluster, emulated
from leadline.hosts.placement import parse_hosts
from leadline.kernels.messages import Result
from leadline.measure import pool
from leadline.measure.conduct import conduct
from leadline.measure.preparation import prepare
from leadline.measure.spec import Request
from leadline.store import load

pytestmark = needs_root

HOSTS = 3
FORGETFUL = """#!/bin/sh
# Enters a host, but not its IPC namespace.
while case "${1-}" in -[lpoi]) shift 2 ;; -*) shift ;; *) false ;; esac do :; done
host=$1
shift
case $host in CASES esac
exec nsenter $words sh -c "$*"
"""


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts(HOSTS) as up:
        yield up


def forgetful_agent(hosts: Cluster, folder: Path) -> Path:
    words = {
        host.name: " ".join(word for word in host.namespaces if word != "--ipc")
        for host in hosts.hosts
    }
    agent = folder / "agent"
    cases = " ".join(f"{name}) words='{entered}' ;;" for name, entered in words.items())
    agent.write_text(FORGETFUL.replace("CASES", cases))
    agent.chmod(0o755)
    return agent


def sent_in(message: str) -> dict[str, int]:
    """Bytes by host that `message` says their interfaces sent."""
    named = message.partition("which sent ")[2].partition(". ")[0]
    words = [one.split() for one in named.split(", ")]
    return {host: int(count.replace(",", "")) for host, count, _ in words}


def test_library_that_finds_shared_memory_gives_no_number(hosts: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = (
        "timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run",
        "--hosts", host_words(hosts, 1, 2), "--agent", str(forgetful_agent(hosts, tmp_path)),
        "--backends", "mpich,shmem,tcp", "--patterns", "pingpong", "--sizes", "8",
        "--blocks", "1", "--budget", "1s", "--out", str(out),
    )  # fmt: skip
    done = subprocess.run(inside(hosts, 0, *command), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    run = load(out)
    failed = {run.configurations[one.configuration].variant: one for one in run.failures}
    assert {name: failure.code for name, failure in failed.items()} == {
        "mpich": "shortcut", "shmem": "shortcut"
    }  # fmt: skip
    for failure in failed.values():
        assert set(sent_in(failure.message)) == {host.name for host in hosts.hosts[:2]}
        assert max(sent_in(failure.message).values()) < pool.NEXT_BYTES
        assert "--ipc" in failure.message
    measured = {run.configurations[c].variant for c in run.batches.configuration.tolist()}
    assert measured == {"tcp"}


def test_what_is_sent_between_hosts_is_what_their_interfaces_count(
    hosts: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[tuple[int, int]] = []
    judge = pool.shortcut

    def noted(results: Sequence[Result], of: Mapping[int, str], least: int) -> str:
        counted.extend(
            (link.bytes, least)
            for result in results
            for link in result.around.links
            if link.name == "eth0 tx"
        )
        return judge(results, of, least)

    monkeypatch.setattr(pool, "shortcut", noted)
    request = Request(
        patterns=("barrier",), ranks=(HOSTS,), backends=("tcp", "mpich"), blocks=1, budget_s=0.1,
        hosts=emulated(parse_hosts(host_words(hosts), "ssh")),
    )  # fmt: skip
    assert conduct(prepare(request), tmp_path / "run", Silent()).failures == ()
    assert len(counted) >= 2 * HOSTS
    for carried, least in counted:
        assert least == pool.NEXT_BYTES + pool.OTHER_BYTES
        assert least <= carried
