"""Which job a process is in, and who starts ranks, by its variables alone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import SLURM, BatchJob, job_for

INSIDE = {"SLURM_JOB_ID": "17", "SLURM_JOB_NODELIST": "n[1-2],login"}


def srun(name: str) -> str | None:
    return f"/slurm/{name}"


def nowhere(_: str) -> str | None:
    return None


def job(asked: str | None = None, host: str = "n1", **more: str) -> BatchJob | None:
    return job_for(asked, INSIDE | more, host, srun)


@pytest.mark.parametrize("asked", [None, "srun"])
def test_inside_an_allocation_the_scheduler_starts_ranks(asked: str | None) -> None:
    found = job(asked)
    assert found == BatchJob(SLURM, "17", "/slurm/srun", ("n1", "n2", "login"), "n1")


@pytest.mark.parametrize(
    ("environment", "find"), [({}, srun), ({"SLURM_JOB_ID": ""}, srun), (INSIDE, nowhere)]
)
def test_outside_libraries_start_their_own(environment: Mapping[str, str], find: object) -> None:
    assert callable(find)
    assert job_for(None, environment, "n1", find) is None


def test_own_launchers_can_be_asked_for_inside() -> None:
    assert job("own") is None


@pytest.mark.parametrize("environment", [{}, INSIDE], ids=["no job", "no srun"])
def test_srun_outside_an_allocation_is_refused(
    environment: Mapping[str, str], snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        job_for("srun", environment, "n1", nowhere if environment else srun)
    assert str(caught.value) == snapshot


@pytest.mark.parametrize(
    ("host", "variables", "node"),
    [
        ("n2", {}, "n2"),
        ("n2.cluster.example", {}, "n2"),
        ("anything", {"SLURMD_NODENAME": "n1"}, "n1"),
        ("desk", {}, ""),
    ],
)
def test_this_host_is_found_among_the_nodes(
    host: str, variables: dict[str, str], node: str
) -> None:
    found = job(host=host, **variables)
    assert found is not None
    assert found.node == node


def test_ranks_run_on_the_hosts_named_or_else_on_this_one() -> None:
    found = job()
    assert found is not None
    assert found.nodes_for(Hosts(("n2", "login"))) == ("n2", "login")
    assert found.nodes_for(Hosts()) == ("n1",)


def test_host_that_the_allocation_has_not_got_is_refused(snapshot: SnapshotAssertion) -> None:
    found = job()
    assert found is not None
    with pytest.raises(UsageError) as caught:
        found.nodes_for(Hosts(("n1", "n3")))
    assert str(caught.value) == snapshot


def test_hosts_in_another_order_than_the_allocations_are_refused(
    snapshot: SnapshotAssertion,
) -> None:
    found = job()
    assert found is not None
    with pytest.raises(UsageError) as caught:
        found.nodes_for(Hosts(("login", "n2")))
    assert str(caught.value) == snapshot


def test_host_outside_the_allocation_is_told_to_name_nodes(snapshot: SnapshotAssertion) -> None:
    found = job(host="desk", SLURM_JOB_NODELIST="n[1-9]")
    assert found is not None
    with pytest.raises(UsageError) as caught:
        found.nodes_for(Hosts())
    assert str(caught.value) == snapshot


def test_list_of_nodes_that_makes_no_sense_is_named(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(UsageError) as caught:
        job(SLURM_JOB_NODELIST="n[2-1]")
    assert str(caught.value) == snapshot
