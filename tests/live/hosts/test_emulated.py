"""Emulated hosts while they are up: entered, listed, made ill, stopped and started again."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.emulated import emulated_hosts, inside, needs_root, own_prefix, speaking

from leadline.backends.backend import Backend
from leadline.cli import main
from leadline.errors import UsageError
from leadline.hosts.emulated.caveats import link_caveats
from leadline.hosts.emulated.checking import checked
from leadline.hosts.emulated.cluster import (
    Cluster,
    HostState,
    LinkCheck,
    cluster_of,
    cluster_with,
)
from leadline.hosts.emulated.impairing import impair, start, stop
from leadline.hosts.emulated.impairment import HEALTHY, Impairment
from leadline.hosts.emulated.link import Shaper, parse_link
from leadline.hosts.emulated.marks import namespaces_of
from leadline.hosts.emulated.up import up

pytestmark = needs_root
CONNECT = (
    "import socket, sys; s = socket.socket(); s.settimeout(float(sys.argv[2]));"
    "s.connect((sys.argv[1], 9))"
)
"""To a port where nobody listens: a host that is reached refuses it at once."""
COUNT = "import time\nwhile True: print(time.monotonic(), flush=True); time.sleep(0.005)"


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


def reached(cluster: Cluster, sender: int, receiver: int, patience_s: float = 10) -> bool:
    """Whether what host number `sender` sends gets to `receiver` and back."""
    address = cluster.hosts[receiver].address
    command = (sys.executable, "-c", CONNECT, address, str(patience_s))
    done = subprocess.run(
        inside(cluster, sender, *command), capture_output=True, text=True, check=False
    )
    return "ConnectionRefusedError" in done.stderr


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


def test_clock_is_off_by_as_much_as_asked_for(hosts: Cluster) -> None:
    ask = (sys.executable, "-c", "import time; print(time.monotonic())")
    machine, first, third = (
        float(text) for text in (
            subprocess.check_output(ask, text=True), speaking(hosts, 0, *ask),
            speaking(hosts, 2, *ask),
        )
    )  # fmt: skip
    assert machine < first < machine + 5 < third


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
    assert f"unknown host '{name}x'; did you mean '{hosts.prefix}" in capsys.readouterr().err
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
    kind: str, hosts: Cluster, installed_backends: Mapping[str, Backend]
) -> None:
    first, second, _ = (host.name for host in hosts.hosts)
    backend = installed_backends[kind]
    words = (word.format(first, second) for word in WORDS_FOR_HOSTS[kind])
    command = ("hosts", "exec", first, "--", str(backend.launcher), *words, "hostname")
    done = subprocess.run(
        ["timeout", "-k", "1", "60", sys.executable, "-m", "leadline", *command],
        capture_output=True, text=True, check=False, env=os.environ | dict(backend.environment),
    )  # fmt: skip
    assert sorted(done.stdout.split()) == [first, second], done.stderr


def test_cluster_is_found_by_all_of_its_names_only(hosts: Cluster) -> None:
    first, second, third = (host.name for host in hosts.hosts)
    assert cluster_of((third, first)) == hosts
    assert cluster_of(("elsewhere",)) is None
    assert cluster_with(second) == hosts
    with pytest.raises(UsageError, match="'elsewhere' is none of the emulated hosts"):
        cluster_of((first, "elsewhere"))


def test_list_says_what_is_up(hosts: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hosts", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["clusters"]
    (mine,) = (one for one in found if one["prefix"] == hosts.prefix)
    assert [host["name"] for host in mine["hosts"]] == [host.name for host in hosts.hosts]
    assert (mine["link"]["name"], mine["link"]["shaper"]) == ("100Mbit", "switch")
    assert mine["hosts"][2]["clock_offset_s"] == 5
    assert main(["hosts", "list"]) == 0
    assert "hosts on 100Mbit" in capsys.readouterr().out


# -- twice -----------------------------------------------------------------------------------------


def test_hosts_that_are_up_are_not_made_again(hosts: Cluster) -> None:
    with pytest.raises(UsageError, match=f"leadline hosts down --prefix {hosts.prefix}"):
        up(2, parse_link("1Gbit"), hosts.prefix)
    assert reached(hosts, 0, 1)


def test_two_clusters_are_up_side_by_side(hosts: Cluster, bucketed: Cluster) -> None:
    mine, other = (namespaces_of(one.hosts[0].pid) for one in (hosts, bucketed))
    assert not mine & other
    assert hosts.hosts[0].address == bucketed.hosts[0].address


def test_down_where_nothing_is_up_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hosts", "down", "--prefix", own_prefix()]) == 0
    assert "nothing to remove" in capsys.readouterr().out


# -- looked at -------------------------------------------------------------------------------------


@pytest.mark.parametrize("link", ["ethernet-10", "1Gbit"])
def test_link_that_has_come_up_is_looked_at(link: str) -> None:
    with emulated_hosts(2, link) as cluster:
        looked = checked(cluster)
        assert cluster_with(cluster.hosts[0].name) == looked
    found = looked.check
    assert found is not None
    assert found.achieved_bits_per_s is not None
    assert 0 < found.achieved_bits_per_s < 1.2 * looked.link.payload_bits_per_s
    on_switch = looked.link.shaper is Shaper.SWITCH
    assert (found.frames > 500, found.late_s is not None) == (on_switch, on_switch)
    assert ("link_buckets" in {one.code for one in link_caveats(looked)}) is not on_switch


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
    assert [one.code for one in link_caveats(looked)] == codes
    assert not any("%" in one.cause and " %" not in one.cause for one in link_caveats(looked))


# -- ill, and down ---------------------------------------------------------------------------------


def test_cut_link_carries_nothing_until_it_is_well(pair: Cluster) -> None:
    name = pair.hosts[1].name
    cut = impair(pair, name, Impairment(cut=True))
    assert cut.host(name).impairment.words == "cut"
    assert not reached(pair, 0, 1, patience_s=0.5)
    assert impair(cut, name, HEALTHY) == pair
    assert reached(pair, 0, 1)


def test_impairment_is_stored_and_one_takes_the_others_place(hosts: Cluster) -> None:
    name = hosts.hosts[1].name
    assert main(["hosts", "impair", name, "rate=0.5", "delay=1ms"]) == 0
    assert cluster_with(name).host(name).impairment == Impairment(0.5, 1e-3)
    assert main(["hosts", "impair", name, "rate=0.8"]) == 0
    assert cluster_with(name).host(name).impairment == Impairment(0.8)
    assert main(["hosts", "impair", name, "none"]) == 0
    assert cluster_with(name) == hosts


def test_delay_of_a_link_that_the_kernel_shapes_is_refused(bucketed: Cluster) -> None:
    with pytest.raises(UsageError, match="the kernel, which delays no frames"):
        impair(bucketed, bucketed.hosts[1].name, Impairment(extra_delay_s=1e-3))
    assert cluster_with(bucketed.hosts[1].name) == bucketed


def gaps_s(cluster: Cluster, host: int) -> list[float]:
    """Between looks at the clock by a process on a host; some thirty."""
    counting = inside(cluster, host, sys.executable, "-c", COUNT)
    with subprocess.Popen(counting, stdout=subprocess.PIPE) as process:
        assert process.stdout
        seen = [float(process.stdout.readline()) for _ in range(30)]
        process.kill()
    return [after - before for before, after in itertools.pairwise(seen)]


def test_processes_of_a_host_stand_still_for_a_share_of_the_time(hosts: Cluster) -> None:
    name = hosts.hosts[1].name
    ill = impair(hosts, name, Impairment(stopped_share=0.9))
    still = [gap for gap in gaps_s(hosts, 1) if gap > 0.05]
    impair(ill, name, HEALTHY)
    assert len(still) >= 3
    assert reached(hosts, 1, 0)


def test_host_that_is_stopped_is_gone_until_it_is_started(pair: Cluster) -> None:
    name = pair.hosts[1].name
    sleep = ("sh", "-c", "echo asleep; exec sleep 60")
    with subprocess.Popen(inside(pair, 1, *sleep), stdout=subprocess.PIPE) as sleeper:
        assert sleeper.stdout is not None and sleeper.stdout.readline() == b"asleep\n"
        gone = stop(pair, name)
        assert sleeper.wait(10) == -9
    assert gone.state(gone.host(name)) is HostState.DOWN
    assert not reached(pair, 0, 1, patience_s=0.5)
    refused = subprocess.run([pair.agent, name, "true"], capture_output=True, check=False)
    assert refused.returncode == 255
    assert b"No route to host" in refused.stderr
    assert main(["hosts", "exec", name, "--", "true"]) == 1
    assert main(["hosts", "stop", name]) == 1
    assert main(["hosts", "impair", name, "cut"]) == 1
    assert start(gone, name) == pair
    assert reached(pair, 0, 1)
    assert subprocess.run([pair.agent, name, "true"], check=False).returncode == 0
