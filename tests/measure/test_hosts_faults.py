"""Ranks of other hosts that hang: named with their host and state, asked of that host."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root
from tests.support.processes import processes, until, variable

from leadline.hosts.emulated.cluster import Cluster
from leadline.record.run import Run
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


def disturbed(hosts: Cluster, out: Path, disturb: Callable[[], None], *words: str) -> Run:
    """The run that a campaign makes which is disturbed once it has recorded something."""
    command = (
        sys.executable, "-m", "leadline", "run", "--patterns", "allgather", "--sizes", "8,64",
        "--blocks", "1", "--budget", "6s", "--hosts", host_words(hosts),
        "--agent", str(hosts.agent),
        "--patience", "2s", "--variant", f"mine={words[0]},env:{MARK}={out}", "--out",
        str(out), *words[1:],
    )  # fmt: skip
    with subprocess.Popen(inside(hosts, 0, *command), stderr=subprocess.PIPE) as front_end:
        journal = out / "journal.jsonl"
        until(lambda: journal.exists() and '"slice"' in journal.read_text())
        disturb()
        _, said = front_end.communicate(timeout=100)
    assert front_end.returncode == 1, said
    return load(out)


def signalled(out: Path, rank: int, name: str) -> None:
    for pid in ranks_of(out, rank):
        os.kill(pid, signal.Signals[name])


@pytest.mark.parametrize("library", ["tcp", "mpich"])
def test_rank_that_hangs_on_another_host_is_named_with_its_state(
    hosts: Cluster, tmp_path: Path, library: str
) -> None:
    out = tmp_path / "run"
    run = disturbed(hosts, out, lambda: signalled(out, 1, "SIGSTOP"), library)
    second = hosts.hosts[1].name
    (failure, *_) = run.failures
    assert failure.code == "hang"
    assert f"rank 1 on {second} is stuck (rank 1 on {second}: " in failure.message
    assert "stopped" in failure.message


@pytest.mark.parametrize("library", ["tcp", "mpich", "openmpi"])
def test_rank_that_crashes_on_another_host_is_named_with_its_signal(
    hosts: Cluster, tmp_path: Path, library: str
) -> None:
    out = tmp_path / "run"
    run = disturbed(hosts, out, lambda: signalled(out, 1, "SIGSEGV"), library)
    (failure, *_) = run.failures
    assert failure.code == "crash"
    assert f"rank 1 on {hosts.hosts[1].name} " in failure.message
    assert "SIGSEGV" in failure.message
