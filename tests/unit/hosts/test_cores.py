"""Who sits where, computed by hand: a core is a machine's, whichever host it is reached by."""

from __future__ import annotations

import pytest

from leadline.hosts.cores import MOST_CORES, Site, parse_cores, repeated, seated
from leadline.hosts.placement import THIS_HOST, Hosts


def host(name: str, machine: str, *cores: int) -> Site:
    return Site(name, machine, cores)


def test_ranks_of_one_host_take_its_cores_in_order_and_start_over() -> None:
    here = THIS_HOST.spread([host("n", "m", 4, 2, 7)], 5)
    found = seated(here)
    assert found.cores == (4, 2, 7, 4, 2)
    assert (found.taken, found.oversubscribed) == (3, True)
    assert not seated(here[:3]).oversubscribed


def test_hosts_of_one_machine_share_its_cores() -> None:
    four = [host(name, "m", 0, 1) for name in ("h1", "h2", "h3", "h4")]
    found = seated(four)
    assert found.cores == (0, 1, 0, 1)
    assert found.oversubscribed
    assert seated(four[:2]).cores == (0, 1)
    assert not seated(four[:2]).oversubscribed


def test_equal_numbers_on_different_machines_are_different_cores() -> None:
    found = seated([host("a", "m1", 0, 1), host("b", "m2", 0, 1)])
    assert found.seats == (("m1", 0), ("m2", 0))
    assert not found.oversubscribed


@pytest.mark.parametrize(
    ("first", "second", "cores", "oversubscribed"),
    [
        ((0, 1), (2, 3), (0, 1, 2, 3), False),
        ((0, 1), (1, 2), (0, 1, 2, 1), True),  # at the end 1 and 2 have one rank each, 1 is first
        ((0, 1), (0, 1), (0, 1, 0, 1), True),
        ((0, 1, 2), (2, 3), (0, 1, 2, 3), False),
    ],
)
def test_containers_share_the_cores_that_both_may_use(
    first: tuple[int, ...], second: tuple[int, ...], cores: tuple[int, ...], oversubscribed: bool
) -> None:
    containers = [host("c1", "m", *first), host("c2", "m", *second)]
    found = seated(Hosts(("c1", "c2")).spread(containers, 4))
    assert found.cores == cores
    assert found.oversubscribed == oversubscribed


def test_second_threads_sit_down_when_all_ranks_have() -> None:
    here = [host("n", "m", 0, 1, 2, 3)] * 2
    assert seated(here, threads=2).cores == (0, 1, 2, 3)
    assert not seated(here, threads=2).oversubscribed
    shared = [host("h1", "m", 0, 1, 2), host("h2", "m", 0, 1, 2)]
    assert seated(shared, threads=2).cores == (0, 1, 2, 0)
    assert seated(shared, threads=2).oversubscribed


def test_core_named_twice_takes_two_ranks_in_its_turn() -> None:
    here = [host("n", "m", 0, 0, 1, 1)] * 5
    assert seated(here).cores == (0, 0, 1, 1, 0)
    assert seated(here[:2]).oversubscribed


@pytest.mark.parametrize(
    ("message", "cores"),
    [
        ("", ()),
        ("5", (5,)),
        ("0-3", (0, 1, 2, 3)),
        ("0-2,64,126-127", (0, 1, 2, 64, 126, 127)),
    ],
)
def test_cores_are_listed_in_ranges(message: str, cores: tuple[int, ...]) -> None:
    assert parse_cores(message) == cores


@pytest.mark.parametrize("message", ["x", "1-2-3", "-4", "0x1"])
def test_what_is_no_list_of_cores_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        parse_cores(message)


@pytest.mark.parametrize(
    ("cores", "shortest"),
    [
        ((), ()),
        ((3,), (3,)),
        ((0, 1), (0, 1)),
        ((0, 1, 0, 1, 0), (0, 1)),
        ((0, 0, 0, 0), (0,)),
        ((0, 1, 0, 2), (0, 1, 0, 2)),
        ((0, 1, 0, 0, 1, 0, 0), (0, 1, 0)),
        (tuple(range(64)) * 1563, tuple(range(64))),
    ],
)
def test_list_that_repeats_itself_is_told_by_its_beginning(
    cores: tuple[int, ...], shortest: tuple[int, ...]
) -> None:
    found = repeated(cores)
    assert found == shortest
    assert tuple(found[i % len(found)] for i in range(len(cores))) == cores


def test_a_list_of_more_cores_than_a_host_has_is_not_believed() -> None:
    assert len(parse_cores(f"0-{MOST_CORES - 1}")) == MOST_CORES
    for too_many in (f"0-{MOST_CORES}", f"0-{MOST_CORES - 1},0"):
        with pytest.raises(ValueError, match=" 65,536 "):
            parse_cores(too_many)
