"""When relays speak for ranks, and what starts them."""

from __future__ import annotations

import shlex

import pytest

from leadline.backends.launchers import Command, JobStep
from leadline.backends.launchers.relays import LONGEST_PATH_BYTES, MOST_CONNECTIONS, relayed
from leadline.hosts.cores import Site
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.hosts.schedulers import SLURM, BatchJob

FRONT_END = "10.0.0.1:777"
SECRET = "5e" * 32
VARIABLES = {"LEADLINE_CONTROL": FRONT_END, "LEADLINE_SECRET": SECRET, "A": "b; c"}


def step(ranks: int, hosts: Hosts = THIS_HOST, folder: str = "/tmp/leadline-launch-x") -> JobStep:
    return JobStep(
        "/k k", (), ranks, VARIABLES, hosts=hosts, folder=folder,
        confidential=frozenset({"LEADLINE_SECRET"}),
    )  # fmt: skip


def sites(ranks: int, names: tuple[str, ...] = ("h1",)) -> list[Site]:
    return Hosts(names).spread([Site(name, "m", (0,)) for name in names], ranks)


def relays_of(one: JobStep, processes: int | None = None) -> list[Command]:
    names = one.hosts.names or ("h1",)
    return relayed(one, FRONT_END, processes or one.ranks, sites(one.ranks, names))[1]


@pytest.mark.parametrize(
    ("ranks", "hosts", "relays"),
    [
        (2, (), 0),
        (MOST_CONNECTIONS, (), 0),
        (MOST_CONNECTIONS + 1, (), 1),
        (2 * MOST_CONNECTIONS, ("a", "b"), 0),
        (2 * MOST_CONNECTIONS + 1, ("a", "b"), 2),
    ],
)
def test_hosts_with_many_ranks_have_a_relay_each(
    ranks: int, hosts: tuple[str, ...], relays: int
) -> None:
    assert len(relays_of(step(ranks, Hosts(hosts)))) == relays


def test_process_that_plays_all_ranks_needs_none() -> None:
    assert relays_of(step(1024), processes=1) == []


def test_ranks_that_the_users_own_words_place_connect_themselves() -> None:
    assert relayed(step(1024), FRONT_END, 1024, []) == (step(1024), [])


@pytest.mark.parametrize(("spare", "relays"), [(0, 1), (-1, 0)])
def test_socket_whose_path_would_be_too_long_isnt_tried(spare: int, relays: int) -> None:
    folder = "/" + "x" * (LONGEST_PATH_BYTES - len("/.h1/socket") - spare)
    assert len(relays_of(step(64, folder=folder))) == relays


def test_ranks_are_told_of_their_relay_and_the_relay_of_the_front_end() -> None:
    told, (relay,) = relayed(step(100), FRONT_END, 100, sites(100))
    assert told.environment == VARIABLES | {"LEADLINE_CONTROL": "relay:/tmp/leadline-launch-x"}
    assert relay.argv == ("/k k", "--relay", "100", "100")
    assert relay.environment == VARIABLES | {"LEADLINE_RELAY": "/tmp/leadline-launch-x"}
    assert relay.role == "relay"


def test_relays_of_other_hosts_are_started_by_the_agent_without_a_secret_in_its_words() -> None:
    first, second = relays_of(step(67, Hosts(("a", "b"), "rsh")))
    assert (first.argv[:2], second.argv[:2]) == (("rsh", "a"), ("rsh", "b"))
    assert (first.role, second.role) == ("relay on a", "relay on b")
    assert shlex.split(first.argv[2])[-4:] == ["/k k", "--relay", "34", "67"]
    assert shlex.split(second.argv[2])[-4:] == ["/k k", "--relay", "33", "67"]
    assert "LEADLINE_RELAY=/tmp/leadline-launch-x" in shlex.split(first.argv[2])
    assert SECRET not in first.argv[2]
    assert first.read == f"{SECRET}\n"


def test_relays_on_nodes_of_a_job_are_steps_of_it_and_get_the_whole_environment() -> None:
    job = BatchJob(SLURM, "7", "/bin/srun", ("a", "b"), "a")
    one = step(100, Hosts(("a", "b")))
    first, second = relayed(one, FRONT_END, 100, sites(100, ("a", "b")), job)[1]
    assert first.argv == (*job.entrance("a"), "/k k", "--relay", "50", "100")
    assert second.argv[: len(job.entrance("b"))] == job.entrance("b")
    assert (first.role, second.role) == ("relay on a", "relay on b")
    assert first.environment == VARIABLES | {"LEADLINE_RELAY": "/tmp/leadline-launch-x"}
    here = relayed(step(100), FRONT_END, 100, sites(100), job)[1]
    assert [relay.argv[0] for relay in here] == ["/k k"]


def test_folder_that_is_no_utf_8_has_as_many_bytes_as_the_system_gives_it() -> None:
    name = b"/tmp/\xff".decode(errors="surrogateescape")
    longest = name + "x" * (LONGEST_PATH_BYTES - len(b"/tmp/\xff.h1/socket"))
    for folder, met in ((longest, True), (longest + "x", False)):
        one = step(1024, Hosts(("h1",)), folder)
        commands = relayed(one, FRONT_END, 1024, sites(1024, ("h1",)))[1]
        assert bool(commands) is met
