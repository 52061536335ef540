"""A front-end that is killed leaves nothing on the hosts, and the next run isn't disturbed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, needs_root
from tests.support.processes import until

from leadline.hosts.emulated.cluster import Cluster
from leadline.hosts.emulated.namespaces import kept, members

pytestmark = needs_root


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts() as up:
        yield up


def on_hosts(hosts: Cluster) -> set[int]:
    """All processes of the cluster, those that keep it, too."""
    return members(hosts.prefix, kept(hosts.prefix))


def command(hosts: Cluster, out: Path, library: str, *words: str) -> tuple[str, ...]:
    return (
        sys.executable, "-m", "leadline", "run", "--backends", library, "--patterns", "barrier",
        "--bind", "none", "--hosts", host_words(hosts), "--out", str(out), *words,
    )  # fmt: skip


@pytest.mark.parametrize(("library", "early"), [("tcp", True), ("mpich", False), ("openmpi", True)])
def test_front_end_that_is_killed_leaves_nothing_on_the_hosts(
    hosts: Cluster, tmp_path: Path, library: str, early: bool
) -> None:
    holders, journal = on_hosts(hosts), tmp_path / "run" / "journal.jsonl"
    words = command(hosts, tmp_path / "run", library, "--budget", "30s")
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as front_end:
        until(lambda: journal.exists() or front_end.poll() is not None)
        assert front_end.poll() is None, front_end.communicate()
        if early:
            until(lambda: bool(on_hosts(hosts) - holders))
        else:
            until(lambda: '"slice"' in journal.read_text())
        front_end.kill()
        front_end.wait()
        until(lambda: on_hosts(hosts) <= holders)
    assert on_hosts(hosts) == holders
    following = command(hosts, tmp_path / "next", library, "--budget", "1s", "--blocks", "1")
    done = subprocess.run(following, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert on_hosts(hosts) == holders
