"""What starts a launch over PVM: the words that say how, and the folder of its daemon."""

from __future__ import annotations

import socket
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from harness.steps import commands_of
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals
from tests.support.virtual_machine import commands, installed

from leadline.backends.launchers import Command, JobStep
from leadline.backends.launchers.pvm import route_of, settings
from leadline.errors import MachineError, UsageError
from leadline.hosts.placement import Hosts

LONGEST_LINE = 512
"""Of a hostfile, as pvmd 3.4.6 reads it."""


def test_words_become_the_kernels_variables_and_name_the_transport() -> None:
    assert settings(()) == {
        "LEADLINE_PVM_ENCODING": "default",
        "LEADLINE_PVM_ELEMENTS": "bytes",
        "LEADLINE_PVM_ROUTE": "daemon",
        "LEADLINE_PVM_START": "spmd",
    }
    chosen = settings(("inplace", "direct", "spawn"))
    assert sorted(chosen.values()) == ["bytes", "direct", "inplace", "spawn"]
    assert set(settings(("raw", "doubles")).values()) == {"raw", "doubles", "daemon", "spmd"}
    assert (route_of(()), route_of(("direct",))) == ("pvmd", "unix socket")
    assert (route_of((), True), route_of(("direct",), True)) == ("pvmd udp", "tcp")


def test_words_that_make_no_sense_are_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        ("inplaced",),
        ("raw", "inplace"),
    ]
    assert refusals(settings, given, UsageError) == snapshot


def test_spawning_launch_starts_the_daemon_and_rank_0_alone() -> None:
    assert [command.role for command in commands()] == ["pvmd", "rank 0", "rank 1"]
    assert [command.role for command in commands("spawn")] == ["pvmd", "rank 0"]


def over(hosts: Hosts, *words: str) -> list[Command]:
    """What is started for four ranks on `hosts`."""
    step = JobStep("/k", (), 4, {"LEADLINE_X": "a b"}, words, hosts=hosts, folder="/tmp/l")
    return commands_of(installed(), step)


def test_each_host_has_a_daemon_with_a_folder_of_its_own_and_ranks_that_find_it() -> None:
    daemon, *ranks = over(Hosts(("a", "b"), "/r/agent", emulated=True))
    assert daemon.role == "pvmd on a"
    assert daemon.argv[:2] == ("/r/agent", "a")
    assert [line.split(" ", 1)[0] for line in daemon.read.splitlines()] == ["a", "b"]
    assert all(line.count(" ") == 1 for line in daemon.read.splitlines())  # as hostfiles have it
    assert [rank.argv[1] for rank in ranks] == ["a", "a", "b", "b"]
    for host, rank in zip("aabb", ranks, strict=True):
        assert f"PVM_TMP=/tmp/l.{host} " in rank.argv[2]
    assert "setpriv --pdeathsig KILL" in daemon.argv[2]


def test_daemons_of_other_machines_are_told_in_the_hostfile_what_they_need() -> None:
    daemon, *_ = over(Hosts(("a", "b")))
    assert "setpriv" not in daemon.argv[2]  # nobody there is a child of this process
    for host, line in zip("ab", daemon.read.splitlines(), strict=True):
        assert f"PVM_TMP=/tmp/l.{host}" in line
        assert "PVM_ROOT=" in line
        assert len(line) < LONGEST_LINE


def test_ranks_are_spawned_on_emulated_hosts_but_not_on_other_machines(
    snapshot: SnapshotAssertion,
) -> None:
    emulated = Hosts(("a", "b"), emulated=True)
    _, only = over(emulated, "spawn")
    assert "LEADLINE_PVM_HOSTS=a,a,b,b " in only.argv[2]
    with pytest.raises(UsageError) as caught:
        over(replace(emulated, emulated=False), "spawn")
    assert str(caught.value) == snapshot


@pytest.mark.parametrize("left", ["pvmd.0", "pvmd.1000.mine"])
def test_address_of_a_daemon_that_is_gone_is_removed(left: str) -> None:
    with tempfile.TemporaryDirectory(prefix="leadline-vm-") as place:
        address = Path(place) / left
        address.write_text(f"{place}/pvmtmp000001.0")
        commands(folder=place)
        assert not address.exists()


def test_folder_of_a_daemon_that_answers_is_refused() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="leadline-vm-") as place,
        socket.socket(socket.AF_UNIX) as daemon,
    ):
        daemon.bind(f"{place}/pvmtmp000001.0")
        daemon.listen()
        address = Path(place) / "pvmd.0"
        address.write_text(f"{place}/pvmtmp000001.0")
        with pytest.raises(MachineError, match=rf"{place}.*PVM_TMP={place}"):
            commands(folder=place)
        assert address.exists()


def test_folder_too_long_for_a_socket_is_refused_before_pvm_overflows() -> None:
    with pytest.raises(MachineError, match=r"\b100 .*\b89\b.* TMPDIR"):
        commands(folder="/tmp/" + 95 * "x")
