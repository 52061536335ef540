"""What a campaign loses by hosts that go down, and which of them are down."""

from __future__ import annotations

import numpy as np
from harness.blocks import cell, configuration, run_of_blocks
from harness.kernels import variant
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import plan_for

from leadline.compare.warnings import unfinished
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import SLURM, BatchJob, RemoteShell, remote_shells_of
from leadline.kernels.progress import Flow, RankState, elsewhere
from leadline.measure.diagnostics import MOST_LOST, Losses, Outage, joined, outages_in
from leadline.measure.resumption import spent_s, whole_blocks
from leadline.record.run import HOST_DOWN, Failure

DOWN = Outage(frozenset({"h3"}), "host h3 doesn't answer (no route)")


def test_configurations_are_lost_whose_ranks_were_on_the_host() -> None:
    two, three = frozenset({"h1", "h2"}), frozenset({"h1", "h2", "h3"})
    losses = Losses({0: two, 1: three, 2: three})
    assert not losses
    assert losses.take([DOWN]) == {1: DOWN, 2: DOWN}
    assert losses.take([DOWN]) == {}
    assert losses
    assert [number in losses for number in range(3)] == [False, True, True]


def test_ranks_that_are_on_no_host_lose_nothing() -> None:
    assert Losses({0: frozenset()}).take([DOWN]) == {}


def test_outages_say_what_to_do(snapshot: SnapshotAssertion) -> None:
    text = joined([DOWN, Outage(frozenset({"h4"}), "host h4 doesn't answer (late)")])
    assert text == snapshot


# -- links that carry nothing ----------------------------------------------------------------------


def ranks_with(*links: tuple[int, int, int]) -> list[RankState]:
    """A rank on each of h0, h1 ..., connected by `links`: from, to, and how often sent again."""
    number = 1 + max(max(link[:2]) for link in links)
    flows: dict[int, list[Flow]] = {rank: [] for rank in range(number)}
    for link, (one, other, again) in enumerate(links):
        flows[one].append(Flow(f"{one}:{link}", f"{other}:{link}", again))
        flows[other].append(Flow(f"{other}:{link}", f"{one}:{link}", 0))
    return [
        RankState(rank, 6, 1, "S", "", f"h{rank}", flows=tuple(mine))
        for rank, mine in flows.items()
    ]


def test_link_over_which_all_is_lost_is_cut(snapshot: SnapshotAssertion) -> None:
    (found,) = outages_in(ranks_with((0, 1, MOST_LOST), (1, 2, 0)))
    assert found.hosts == {"h0", "h1"}
    assert found.reason == snapshot
    assert not found.concerns(frozenset({"h0", "h2"}))


def test_host_at_one_end_of_all_links_that_are_cut_is_the_one(snapshot: SnapshotAssertion) -> None:
    (found,) = outages_in(ranks_with((0, 1, 0), (0, 2, 6), (2, 1, 5)))
    assert found.hosts == {"h2"}
    assert found.reason == snapshot


def test_links_without_an_end_in_common_are_each_cut() -> None:
    found = outages_in(ranks_with((0, 1, 4), (2, 3, 4)))
    assert [one.hosts for one in found] == [{"h0", "h1"}, {"h2", "h3"}]


def test_link_that_loses_now_and_then_is_none_that_is_cut() -> None:
    assert outages_in(ranks_with((0, 1, MOST_LOST - 1))) == []


def test_connection_whose_other_end_nobody_knows_says_nothing() -> None:
    lonely = RankState(0, 6, 1, "S", "", "h0", flows=(Flow("0:1", "9:9", 7),))
    assert outages_in([lonely]) == []


def test_host_that_doesnt_answer_explains_what_is_lost(snapshot: SnapshotAssertion) -> None:
    states = ranks_with((0, 1, 6))
    (found,) = outages_in([states[0], elsewhere(1, "h1", "doesn't answer (no route)")])
    assert found.hosts == {"h1"}
    assert found.reason == snapshot


# -- which hosts are down --------------------------------------------------------------------------


def test_schedulers_launcher_takes_words_as_they_are() -> None:
    job = BatchJob(SLURM, "7", "/bin/srun", ("h1", "h2"), "")
    (door,) = remote_shells_of(Hosts(("h2",)), job)
    assert door.into(["sh", "-c", "a b"])[-3:] == ("sh", "-c", "a b")
    assert RemoteShell("h2", ("ssh", "h2"), True).into(["sh", "-c", "a b"])[-1] == "sh -c 'a b'"


# -- what is still to come -------------------------------------------------------------------------


NAN = float("nan")
MILLISECONDS = np.array([[[1.0, 2.0, 3.0]], [[1.0, NAN, NAN]]]) * 1e-3


def test_blocks_without_the_host_are_to_be_measured_again() -> None:
    variants = [variant("null"), variant("null", "again")]
    plan = plan_for(variants, "pingpong", (8,), 3)
    (planned,) = plan.groups[0].cells
    configurations = [configuration(one.name) for one in variants]
    failure = Failure(1, None, 1, HOST_DOWN, "host h3 doesn't answer")
    run = run_of_blocks(
        MILLISECONDS, configurations, [planned.cell], complete=False, failures=(failure,)
    )
    assert run.awaits_hosts
    assert whole_blocks(run, plan) == {0}
    assert spent_s(run, {0}) < spent_s(run)
    assert [one.code for one in unfinished(run)] == [HOST_DOWN]


def test_run_that_was_interrupted_awaits_nothing() -> None:
    run = run_of_blocks(MILLISECONDS[:1], [configuration("a")], [cell(8)], complete=False)
    assert not run.awaits_hosts
    assert [one.code for one in unfinished(run)] == ["incomplete"]
