"""Nothing is left of emulated hosts: however `up` ends, and whatever runs in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from errno import EACCES, EPERM
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import emulated_hosts, inside, needs_root, own_prefix
from tests.support.processes import until

from leadline.cli import main
from leadline.errors import MachineError
from leadline.hosts.emulated import lifecycle
from leadline.hosts.emulated.cluster import Cluster, HostState, folder_of, leftovers
from leadline.hosts.emulated.impairing import processes_in, stop
from leadline.hosts.emulated.lifecycle import down, up
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.namespaces import hold, is_marked, kept, members, pids

pytestmark = needs_root

COUNT = 3
AS_ANOTHER_USER = (
    "import importlib, os, pkgutil, sys; import leadline; from leadline.cli import main\n"
    "for found in pkgutil.walk_packages(leadline.__path__, 'leadline.'):\n"
    "    importlib.import_module(found.name)\n"
    "os.setuid(65534)\n"
    "for words in sys.argv[1:]: print(words, main(words.split()), file=sys.stderr)"
)
"""Runs commands and says the status of each. All that is ever imported, ahead: a user without a
home here might not read it later."""
STUBBORN = "trap '' TERM INT HUP; echo ready; while :; do sleep 1; done"


@pytest.fixture
def prefix() -> Iterator[str]:
    """Hosts of this prefix are removed in the end, where a test fails."""
    mine = own_prefix()
    yield mine
    down(mine)


def devices_and_mounts() -> tuple[set[str], list[str]]:
    """Of this machine outside of all hosts."""
    names = {path.name for path in Path("/sys/class/net").iterdir()}
    return names, Path("/proc/self/mountinfo").read_text().splitlines()


def holders(prefix: str) -> int:
    return sum(is_marked(pid, prefix) for pid in pids())


MOMENTS: dict[str, Callable[[str], bool]] = {
    "folder": lambda prefix: folder_of(prefix).exists(),
    "a holder": lambda prefix: holders(prefix) > 0,
    "its namespaces": lambda prefix: bool(kept(prefix)),
    "all holders": lambda prefix: holders(prefix) > COUNT,
    "devices": lambda prefix: (folder_of(prefix) / "wire.ip").exists(),
    "addresses": lambda prefix: (folder_of(prefix) / f"{prefix}1.ip").exists(),
    "entrances": lambda prefix: (folder_of(prefix) / "entrances").exists(),
}
"""Of `up`, by what is there."""


@pytest.mark.parametrize(
    ("link", "moment"),
    [
        *(("10Mbit", moment) for moment in MOMENTS),
        ("1Gbit,shared", "devices"),
        ("1Gbit,shared", "entrances"),
    ],
)
def test_up_that_is_killed_at_any_moment_leaves_what_down_removes(
    link: str, moment: str, prefix: str
) -> None:
    before = devices_and_mounts()
    words = ("hosts", "up", "--count", str(COUNT), "--link", link, "--prefix", prefix)
    command = (sys.executable, "-m", "leadline", *words)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until(lambda: MOMENTS[moment](prefix) or process.poll() is not None)
        process.kill()
    assert process.returncode == -9
    assert prefix in leftovers() or folder_of(prefix).exists()
    namespaces = kept(prefix)
    assert not down(prefix).nothing
    assert not members(prefix, namespaces)
    assert not folder_of(prefix).exists()
    assert devices_and_mounts() == before
    assert down(prefix).nothing


def test_hosts_left_by_a_killed_up_are_in_the_way_of_the_next_until_they_are_down(
    prefix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = (sys.executable, "-m", "leadline", "hosts", "up", "--prefix", prefix)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until(lambda: holders(prefix) > 1)
        process.kill()
    assert main(["hosts", "up", "--prefix", prefix]) == 2
    assert f"down --prefix {prefix}" in capsys.readouterr().err
    assert main(["hosts", "list"]) == 0
    assert f"{prefix}1 " in capsys.readouterr().out
    assert main(["hosts", "down", "--prefix", prefix]) == 0
    assert "removed" in capsys.readouterr().out
    assert main(["hosts", "up", "--prefix", prefix, "--count", "1"]) == 0


def test_up_that_fails_half_way_leaves_nothing(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(cluster: Cluster) -> None:
        raise MachineError(f"no wire for {len(cluster.hosts)}")

    monkeypatch.setattr(lifecycle, "join", refuse)
    with pytest.raises(MachineError, match="no wire for 2"):
        up(2, parse_link("1Gbit"), prefix)
    assert down(prefix).nothing


def test_processes_that_ignore_signals_end_with_their_hosts() -> None:
    with emulated_hosts(2) as cluster:
        command = inside(cluster, 0, "setsid", "sh", "-c", STUBBORN)
        with subprocess.Popen(command, stdout=subprocess.PIPE) as stubborn:
            assert stubborn.stdout
            stubborn.stdout.readline()
            assert down(cluster.prefix).hosts == tuple(host.name for host in cluster.hosts)
            assert stubborn.wait(PATIENCE_S) == -9


def test_processes_whose_holder_was_killed_are_found_by_their_mark() -> None:
    with (
        emulated_hosts(2) as cluster,
        subprocess.Popen(inside(cluster, 0, "sleep", "600")) as left,
    ):
        until(lambda: is_marked(left.pid, cluster.prefix))
        subprocess.run(["kill", "-9", str(cluster.hosts[0].pid)], check=True)
        down(cluster.prefix)
        assert left.wait(PATIENCE_S) != 0


def test_number_of_a_holder_that_is_gone_may_be_any_process(snapshot: SnapshotAssertion) -> None:
    with emulated_hosts(2) as cluster, subprocess.Popen(["sleep", "600"]) as bystander:
        first, second = cluster.hosts
        taken = replace(cluster, hosts=(replace(first, pid=bystander.pid), second))
        assert taken.state(taken.hosts[0]) is HostState.DOWN
        assert processes_in(taken, taken.hosts[0]) == set()
        with pytest.raises(MachineError) as caught:
            stop(taken, first.name)
        assert str(caught.value).replace(cluster.prefix, "PREFIX") == snapshot
        assert bystander.poll() is None
        bystander.kill()


def test_hosts_are_not_removed_from_within(snapshot: SnapshotAssertion) -> None:
    with emulated_hosts(1) as cluster:
        command = inside(
            cluster, 0, sys.executable, "-m", "leadline", "hosts", "down", "--prefix",
            cluster.prefix,
        )  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.replace(cluster.prefix, "PREFIX") == snapshot


# -- what a machine lacks --------------------------------------------------------------------------


def refused(prefix: str, prepare: str, *words: str) -> str:
    """What `hosts up` says in a mount namespace that `prepare` has changed; it must fail."""
    script = f'{prepare} && exec "$@"'
    command = (sys.executable, "-m", "leadline", "hosts", "up", "--prefix", prefix, *words)
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *command],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr.count("\n") == 1
    assert down(prefix).nothing
    return done.stderr


def test_machine_without_tun_is_told_what_to_do(prefix: str) -> None:
    message = refused(prefix, "mount -t tmpfs none /dev/net", "--link", "10Mbit")
    assert "/dev/net/tun" in message
    assert "modprobe tun" in message


def test_machine_without_a_program_is_told_which_package_has_it(prefix: str) -> None:
    hidden = "mount --bind /dev/null $(command -v tc)"
    assert "iproute2" in refused(prefix, hidden, "--link", "1Gbit")


def test_kernel_that_refuses_namespaces_is_told_of(prefix: str) -> None:
    message = refused(prefix, 'set -- setpriv --bounding-set -all "$@"')
    assert os.strerror(EPERM) in message


def test_another_user_than_root_is_told_so() -> None:
    commands = ("hosts up", "hosts down", "hosts exec h1 -- true")
    done = subprocess.run(
        [sys.executable, "-c", AS_ANOTHER_USER, *commands],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    output = done.stderr.splitlines()
    assert output[1::2] == [f"{words} 1" for words in commands], done.stderr
    assert ["sudo leadline" in line for line in output[::2]] == [True] * len(commands), done.stderr


def test_hosts_that_are_up_are_never_called_down_before_another_user() -> None:
    with emulated_hosts(2) as cluster:
        names = ",".join(host.name for host in cluster.hosts)
        words = f"run --hosts {names} --dry-run"
        command = (sys.executable, "-c", AS_ANOTHER_USER, words)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr.endswith(f"{words} 1\n"), done.stderr
        assert "sudo leadline" in done.stderr
        other = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")
        done = subprocess.run(
            [*other, cluster.agent, cluster.hosts[0].name, "true"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, os.strerror(EACCES) in done.stderr) == (255, True), done.stderr


def test_who_is_gone_at_last_was_ended_however_long_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifecycle, "PATIENCE_S", -1.0)
    down(own_prefix())


def test_namespaces_that_are_held_give_their_numbers_to_no_other_cluster() -> None:
    """Else who removes one would end another, made meanwhile: its holders have the same numbers."""
    held: dict[str, int] = {}
    try:
        with emulated_hosts() as gone:
            hold(gone.prefix, held)
            assert held.keys() == kept(gone.prefix)
        with emulated_hosts() as new:
            assert not held.keys() & kept(new.prefix)
    finally:
        for descriptor in held.values():
            os.close(descriptor)
