from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root
from tests.support.processes import watching

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.connections import CONFIDENTIAL
from leadline.store import load


def test_consecutive_ranks_share_a_host() -> None:
    hosts = Hosts(("a", "b", "c"))
    assert [hosts.place(rank, 6) for rank in range(6)] == [0, 0, 1, 1, 2, 2]
    assert hosts.spread(hosts.names, 4) == ["a", "a", "b", "b"]
    assert hosts.share(7) == 3


def test_ranks_lie_on_the_hosts_that_they_use_as_on_all() -> None:
    for ranks, number in itertools.product(range(1, 40), range(1, 12)):
        hosts = Hosts(tuple(f"h{n}" for n in range(number)))
        used = hosts.used_by(ranks)
        assert used.spread(used.names, ranks) == hosts.spread(hosts.names, ranks)
        assert set(used.spread(used.names, ranks)) == set(used.names)
    assert THIS_HOST.used_by(5) == THIS_HOST


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts() as up:
        yield up


def leadline(hosts: Cluster, *more: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "leadline", "run", "--bind", "none", *more)
    spread = ("--hosts", host_words(hosts), "--agent", str(hosts.agent))
    return subprocess.run(
        inside(hosts, 0, "timeout", "-k", "1", str(PATIENCE_S), *command, *spread),
        capture_output=True,
        text=True,
        check=False,
    )


@needs_root
def test_messages_between_hosts_are_measured_over_every_library(
    hosts: Cluster, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with watching(CONFIDENTIAL) as seen:
        done = leadline(
            hosts, "--backends", "tcp,mpich,openmpi,impi", "--patterns", "pingpong,allreduce",
            "--sizes", "8,100kB", "--blocks", "1", "--budget", "2s", "--out", str(out),
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert min(len(values) for values in seen.values.values()) >= 4
    assert seen.shown() == []
    run = load(out)
    transports = {c.variant: c.transport for c in run.configurations}
    assert transports == {
        "tcp": "tcp", "mpich": "ucx tcp", "openmpi": "ob1 tcp", "impi": "ofi tcp"
    }  # fmt: skip
    assert {c.hosts for c in run.configurations} == {tuple(host.name for host in hosts.hosts)}
    assert not run.failures
    assert {cell.cadence for cell in run.cells} == {"streaming", "isolated"}
    assert "clocks" not in {warning.code for warning in run.warnings}


@needs_root
def test_four_ranks_of_raw_tcp_fill_one_host_after_the_other(
    hosts: Cluster, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    done = leadline(
        hosts, "--backends", "tcp", "--patterns", "allgather", "--ranks", "4",
        "--sizes", "1kB", "--blocks", "1", "--budget", "1s", "--out", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not load(out).failures


@needs_root
def test_shared_memory_between_hosts_is_refused(
    hosts: Cluster, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done = leadline(hosts, "--backends", "shm", "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == snapshot
