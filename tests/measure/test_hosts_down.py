"""A host that goes down during a run: named, the rest goes on, and all when it is back."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, inside, needs_root
from tests.support.processes import processes, until

from leadline.hosts.emulated.cluster import Cluster, EmulatedHost
from leadline.hosts.emulated.marks import namespaces_of
from leadline.store import load

pytestmark = [pytest.mark.live, needs_root]

HOSTS = 3
AGENT = """#!/bin/sh
# Enters hosts, but those that a file says are down.
for word; do case $word in PREFIX[1-9]) host=$word; break ;; esac; done
test -e FOLDER/down.$host && {
    echo "ssh: connect to host $host port 22: No route to host" >&2
    exit 255
}
exec AGENT "$@"
"""


@dataclass
class Failing:
    """Hosts that can go down, and come back."""

    hosts: Cluster
    folder: Path

    @property
    def agent(self) -> Path:
        path = self.folder / "failing"
        text = AGENT.replace("AGENT", str(self.hosts.agent)).replace("PREFIX", self.hosts.prefix)
        path.write_text(text.replace("FOLDER", str(self.folder)))
        path.chmod(0o755)
        return path

    @property
    def last(self) -> EmulatedHost:
        return self.hosts.hosts[-1]

    def stop(self) -> None:
        """Ends all that runs on the last host, and lets nobody in any more."""
        (self.folder / f"down.{self.last.name}").touch()
        inside = namespaces_of(self.last.pid)
        for pid in processes():
            if pid != self.last.pid and namespaces_of(pid) == inside:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def start(self) -> None:
        (self.folder / f"down.{self.last.name}").unlink()


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Failing]:
    with emulated_hosts(HOSTS) as up:
        yield Failing(up, tmp_path)


def leadline(failing: Failing, *words: str) -> subprocess.Popen[str]:
    command = ("timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run", *words)
    return subprocess.Popen(
        inside(failing.hosts, 0, *command),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_campaign_goes_on_without_a_host_and_with_it_when_it_is_back(
    failing: Failing, tmp_path: Path
) -> None:
    out, name = tmp_path / "run", failing.last.name
    words = (
        "--backends", "tcp,openmpi", "--patterns", "allgather", "--sizes", "8", "--ranks", "2,3",
        "--bind", "none", "--blocks", "3", "--budget", "3s", "--hosts", host_words(failing.hosts),
        "--agent", str(failing.agent), "--out", str(out),
    )  # fmt: skip
    with leadline(failing, *words) as front_end:
        journal = out / "journal.jsonl"
        until(lambda: journal.exists() and '"block":1' in journal.read_text())
        failing.stop()
        _, said = front_end.communicate(timeout=100)
    assert front_end.returncode == 1, said
    assert f"when they are back, go on with: leadline run --resume {out}" in said
    run = load(out)
    assert run.awaits_hosts
    assert {(f.configuration, f.cell, f.code) for f in run.failures} == {
        (number, None, "host_down")
        for number, one in enumerate(run.configurations)
        if one.ranks == HOSTS
    }
    assert all(f"host {name} doesn't answer" in failure.message for failure in run.failures)
    assert set(run.batches.block[run.batches.configuration == 0].tolist()) == {0, 1, 2}
    with leadline(failing, "--resume", str(out)) as front_end:
        _, said = front_end.communicate(timeout=100)
    assert front_end.returncode == 1
    assert f"{name!r} doesn't say what it is" in said
    assert "No route to host" in said
    failing.start()
    with leadline(failing, "--resume", str(out)) as front_end:
        _, said = front_end.communicate(timeout=100)
    assert front_end.returncode == 0, said
    whole = load(out)
    assert whole.complete
    assert whole.failures == ()
    assert len(whole.batches.rank) > len(run.batches.rank)
