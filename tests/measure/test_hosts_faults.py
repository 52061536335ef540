"""Ranks of other hosts that hang or crash: named with their host, their state or signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, needs_root
from tests.support.processes import processes, until, variable

from leadline.hosts.emulated.cluster import Cluster
from leadline.record.run import Failure
from leadline.store import load

pytestmark = [pytest.mark.live, needs_root]

MARK = "LEADLINE_FAULTS"
RANK_VARIABLES = ("LEADLINE_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK")


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts() as up:
        yield up


def ranks_of(run: Path, rank: int) -> list[int]:
    """The processes of `rank` in launches of the campaign that records `run`."""
    mine = [pid for pid in processes() if variable(pid, MARK) == str(run)]
    return [pid for pid in mine if any(variable(pid, one) == str(rank) for one in RANK_VARIABLES)]


def disturbed(
    hosts: Cluster, out: Path, libraries: tuple[str, ...], name: str
) -> dict[str, Failure]:
    """The first failure of each library when its ranks on the second host get the signal `name`."""
    variants = [f"{one}={one},env:{MARK}={out}" for one in libraries]
    command = (
        sys.executable, "-m", "leadline", "run", "--patterns", "allgather", "--sizes", "8",
        "--blocks", "1", "--budget", "4s", "--hosts", host_words(hosts), "--patience", "2s",
        "--out", str(out), *(word for one in variants for word in ("--variant", one)),
    )  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as front_end:
        journal = out / "journal.jsonl"
        until(lambda: journal.exists() and '"slice"' in journal.read_text())
        for pid in ranks_of(out, 1):
            os.kill(pid, signal.Signals[name])
        _, said = front_end.communicate(timeout=100)
    assert front_end.returncode == 1, said
    run = load(out)
    found = {run.configurations[f.configuration].variant: f for f in reversed(run.failures)}
    assert found.keys() == set(libraries)
    return found


def test_rank_that_hangs_on_another_host_is_named_with_its_state(
    hosts: Cluster, tmp_path: Path
) -> None:
    failures = disturbed(hosts, tmp_path / "run", ("tcp", "mpich"), "SIGSTOP")
    second = hosts.hosts[1].name
    for failure in failures.values():
        assert failure.code == "hang"
        assert f"rank 1 on {second} is stuck (rank 1 on {second}: " in failure.message
        assert "stopped" in failure.message


def test_rank_that_crashes_on_another_host_is_named_with_its_signal(
    hosts: Cluster, tmp_path: Path
) -> None:
    failures = disturbed(hosts, tmp_path / "run", ("tcp", "mpich", "openmpi"), "SIGSEGV")
    for failure in failures.values():
        assert failure.code == "crash"
        assert f"rank 1 on {hosts.hosts[1].name} " in failure.message
        assert "SIGSEGV" in failure.message
