"""Ranks on emulated hosts, started and watched from a process that is on none of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, host_words, needs_root
from tests.support.leftovers import remove_launch
from tests.support.processes import ended, of_others, processes, until, variable

from leadline.hosts.emulated.cluster import Cluster, emulated
from leadline.hosts.placement import parse_hosts
from leadline.record.run import Run
from leadline.store import load

pytestmark = needs_root

HOSTS = 4
VARIANTS = {
    "tcp": "tcp", "mpich": "ucx tcp", "openmpi": "ob1 tcp", "impi": "ofi tcp",
    "openmpi@4.1.4": "ob1 tcp", "shmem": "ucx tcp", "pvm": "pvmd udp", "pvm,arg:direct": "tcp",
    "pvm,arg:spawn": "pvmd udp",
}  # fmt: skip
"""What a variant is made of, and what carries its messages between hosts."""


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    with emulated_hosts(HOSTS) as up:
        yield up


def command(out: Path, *words: str) -> list[str]:
    """A short run, for a shell of this machine."""
    usual = ("--sizes", "8,64KiB", "--blocks", "1", "--budget", "1s", "--out", str(out))
    return ["timeout", "-k", "1", "100", sys.executable, "-m", "leadline", "run", *usual, *words]


def measured(out: Path, *words: str) -> Run:
    done = subprocess.run(command(out, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(out)
    assert not run.failures
    return run


def test_every_library_reaches_its_ranks_on_two_hosts(hosts: Cluster, tmp_path: Path) -> None:
    names = {f"v{number}": library for number, library in enumerate(VARIANTS)}
    words = [word for name, made in names.items() for word in ("--variant", f"{name}={made}")]
    run = measured(
        tmp_path / "run", "--hosts", host_words(hosts, 2, 3), "--patterns", "exchange", *words
    )
    found = {names[one.variant]: one.transport for one in run.configurations}
    assert found == VARIANTS
    assert [host.name for host in run.hosts] == [host.name for host in hosts.hosts[1:3]]


def test_two_ranks_on_each_of_four_hosts_take_part_in_collectives(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(
        tmp_path / "run", "--hosts", host_words(hosts), "--ranks", str(2 * HOSTS), "--bind", "none",
        "--patterns", "allreduce,barrier", "--backends", "tcp,mpich,pvm", "--sizes", "8",
    )  # fmt: skip
    assert set(run.batches.rank.tolist()) == set(range(2 * HOSTS))
    assert {host.name for host in run.hosts} == {host.name for host in hosts.hosts}


def test_puts_that_are_messages_arrive_where_nobody_calls_the_library_for_them(
    hosts: Cluster, tmp_path: Path
) -> None:
    run = measured(
        tmp_path / "run", "--hosts", host_words(hosts, 1, 2), "--backends", "shmem",
        "--patterns", "pingpong,put,get,put_flag,fetch_add",
    )  # fmt: skip
    assert {cell.pattern for cell in run.cells} >= {"put", "put_flag", "fetch_add"}


def folders_of_daemons() -> set[str]:
    """Of the launches over hosts whose PVM's daemons, or what looks after them, are there.

    Each process is asked once: one that ends in between has no variable any more.
    """
    ours = (pid for pid in processes() if not of_others(pid))
    return {variable(pid, "LEADLINE_PVM_FOLDER") for pid in ours} - {""}


def test_front_end_that_is_killed_leaves_no_daemon_on_any_host(
    hosts: Cluster, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    words = ("--backends", "pvm", "--patterns", "bcast", "--hosts", host_words(hosts, 1, 3))
    front_end = [*command(out, *words, "--ranks", "3", "--blocks", "100")[4:]]
    with ended(subprocess.Popen(front_end, stdout=subprocess.DEVNULL)) as killed:
        journal = out / "journal.jsonl"
        until(lambda: journal.exists() and '"slice"' in journal.read_text())
        folders = folders_of_daemons()
        assert folders
        killed.kill()
    until(lambda: not folders_of_daemons() & folders)
    for folder in folders:
        remove_launch(Path(folder))


def test_hosts_that_are_up_in_part_are_named(hosts: Cluster, tmp_path: Path) -> None:
    beyond = f"{hosts.prefix}{HOSTS + 1}"
    done = subprocess.run(
        command(tmp_path / "run", "--hosts", f"{hosts.prefix}1,{beyond}"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert f"{beyond!r} " in done.stderr


def test_rate_of_the_link_is_known_of_emulated_hosts_alone(hosts: Cluster) -> None:
    named = emulated(parse_hosts(host_words(hosts), "ssh"))
    assert named.emulated
    assert named.link == hosts.link.facts
    others = parse_hosts("nobody[1-2]", "ssh")
    assert emulated(others) == others
