"""Known bytes between hosts of one machine: what interfaces sent is held to them."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion
from tests.support.links import HOSTS, said

from leadline.hosts.cores import Site
from leadline.measure.pool import ShortcutError, share_a_machine, shortcut

LEAST = 65_536


def sites(*names_and_machines: tuple[str, str]) -> list[Site]:
    return [Site(name, machine, (0,), name) for name, machine in names_and_machines]


def test_hosts_share_a_machine_where_two_names_have_one() -> None:
    assert not share_a_machine([])
    assert not share_a_machine(sites(("a", "m"), ("a", "m")))
    assert not share_a_machine(sites(("a", "m"), ("b", "n")))
    assert share_a_machine(sites(("a", "m"), ("b", "n"), ("c", "m")))


def test_bytes_that_cross_with_their_headers_are_no_shortcut() -> None:
    results = [said(0, ("eth0 tx", LEAST, 0.0)), said(1, ("eth0 tx", LEAST + 5000, 0.0))]
    assert shortcut(results, HOSTS, LEAST) == ""


def test_byte_that_is_missing_is_found_and_its_host_named(snapshot: SnapshotAssertion) -> None:
    results = [said(0, ("eth0 tx", LEAST, 0.0)), said(1, ("eth0 tx", LEAST - 1, 0.0))]
    problem = shortcut(results, HOSTS, LEAST)
    assert problem == snapshot


def test_what_several_ranks_read_of_one_interface_counts_once() -> None:
    half = ("eth0 tx", LEAST // 2, 0.0)
    problem = shortcut([said(0, half), said(1, half)], {0: "h1", 1: "h1"}, LEAST)
    assert "h1 32,768 B" in problem


def test_all_interfaces_of_a_host_count_and_what_arrives_does_not() -> None:
    both = said(0, ("eth0 tx", LEAST // 2, 0.0), ("eth1 tx", LEAST // 2, 0.0))
    assert shortcut([both], HOSTS, LEAST) == ""
    assert shortcut([said(0, ("eth0 tx", 0, 0.0), ("eth0 rx", LEAST, 0.0))], HOSTS, LEAST)


def test_interfaces_that_cannot_be_read_prove_nothing() -> None:
    assert shortcut([said(0), said(1)], HOSTS, LEAST) == ""


def test_shortcut_is_a_failure_of_its_own_and_says_nothing_of_what_was_started() -> None:
    text = "mpich: too little"
    error = ShortcutError(text)
    assert (error.code, str(error)) == ("shortcut", text)
