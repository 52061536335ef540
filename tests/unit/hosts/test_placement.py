from __future__ import annotations

from harness.steps import commands_of
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.backends.backend import Backend
from leadline.backends.launchers import JobStep
from leadline.errors import UsageError
from leadline.hosts.placement import THIS_HOST, Hosts, parse_hosts


def test_unix_socket_reaches_emulated_hosts_and_no_others() -> None:
    assert Hosts(("a", "b")).across_network == ("a", "b")
    assert Hosts(("a", "b"), emulated=True).across_network == ()


def test_this_host_takes_all_ranks() -> None:
    assert THIS_HOST.share(5) == 5
    assert THIS_HOST.place(4, 5) == 0


def test_host_lists_are_expanded_as_slurm_writes_them() -> None:
    assert parse_hosts("n[01-03],login", "ssh").names == ("n01", "n02", "n03", "login")


def test_wrong_host_is_named(snapshot: SnapshotAssertion) -> None:
    given = [
        "",
        "a,,b",
        "a,a",
        "n[3-1]",
        "-oProxyCommand=x",
        "a;reboot",
    ]
    assert refusals(lambda text: parse_hosts(text, "ssh"), given, UsageError) == snapshot


def backend(kind: str, version: str = "5.0.11") -> Backend:
    return Backend(kind, kind, version, True, "/p/mpiexec", "/p/mpicc", {}, None, None, "unknown")


def words(kind: str, version: str = "5.0.11") -> str:
    step = JobStep("/k", (), 4, {}, (), Hosts(("a", "b"), "rsh"))
    return " ".join(commands_of(backend(kind, version), step)[0].argv)


def test_launchers_name_hosts_ranks_on_each_and_the_agent() -> None:
    assert "-hosts a,b -ppn 2 -launcher ssh -launcher-exec rsh" in words("mpich")
    assert "-hosts a,b -ppn 2 -launcher ssh -launcher-exec rsh" in words("impi", "2021.18.1")
    assert "--host a:2,b:2 --prtemca plm_ssh_agent rsh" in words("openmpi")
    assert "--host a:2,b:2 --mca plm_rsh_agent rsh" in words("openmpi", "4.1.4")


def test_launcher_that_knows_no_hosts_says_so(snapshot: SnapshotAssertion) -> None:
    assert refusals(words, ["mpi", "shm"], UsageError) == snapshot


def test_raw_tcp_is_started_by_the_agent_with_every_word_quoted() -> None:
    step = JobStep("/k k", (), 2, {"A": "b; c"}, (), Hosts(("a", "b"), "rsh"))
    first, second = commands_of(backend("tcp"), step)
    assert first.argv[:2] == ("rsh", "a")
    assert second.argv[:2] == ("rsh", "b")
    assert "'A=b; c'" in second.argv[2]
    assert "LEADLINE_RANK=1" in second.argv[2]
    assert second.argv[2].endswith("'/k k'")
