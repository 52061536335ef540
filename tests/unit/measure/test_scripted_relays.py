"""Campaigns of many ranks: relays that speak for them, and batches that are reduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Interrupting, seen
from tests.support.scripted import CALM, Played, Theatre, hosts_named, request, spread_over

from leadline.backends.launchers import relays
from leadline.backends.launchers.relays import MOST_CONNECTIONS
from leadline.hosts.cores import Site
from leadline.hosts.placement import THIS_HOST
from leadline.measure.grids import placed
from leadline.measure.slices import kept_of
from leadline.record.reduction import FEW_RANKS
from leadline.record.slices import SPREAD, Slice
from leadline.scripted.campaigns import variant
from leadline.scripted.script import HostDown, RankFault, ScriptedLibrary, Task, Trouble
from leadline.store.directory import read_journal

RANKS = MOST_CONNECTIONS + 2
ONE = hosts_named(1, cores=128)
SPREAD_RANKS = ScriptedLibrary(noise=CALM, apart_ns=100)
"""Each rank runs its batches 100 ns after the one before it."""


def theatre(
    out: Path, ranks: int = RANKS, sites: Sequence[Site] = ONE, blocks: int = 2, **script: object
) -> Theatre:
    asked = request(
        patterns=("barrier", "pingpong"), ranks=(ranks,), blocks=blocks, budget_s=0.0,
        patience_s=4.0, start_patience_s=6.0,
    )  # fmt: skip
    if len(sites) > 1:
        asked = replace(asked, hosts=spread_over(sites))
    return Theatre(out, {"a": SPREAD_RANKS}, asked, sites, {"mood": 0.0} | script)


def relayed(found: Played) -> list[list[str]]:
    """The hosts that have a relay, launch by launch."""
    return [sorted(launch.relays) for launch in found.machine.launches.values()]


def reductions(found: Played) -> list[int]:
    """How many slices the relays of each launch reduced."""
    launches = found.machine.launches.values()
    return [sum(one.reduced for one in launch.relays.values()) for launch in launches]


def barriers(directory: Path, found: Played) -> list[Slice]:
    run = found.run
    slices = read_journal(directory).slices
    return [one for one in slices if run.cells[one.cell].pattern == "barrier"]


def assert_alike(one: Slice, other: Slice) -> None:
    for column in ("ranks", "others", "start_ns", "end_ns", "flags", "slowest"):
        assert np.array_equal(getattr(one, column), getattr(other, column)), column
    assert (one.spread is None) == (other.spread is None)
    for column in SPREAD if one.spread is not None else ():
        assert np.array_equal(getattr(one.spread, column), getattr(other.spread, column)), column


# -- reduced batches -------------------------------------------------------------------------------


def test_run_through_a_relay_is_as_one_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    through = theatre(tmp_path / "through").play()
    monkeypatch.setattr(relays, "MOST_CONNECTIONS", RANKS)
    straight = theatre(tmp_path / "straight").play()
    assert (relayed(through), relayed(straight)) == ([["h1"]] * 2, [[]] * 2)
    assert through.run.failures == straight.run.failures == ()
    assert through.run.complete
    assert seen(through.run) == seen(straight.run)
    first = [read_journal(tmp_path / name).slices[0] for name in ("through", "straight")]
    assert {one.ranks.size + one.others.size for one in first} <= {2, RANKS}


def test_what_a_relay_reduces_is_what_the_campaign_would(tmp_path: Path) -> None:
    """The same script, whose times are drawn alike: slice by slice, to the last nanosecond."""
    reduced = theatre(tmp_path / "reduced")
    whole = replace(reduced, directory=tmp_path / "whole")
    few = reduced.play()
    all_ranks = whole.play(request=replace(whole.asked, all_ranks=True))
    assert relayed(few) == relayed(all_ranks) == [["h1"]] * 2
    # of a launch's two cells the ping-pong has two ranks, which are few
    assert (reductions(few), reductions(all_ranks)) == ([1, 1], [0, 0])
    pairs = zip(barriers(tmp_path / "reduced", few), barriers(tmp_path / "whole", all_ranks),
                strict=True)  # fmt: skip
    for one, full in pairs:
        assert full.ranks.tolist() == list(range(RANKS))
        assert full.spread is None
        assert_alike(one, kept_of(full, few.run.cells[one.cell].whose_time, all_ranks=False))
        assert one.spread is not None
        lag_ns = one.spread.last_start_ns - one.spread.first_start_ns
        assert set(lag_ns.tolist()) == {100 * (RANKS - 1)}


def test_each_host_has_a_relay_and_their_batches_are_joined(tmp_path: Path) -> None:
    ranks = 2 * MOST_CONNECTIONS + 3  # not as many on each
    sites = hosts_named(2, cores=64)
    found = theatre(tmp_path / "run", ranks, sites).play()
    assert relayed(found) == [["h1", "h2"]] * 2
    assert found.run.failures == ()
    slices = barriers(tmp_path / "run", found)
    assert len(slices) == 2
    for one in slices:
        assert [*one.ranks, *one.others] == list(range(ranks))
        assert one.spread is not None
        assert one.slowest is not None
        assert set(one.slowest.tolist()) == {0}, "of equals the lowest"
        for last_ns, first_ns in (
            (one.spread.last_end_ns, one.spread.first_end_ns),
            (one.spread.last_start_ns, one.spread.first_start_ns),
        ):
            assert set((last_ns - first_ns).tolist()) == {100 * (ranks - 1)}


def test_few_ranks_need_no_relay_and_keep_their_batches(tmp_path: Path) -> None:
    found = theatre(tmp_path / "run", FEW_RANKS).play()
    assert relayed(found) == [[]] * 2
    for one in barriers(tmp_path / "run", found):
        assert one.ranks.tolist() == list(range(FEW_RANKS))
        assert one.spread is None


def test_more_than_few_are_reduced_without_a_relay_as_well(tmp_path: Path) -> None:
    found = theatre(tmp_path / "run", FEW_RANKS + 2).play()
    assert relayed(found) == [[]] * 2
    for one in barriers(tmp_path / "run", found):
        assert one.ranks.tolist() == [0]
        assert one.others.tolist() == list(range(1, FEW_RANKS + 2))
        assert one.spread is not None


def test_interrupted_campaign_of_many_ranks_goes_on(tmp_path: Path) -> None:
    stage = theatre(tmp_path / "run", blocks=3)
    begun = stage.play(Interrupting()).run
    assert not begun.complete
    whole = stage.go_on().run
    assert whole.complete
    assert whole.failures == ()
    assert seen(begun) < seen(whole)


# -- ranks and relays that end or hang -------------------------------------------------------------


def test_rank_that_ends_is_named_by_its_relay(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    fault = RankFault(Trouble.CRASH, "a", 5, times=1)
    found = theatre(tmp_path / "run", faults=(fault,)).play()
    (failure,) = found.run.failures
    assert failure.code == "crash"
    assert failure.message == snapshot
    assert relayed(found) == [["h1"]] * 3, "another launch came in its place"
    assert found.run.complete


def test_rank_that_hangs_is_named_though_a_relay_has_the_answers(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    fault = RankFault(Trouble.HANG, "a", 7, times=1)
    found = theatre(tmp_path / "run", faults=(fault,)).play()
    (failure,) = found.run.failures
    assert failure.code == "hang"
    assert failure.message.partition("; ")[0] == snapshot


def test_rank_that_alone_does_not_answer_is_named_as_its_relay_says(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """All others have, for a placement needs nobody else."""
    plain = replace(variant("a"), name="default")
    mapped = replace(plain, name="mapped", map="file")
    stage = theatre(
        tmp_path / "run", 36, faults=(RankFault(Trouble.HANG, "a", 7, task=Task.PLACEMENT),)
    )
    asked = replace(stage.asked, patterns=("halo:6x6",))
    stage = replace(stage, asked=asked, variants=(plain, mapped))
    laid = placed(stage.prepared.plan, THIS_HOST, (plain, mapped), {"file": (*range(35, -1, -1),)})
    found = stage.play(plan=laid)
    (failure,) = found.run.failures
    assert (found.variant(failure.configuration), failure.code) == ("mapped", "hang")
    assert failure.message == snapshot


def test_relay_that_dies_is_a_failure_and_the_campaign_goes_on(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    fault = RankFault(Trouble.RELAY_CRASH, "a", 5, times=1)
    found = theatre(tmp_path / "run", faults=(fault,)).play()
    (failure,) = found.run.failures
    assert failure.code == "crash"
    assert failure.message == snapshot
    first = next(iter(found.machine.launches.values()))
    assert {rank.process.poll() for rank in first.ranks.values()} == {3}, "it hung up on them"
    assert relayed(found) == [["h1"]] * 3
    assert found.run.complete


def test_host_of_a_relay_that_is_down_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    sites = hosts_named(2, cores=64)
    stage = theatre(tmp_path / "run", 2 * RANKS, sites, outages=(HostDown("h2", 0.0, 1e9),))
    found = stage.play()
    assert found.codes() == ["host_down"]
    assert found.run.failures[0].message == snapshot
    assert found.run.awaits_hosts


def test_nothing_of_a_launch_is_left_when_it_is_over(tmp_path: Path) -> None:
    found = theatre(tmp_path / "run", faults=(RankFault(Trouble.HANG, "a", 7, times=1),)).play()
    for launch in found.machine.launches.values():
        ended = [relay.process.poll() for relay in launch.relays.values()]
        ended += [rank.process.poll() for rank in launch.ranks.values()]
        assert None not in ended
