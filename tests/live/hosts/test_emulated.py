"""Emulated hosts while they are up: entered, listed, made ill, stopped and started again.

What goes over their links is counted, and told apart by numbers; how fast it goes is measured by
bench/hosts/rates.py and bench/hosts/switch.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import (
    PORT,
    datagrams,
    emulated_hosts,
    inside,
    needs_root,
    own_prefix,
    sent_packets,
    speaking,
)
from tests.support.processes import until

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.errors import UsageError
from leadline.hosts.emulated import checking
from leadline.hosts.emulated.checking import checked, link_warnings
from leadline.hosts.emulated.cluster import (
    Cluster,
    HostState,
    LinkCheck,
    cluster_of,
    cluster_with,
)
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.emulated.lifecycle import up
from leadline.hosts.emulated.link import Shaper, parse_link
from leadline.hosts.emulated.namespaces import namespaces_of
from leadline.hosts.emulated.switch import FrameTimes
from leadline.processes import CommandResult

pytestmark = needs_root
CONNECT = (
    f"import socket, sys; s = socket.socket(); s.settimeout({PATIENCE_S});"
    "s.connect((sys.argv[1], 9))"
)
"""To a port where nobody listens: a host that is reached refuses it at once."""
CLOCK = (sys.executable, "-c", "import time; print(time.monotonic_ns())")
COUNT = "while :; do echo; done"
AWAIT_ALL = """
touch "$1/$(hostname)"
until [ -e "$1/$2" ] && [ -e "$1/$3" ]; do sleep 0.01; done
"""


@pytest.fixture(scope="module")
def hosts() -> Iterator[Cluster]:
    """Three hosts on the switch; the clock of the third is ahead."""
    with emulated_hosts(3, "100Mbit", clock_offsets_s={3: 5}) as up:
        yield up


@pytest.fixture(scope="module")
def bucketed() -> Iterator[Cluster]:
    """Two hosts that the kernel joins."""
    with emulated_hosts(2, "1Gbit") as up:
        yield up


@pytest.fixture(params=["switch", "buckets"])
def pair(request: pytest.FixtureRequest, hosts: Cluster, bucketed: Cluster) -> Cluster:
    """Hosts joined by either."""
    return hosts if request.param == "switch" else bucketed


def reached(cluster: Cluster, sender: int, receiver: int) -> bool:
    """Whether what host number `sender` sends gets to `receiver` and back."""
    command = (sys.executable, "-c", CONNECT, cluster.hosts[receiver].address)
    done = subprocess.run(
        inside(cluster, sender, *command), capture_output=True, text=True, check=False
    )
    return "ConnectionRefusedError" in done.stderr


class Lost:
    """What host 0 sends to host 1 while the link carries nothing, and what it sends later."""

    def __init__(self, cluster: Cluster, stack: contextlib.ExitStack) -> None:
        self.cluster = cluster
        self.sending, self.hearing = (
            stack.enter_context(datagrams(cluster, host)) for host in (0, 1)
        )

    def send(self, text: bytes) -> None:
        """Returns when the link has taken it."""
        before = sent_packets(self.cluster, 0)
        self.sending.sendto(text, (self.cluster.hosts[1].address, PORT))
        until(lambda: sent_packets(self.cluster, 0) > before)

    def first_heard(self) -> bytes:
        return self.hearing.recv(100)


# -- what a host is --------------------------------------------------------------------------------


def test_host_has_a_name_an_address_and_a_device_of_its_own(pair: Cluster) -> None:
    host = pair.hosts[1]
    assert speaking(pair, 1, "hostname").strip() == host.name
    assert speaking(pair, 1, "ls", "/sys/class/net").split() == ["eth0", "lo"]
    assert f"{host.address}/24" in speaking(pair, 1, "ip", "addr", "show", "eth0")
    assert f"{host.address} {host.name}" in speaking(pair, 0, "cat", "/etc/hosts")


def test_host_has_the_machines_files_and_control_groups(pair: Cluster, tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    assert speaking(pair, 0, "ls", str(tmp_path)).split() == ["here"]
    groups = sorted(path.name for path in Path("/sys/fs/cgroup").iterdir())
    assert sorted(speaking(pair, 0, "ls", "/sys/fs/cgroup").split()) == groups


def test_hosts_reach_each_other_without_asking_for_addresses(pair: Cluster) -> None:
    assert reached(pair, 0, 1)
    assert reached(pair, 1, 0)
    neighbours = speaking(pair, 0, "ip", "neigh").splitlines()
    assert len(neighbours) == len(pair.hosts) - 1
    assert all(line.strip().endswith("PERMANENT") for line in neighbours)


def test_host_speaks_no_ipv6(pair: Cluster) -> None:
    assert speaking(pair, 0, "ip", "-6", "addr").strip() == ""


@pytest.mark.parametrize(("host", "ahead_s"), [(0, 0), (2, 5)])
def test_clock_is_ahead_by_as_much_as_asked_for(host: int, ahead_s: int, hosts: Cluster) -> None:
    before = time.monotonic_ns()
    there = int(speaking(hosts, host, *CLOCK))
    assert before < there - ahead_s * 10**9 < time.monotonic_ns()


def test_link_of_another_mtu_has_it() -> None:
    for link in ("10Mbit,mtu=576", "1Gbit,mtu=9000"):
        with emulated_hosts(2, link) as cluster:
            assert f"mtu {parse_link(link).mtu} " in speaking(cluster, 0, "ip", "link")


# -- entering --------------------------------------------------------------------------------------


def test_status_input_and_output_of_a_command_are_its_own(hosts: Cluster) -> None:
    name = hosts.hosts[0].name
    command = (sys.executable, "-m", "leadline", "hosts", "exec", name, "--")
    done = subprocess.run(
        [*command, "sh", "-c", "cat; hostname; pwd; exit 7"],
        input="read\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 7
    assert done.stdout.splitlines() == ["read", name, str(Path.cwd())]
    assert subprocess.run([*command, "sh", "-c", "kill -9 $$"], check=False).returncode == 128 + 9


def test_command_is_never_an_option_of_what_enters_the_host(
    hosts: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["hosts", "exec", hosts.hosts[0].name, "--", "--version"]) == 127
    assert "execute --version" in capfd.readouterr().err


def test_unknown_host_is_named_with_the_nearest(
    hosts: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    name = hosts.hosts[0].name
    assert main(["hosts", "exec", f"{name}x", "--", "true"]) == 2
    output = capsys.readouterr().err
    assert f"'{name}x'" in output and output.count(f"'{hosts.prefix}") == 2
    assert main(["hosts", "exec", name]) == 2
    assert "give -- COMMAND" in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("-x", "-o", "A=b", "-l", "root"), ("-p22",)])
def test_agent_is_called_like_ssh(hosts: Cluster, options: tuple[str, ...]) -> None:
    for name in (hosts.hosts[1].name, hosts.hosts[1].address, f"root@{hosts.hosts[1].name}"):
        command = (str(hosts.agent), *options, name, "hostname;", "exit", "3")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (3, hosts.hosts[1].name), done.stderr


def test_agent_refuses_a_host_that_is_none_as_ssh_does(hosts: Cluster) -> None:
    done = subprocess.run([hosts.agent, "nowhere", "true"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (255, b"")
    assert b"nowhere" in done.stderr


def test_launcher_finds_the_other_hosts_by_itself(hosts: Cluster) -> None:
    shell = 'exec "$HYDRA_LAUNCHER_EXEC" "$1" hostname'
    command = ("hosts", "exec", hosts.hosts[0].name, "--", "sh", "-c", shell, "sh")
    done = subprocess.run(
        [sys.executable, "-m", "leadline", *command, hosts.hosts[1].name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == hosts.hosts[1].name


WORDS_FOR_HOSTS = {
    "mpich": ("-hosts", "{},{}", "-n", "2"),
    "impi": ("-hosts", "{},{}", "-n", "2", "-ppn", "1"),
    "openmpi": ("--host", "{}:1,{}:1", "--bind-to", "none"),
}


@pytest.mark.parametrize("kind", WORDS_FOR_HOSTS)
def test_mpiexec_starts_processes_on_the_other_hosts(
    kind: str, hosts: Cluster, installed_backends: Mapping[str, Backend], tmp_path: Path
) -> None:
    """They say so in files: MPICH's mpiexec may lose the output of processes that end at once."""
    first, second, _ = (host.name for host in hosts.hosts)
    backend = installed_backends[kind]
    words = (word.format(first, second) for word in WORDS_FOR_HOSTS[kind])
    program = ("sh", "-c", AWAIT_ALL, "sh", str(tmp_path), first, second)
    command = ("hosts", "exec", first, "--", str(backend.launcher), *words, *program)
    with subprocess.Popen(
        ["timeout", "-k", "1", str(PATIENCE_S), sys.executable, "-m", "leadline", *command],
        stdin=subprocess.DEVNULL, env=os.environ | dict(backend.environment),
    ) as launcher:  # fmt: skip
        until(lambda: all((tmp_path / name).exists() for name in (first, second)))
        launcher.terminate()
    assert {path.name for path in tmp_path.iterdir()} == {first, second}


