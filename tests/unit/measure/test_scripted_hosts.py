"""Campaigns over hosts that go down or lose each other: who is named, and what goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import seen
from tests.support.scripted import QUIET, Played, Theatre, hosts_named, request, spread_over
from tests.support.texts import without_progress

from leadline.measure.resumption import blocks_done
from leadline.record.run import Run
from leadline.scripted.script import HostDown, LinkCut, RankFault, Trouble

pytestmark = pytest.mark.long

HOSTS, BLOCKS, FOREVER_S = 3, 4, 1e9
SITES = hosts_named(HOSTS)
ASKED = request(
    patterns=("barrier",), ranks=(2, HOSTS), blocks=BLOCKS, budget_s=0.0, hosts=spread_over(SITES),
    patience_s=4.0, start_patience_s=6.0,
)  # fmt: skip
BOTH = ("mpich", "tcp")


def theatre(tmp_path: Path, **script: object) -> Theatre:
    libraries = dict.fromkeys(BOTH, QUIET)
    return Theatre(tmp_path / "run", libraries, ASKED, SITES, script=script)


@pytest.fixture
def calm(tmp_path: Path) -> Played:
    """What the campaign is where nothing happens."""
    return replace(theatre(tmp_path), directory=tmp_path / "calm").play()


def over(run: Run, ranks: int) -> list[int]:
    """The configurations with so many ranks."""
    return [number for number, one in enumerate(run.configurations) if one.ranks == ranks]


def measured(run: Run, configurations: Sequence[int]) -> set[tuple[int, int]]:
    """In which blocks each of these was."""
    return {(c, block) for block, c, _ in seen(run) if c in configurations}


def assert_all_hosts_are_lost_once(run: Run, block: int, begun: Sequence[int] = ()) -> None:
    """What needs all of them failed in `block`, in which some had `begun`; the rest went on."""
    all_hosts, few = over(run, HOSTS), over(run, 2)
    assert [(f.configuration, f.cell, f.block, f.code) for f in run.failures] == [
        (number, None, block, "host_down") for number in all_hosts
    ]
    assert measured(run, few) == {(c, b) for c in few for b in range(BLOCKS)}
    before = {(c, b) for c in all_hosts for b in range(block)}
    assert measured(run, all_hosts) == before | {(c, block) for c in begun}
    assert run.awaits_hosts
    assert not run.complete


# -- a host that is down ---------------------------------------------------------------------------


def test_host_that_goes_down_before_a_launch_starts_is_named(
    tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    down = HostDown("h3", calm.begin_s(1, ranks=2), FOREVER_S)
    run = theatre(tmp_path, outages=(down,)).play().run
    assert_all_hosts_are_lost_once(run, block=1)
    assert {without_progress(failure.message) for failure in run.failures} == snapshot


def test_host_that_goes_down_while_it_measures_is_named_with_its_ranks(
    tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    down = HostDown("h3", calm.begin_s(2, ranks=HOSTS), FOREVER_S)
    run = theatre(tmp_path, outages=(down,)).play().run
    assert_all_hosts_are_lost_once(run, block=2)
    assert without_progress(run.failures[0].message) == snapshot


def test_two_hosts_that_are_down_are_both_named(
    tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    when = calm.begin_s(1, ranks=HOSTS)
    outages = tuple(HostDown(name, when, FOREVER_S) for name in ("h2", "h3"))
    run = theatre(tmp_path, outages=outages).play().run
    assert set(measured(run, over(run, HOSTS))) == {(c, 0) for c in over(run, HOSTS)}
    assert measured(run, over(run, 2)) == {(c, b) for c in over(run, 2) for b in (0, 1)}
    assert {f.code for f in run.failures} == {"host_down"}
    assert sorted(f.configuration for f in run.failures) == list(range(4))
    # each of a block's failures says how it showed
    assert {without_progress(f.message) for f in run.failures} == snapshot


def test_campaign_without_hosts_to_measure_on_ends(tmp_path: Path) -> None:
    down = HostDown("h1", 0.0, FOREVER_S)
    found = theatre(tmp_path, outages=(down,)).play()
    assert found.watching.blocks == [0]
    assert found.codes() == ["host_down"] * 4
    assert found.run.awaits_hosts
    assert seen(found.run) == set()


@pytest.mark.parametrize("ranks", [2, HOSTS], ids=["starting", "measuring"])
def test_campaign_goes_on_to_its_end_when_the_host_is_back(
    ranks: int, tmp_path: Path, calm: Played
) -> None:
    stage = theatre(tmp_path, outages=(HostDown("h3", calm.begin_s(1, ranks), FOREVER_S),))
    begun = stage.play()
    assert begun.run.awaits_hosts
    # a block without a host isn't whole: all but the first are measured again
    assert blocks_done(begun.run, stage.prepared.plan) == (1, BLOCKS)
    whole = stage.again().go_on().run
    assert whole.complete
    assert not whole.awaits_hosts
    assert whole.failures == ()
    assert seen(begun.run) < seen(whole)
    new = range(BLOCKS, BLOCKS + BLOCKS - 1)
    everything = {(b, c, 0) for b in new for c in range(4)}
    assert {one for one in seen(whole) if one[0] in new} == everything
    assert blocks_done(whole, stage.prepared.plan) == (BLOCKS, 2 * BLOCKS - 1)


def test_host_that_is_still_down_is_lost_again_in_the_resumed_campaign(
    tmp_path: Path, calm: Played
) -> None:
    stage = theatre(tmp_path, outages=(HostDown("h3", calm.begin_s(1, HOSTS), FOREVER_S),))
    begun = stage.play().run
    again = stage.again(outages=(HostDown("h3", 0.0, FOREVER_S),)).go_on().run
    assert again.awaits_hosts
    assert seen(begun) <= seen(again)
    assert measured(again, over(again, HOSTS)) == measured(begun, over(begun, HOSTS))


def test_rank_that_falls_because_its_host_does_is_no_crash(
    tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    """As ranks on other hosts end by a signal when a library misses one."""
    when = calm.begin_s(1, ranks=HOSTS)
    faults = tuple(RankFault(Trouble.CRASH, name, 1, at_s=when - 0.03, times=1) for name in BOTH)
    run = theatre(tmp_path, outages=(HostDown("h3", when, FOREVER_S),), faults=faults).play().run
    assert {f.code for f in run.failures if f.configuration in over(run, HOSTS)} == {"host_down"}
    assert without_progress(run.failures[0].message) == snapshot


# -- a link that is cut ----------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [2, HOSTS], ids=["starting", "measuring"])
def test_link_that_is_cut_is_named_though_both_hosts_answer(
    ranks: int, tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    cut = LinkCut(frozenset({"h2", "h3"}), calm.begin_s(1, ranks), FOREVER_S)
    stage = theatre(tmp_path, cuts=(cut,))
    run = stage.play().run
    assert_all_hosts_are_lost_once(run, block=1)
    assert {without_progress(failure.message) for failure in run.failures} == snapshot
    whole = stage.again().go_on().run
    assert whole.complete
    assert whole.failures == ()


def test_host_that_no_other_reaches_is_the_one_that_is_lost(
    tmp_path: Path, calm: Played, snapshot: SnapshotAssertion
) -> None:
    when = calm.begin_s(1, HOSTS)
    cuts = tuple(LinkCut(frozenset({one, "h3"}), when, FOREVER_S) for one in ("h1", "h2"))
    run = theatre(tmp_path, cuts=cuts).play().run
    assert_all_hosts_are_lost_once(run, block=1)
    assert without_progress(run.failures[0].message) == snapshot


def test_link_that_is_cut_for_a_while_and_missed_by_no_slice_changes_nothing(
    tmp_path: Path, calm: Played
) -> None:
    when = calm.begin_s(1, ranks=2)
    cut = LinkCut(frozenset({"h2", "h3"}), when, when + 0.001)
    assert theatre(tmp_path, cuts=(cut,)).play().run.failures == ()


# -- ranks of other hosts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "code"),
    [(Trouble.HANG, "hang"), (Trouble.CRASH, "crash"), (Trouble.EXIT, "exit")],
)
def test_rank_of_another_host_is_named_with_it(
    trouble: Trouble, code: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = theatre(tmp_path, faults=(RankFault(trouble, "tcp", 2),)).play()
    assert found.codes() == [code]
    assert without_progress(found.run.failures[0].message) == snapshot
    lost = found.run.failures[0].configuration
    assert (found.variant(lost), found.run.configurations[lost].ranks) == ("tcp", HOSTS)
    assert found.run.complete


def test_two_ranks_on_each_of_four_hosts_take_part(tmp_path: Path) -> None:
    sites = hosts_named(4)
    asked = replace(ASKED, ranks=(8,), hosts=spread_over(sites), blocks=2)
    run = Theatre(tmp_path / "run", {"tcp": QUIET}, asked, sites).play().run
    assert set(run.batches.rank.tolist()) == set(range(8))
    assert [host.name for host in run.hosts] == ["h1", "h2", "h3", "h4"]
    assert run.failures == ()