def test_cluster_is_found_by_all_of_its_names_only(hosts: Cluster) -> None:
    first, second, third = (host.name for host in hosts.hosts)
    assert cluster_of((third, first)) == hosts
    assert cluster_of(("elsewhere",)) is None
    assert cluster_with(second) == hosts
    with pytest.raises(UsageError, match="'elsewhere'"):
        cluster_of((first, "elsewhere"))


def test_list_says_what_is_up(hosts: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hosts", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["clusters"]
    (mine,) = (one for one in found if one["prefix"] == hosts.prefix)
    assert [host["name"] for host in mine["hosts"]] == [host.name for host in hosts.hosts]
    assert (mine["link"]["name"], mine["link"]["shaper"]) == ("100Mbit", "switch")
    assert mine["hosts"][2]["clock_offset_s"] == 5
    assert main(["hosts", "list"]) == 0
    output = capsys.readouterr().out
    assert hosts.prefix in output and "100Mbit" in output


# -- twice -----------------------------------------------------------------------------------------


def test_hosts_that_are_up_are_not_made_again(hosts: Cluster) -> None:
    with pytest.raises(UsageError, match=f"down --prefix {hosts.prefix}"):
        up(2, parse_link("1Gbit"), hosts.prefix)
    assert reached(hosts, 0, 1)


def test_two_clusters_are_up_side_by_side(hosts: Cluster, bucketed: Cluster) -> None:
    mine, other = (namespaces_of(one.hosts[0].pid) for one in (hosts, bucketed))
    assert not mine & other
    assert hosts.hosts[0].address == bucketed.hosts[0].address


def test_down_where_nothing_is_up_says_so(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    prefix = own_prefix()
    assert main(["hosts", "down", "--prefix", prefix]) == 0
    assert capsys.readouterr().out.replace(prefix, "PREFIX") == snapshot


# -- looked at -------------------------------------------------------------------------------------


@pytest.mark.parametrize("link", ["ethernet-10", "1Gbit"])
def test_link_that_has_come_up_is_looked_at(link: str) -> None:
    with emulated_hosts(2, link) as cluster:
        looked = checked(cluster)
        assert cluster_with(cluster.hosts[0].name) == looked
    found = looked.check
    assert found is not None
    assert found.achieved_bits_per_s is not None
    assert found.achieved_bits_per_s > 0
    on_switch = looked.link.shaper is Shaper.SWITCH
    assert (found.frames > 0, found.late_s is not None) == (on_switch, on_switch)
    assert ("link_buckets" in {one.code for one in link_warnings(looked)}) is not on_switch


def frame_late_by(late_ns: int) -> FrameTimes:
    return FrameTimes(0, 0, 0, due_ns=0, written_ns=late_ns, size_bytes=1, sender=1, receiver=2)


@pytest.mark.parametrize(
    ("message", "achieved"),
    [
        ('{"end": {"sum_received": {"bits_per_second": 9.4e6}}}', 9.4e6),
        ('{"error": "unable to connect"}', None),
        ("no JSON", None),
    ],
)
def test_check_is_what_iperf3_and_the_switch_say(
    message: str, achieved: float | None, hosts: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [frame_late_by(late_ns) for late_ns in range(1000)]
    switch = SimpleNamespace(frames=lambda: frames, refused=lambda: {"fifo": "EPERM"})
    monkeypatch.setattr(checking, "switch_of", lambda _: switch)
    monkeypatch.setattr(checking, "run", lambda *_: CommandResult(0, message))
    monkeypatch.setattr(checking, "spawn", lambda *_, **__: subprocess.Popen(["true"]))
    monkeypatch.setattr(checking, "write_state", lambda _: None)
    found = checked(hosts).check
    assert found is not None
    assert (found.achieved_bits_per_s, found.frames) == (achieved, 1000)
    assert found.late_s == pytest.approx(499.5e-9)
    assert found.late_p99_s == pytest.approx(989.99e-9)
    assert found.refused == ("fifo: EPERM",)


@pytest.mark.parametrize(
    ("check", "codes"),
    [
        (LinkCheck(9.1e6, 900, 1e-6, 1e-5, ()), []),
        (LinkCheck(8.0e6, 900, 1e-6, 1e-5, ()), ["link_off"]),
        (LinkCheck(9.9e6, 900, 1e-6, 1e-5, ()), ["link_off"]),
        (LinkCheck(9.1e6, 900, 1e-4, 1e-3, ()), ["link_off"]),
        (
            LinkCheck(None, 0, None, None, ("fifo: not permitted",)),
            ["link_rights", "link_unchecked"],
        ),
    ],
)
def test_link_that_is_off_what_it_is_to_be_is_said(
    hosts: Cluster, check: LinkCheck, codes: list[str]
) -> None:
    looked = replace(hosts, link=parse_link("ethernet-10"), check=check)
    assert [one.code for one in link_warnings(looked)] == codes
    assert not any("%" in one.cause and " %" not in one.cause for one in link_warnings(looked))


# -- ill, and down ---------------------------------------------------------------------------------


def test_cut_link_carries_nothing_until_it_is_well(pair: Cluster) -> None:
    name = pair.hosts[1].name
    with contextlib.ExitStack() as stack:
        link = Lost(pair, stack)
        cut = impair(pair, name, Impairment(cut=True))
        assert cut.host(name).impairment.words == "cut"
        link.send(b"while it is cut")
        assert impair(cut, name, HEALTHY) == pair
        link.send(b"later")
        assert link.first_heard() == b"later"
    assert reached(pair, 0, 1)


def test_impairment_is_stored_and_one_takes_the_others_place(hosts: Cluster) -> None:
    name = hosts.hosts[1].name
    assert main(["hosts", "impair", name, "rate=0.5", "delay=1ms"]) == 0
    assert cluster_with(name).host(name).impairment == Impairment(0.5, 1e-3)
    assert main(["hosts", "impair", name, "rate=0.8"]) == 0
    assert cluster_with(name).host(name).impairment == Impairment(0.8)
    assert main(["hosts", "impair", name, "none"]) == 0
    assert cluster_with(name) == hosts


def test_delay_of_a_link_that_the_kernel_shapes_is_refused(
    bucketed: Cluster, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        impair(bucketed, bucketed.hosts[1].name, Impairment(extra_delay_s=1e-3))
    assert str(caught.value).replace(bucketed.prefix, "PREFIX") == snapshot
    assert cluster_with(bucketed.hosts[1].name) == bucketed


def test_processes_of_a_host_stand_still_again_and_again(hosts: Cluster) -> None:
    """For how long each time: see test_pausing.py."""
    name = hosts.hosts[1].name
    counting = inside(hosts, 1, "sh", "-c", COUNT)
    with subprocess.Popen(counting, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        ill = impair(hosts, name, Impairment(stopped_share=0.9))
        for _ in range(3):
            until(lambda: is_stopped(process.pid))
            until(lambda: not is_stopped(process.pid))
        impair(ill, name, HEALTHY)
        assert not is_stopped(process.pid)
        process.kill()
    assert reached(hosts, 1, 0)


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_host_that_is_stopped_is_gone_until_it_is_started(pair: Cluster) -> None:
    name = pair.hosts[1].name
    sleep = ("sh", "-c", "echo asleep; exec sleep 60")
    with subprocess.Popen(inside(pair, 1, *sleep), stdout=subprocess.PIPE) as sleeper:
        assert sleeper.stdout is not None and sleeper.stdout.readline() == b"asleep\n"
        gone = stop(pair, name)
        assert sleeper.wait(PATIENCE_S) == -9
    assert gone.state(gone.host(name)) is HostState.DOWN
    refused = subprocess.run([pair.agent, name, "true"], capture_output=True, check=False)
    assert refused.returncode == 255
    assert b"No route to host" in refused.stderr
    assert main(["hosts", "exec", name, "--", "true"]) == 1
    assert main(["hosts", "stop", name]) == 1
    assert main(["hosts", "impair", name, "cut"]) == 1
    with contextlib.ExitStack() as stack:
        link = Lost(pair, stack)
        link.send(b"while it is down")
        assert start(gone, name) == pair
        link.send(b"later")
        assert link.first_heard() == b"later"
    assert reached(pair, 0, 1)
    assert subprocess.run([pair.agent, name, "true"], check=False).returncode == 0
