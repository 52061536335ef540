"""Campaigns over links: what crosses them, what fills them, and what they excuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import seen
from tests.support.scripted import QUIET, Played, Theatre, hosts_named, request, spread_over

from leadline.compare.analysis import Analysis
from leadline.compare.pairs import compare_within
from leadline.hosts.cores import Site
from leadline.measure.campaign import MOST_FAILED_STARTS
from leadline.measure.pool import NEXT_BYTES, OTHER_BYTES
from leadline.measure.slices import MOST_ATTEMPTS
from leadline.record.run import Run
from leadline.record.slices import BatchFlag
from leadline.scripted.script import HostClock, ScriptedLibrary

# -- shortcuts past the links ----------------------------------------------------------------------

SHORTCUT = replace(QUIET, avoids_links=True)


def crossing(tmp_path: Path, sites: tuple[Site, ...], ranks: tuple[int, ...]) -> Played:
    """A campaign of a library that finds memory which hosts share, and of one that doesn't."""
    asked = request(
        patterns=("barrier",), ranks=ranks, blocks=3, budget_s=0.0, hosts=spread_over(sites)
    )
    libraries = {"mpich": SHORTCUT, "tcp": QUIET}
    return Theatre(tmp_path / "run", libraries, asked, sites).play()


def test_library_that_finds_shared_memory_gives_no_number(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    found = crossing(tmp_path, hosts_named(2, machine="one"), (2,))
    assert [(found.variant(f.configuration), f.cell, f.code) for f in found.run.failures] == [
        ("mpich", None, "shortcut")
    ] * MOST_FAILED_STARTS
    assert {found.variant(c) for _, c, _ in seen(found.run)} == {"tcp"}
    assert {b for b, _, _ in seen(found.run)} == {0, 1, 2}
    assert {f.message for f in found.run.failures} == snapshot


def test_what_is_sent_to_more_hosts_is_known_by_their_number(tmp_path: Path) -> None:
    found = crossing(tmp_path, hosts_named(4, machine="one"), (8,))
    message = found.run.failures[0].message
    least = NEXT_BYTES + 2 * OTHER_BYTES
    assert message.startswith(f"mpich: {least:,} B ")
    assert "h1 0 B, h2 0 B, h3 0 B, h4 0 B." in message


def test_hosts_on_machines_of_their_own_are_sent_nothing(tmp_path: Path) -> None:
    found = crossing(tmp_path, hosts_named(2), (2,))
    assert found.run.failures == ()
    assert {found.variant(c) for _, c, _ in seen(found.run)} == {"mpich", "tcp"}


def test_two_hosts_of_one_machine_among_others_are_enough(tmp_path: Path) -> None:
    sites = (*hosts_named(2), Site("h3", "machine1", (4, 5), "h3"))
    found = crossing(tmp_path, sites, (2, 3))
    failed = {found.run.configurations[f.configuration].ranks for f in found.run.failures}
    assert failed == {3}


# -- links that are full ---------------------------------------------------------------------------

MBIT = 125_000
CROWDED = hosts_named(2, cores=1, machine="one")
"""Two ranks on one core."""


def filled(
    tmp_path: Path, share: float, bound: float | None, sites: tuple[Site, ...] = CROWDED
) -> Run:
    """A run over a link of 1000 Mbit/s, of which messages take `share`, two libraries alike."""
    asked = request(
        patterns=("exchange",), blocks=6, budget_s=0.0, hosts=spread_over(sites), link_bound=bound
    )
    libraries = dict.fromkeys(("tcp", "again"), replace(QUIET, link_share=share))
    return Theatre(tmp_path / "run", libraries, asked, sites).play().run


def counted(run: Run) -> Mapping[int | None, bool]:
    return {row.size_bytes: row.counted for row in compare_within(Analysis(run), "tcp").rows}


@pytest.mark.parametrize(
    ("share", "stated_mbit", "counts", "codes"),
    [
        (0.69, 1000, False, {"oversubscribed"}),
        (0.71, 1000, True, {"link_bound"}),
        (0.71, 0, True, {"link_bound"}),  # by what interfaces say
        (0.71, 10_000, False, {"oversubscribed"}),
        (0.71, 100, False, {"oversubscribed", "link_rate"}),
        (0.0, 1000, False, {"oversubscribed"}),
    ],
)
def test_ranks_above_the_core_count_get_a_verdict_where_their_link_is_full(
    share: float, stated_mbit: int, counts: bool, codes: set[str], tmp_path: Path
) -> None:
    run = filled(tmp_path, share, stated_mbit * MBIT)
    assert all(one.oversubscribed for one in run.configurations)
    assert counted(run) == {8: counts}
    for row in Analysis(run).summaries:
        expected = share * 1000 / (stated_mbit or 1000)
        assert row.link_share == pytest.approx(expected, rel=1e-4)
        assert row.link in {"h1 eth0 tx", "h2 eth0 tx"}
        kinds = {"oversubscribed", "link_bound", "link_rate"}
        assert {warning.code for warning in row.warnings} & kinds == codes
    assert run.conditions is not None
    assert set(run.conditions.link_bytes_per_s.tolist()) == {(stated_mbit or 1000) * MBIT}


def test_nothing_is_read_of_links_unless_asked_for(tmp_path: Path) -> None:
    run = filled(tmp_path, 0.9, None)
    assert counted(run) == {8: False}
    assert {row.link_share for row in Analysis(run).summaries} == {None}


def test_ranks_with_cores_of_their_own_need_no_full_link(tmp_path: Path) -> None:
    run = filled(tmp_path, 0.1, 1000 * MBIT, hosts_named(2))
    assert counted(run) == {8: True}
    for row in Analysis(run).summaries:
        assert row.link_share == pytest.approx(0.1, rel=1e-4)
        assert not {"oversubscribed", "link_bound"} & {warning.code for warning in row.warnings}


# -- operations that are to contend ----------------------------------------------------------------


def contending(
    tmp_path: Path, apart_ns: int, sites: tuple[Site, ...], contends: bool = True, **script: object
) -> Run:
    """Batches of 64 messages of 1 us, each rank `apart_ns` behind the one before."""
    asked = request(
        patterns=("message_rate",), sizes=(8,), blocks=2, budget_s=0.0,
        hosts=spread_over(sites) if len(sites) > 1 else request().hosts,
    )  # fmt: skip
    library = replace(QUIET, apart_ns=apart_ns, contends=contends)
    return (
        Theatre(tmp_path / "run", {"a": library}, asked, sites, {"mood": 0.0} | script).play().run
    )


def apart(run: Run) -> set[bool]:
    """Whether batches are flagged as apart."""
    return set(((run.batches.flags & int(BatchFlag.APART)) != 0).tolist())


@pytest.mark.parametrize(("apart_ns", "flagged"), [(0, False), (6_000, False), (7_000, True)])
def test_batches_that_overlap_too_little_are_part_of_no_estimate(
    apart_ns: int, flagged: bool, tmp_path: Path
) -> None:
    run = contending(tmp_path, apart_ns, hosts_named(1))
    assert apart(run) == {flagged}
    # what has no batch that counts is taken again
    attempts = MOST_ATTEMPTS if flagged else 1
    assert set(run.batches.attempt.tolist()) == set(range(attempts))
    assert np.isnan(Analysis(run).medians.seconds).all() == flagged


def test_operations_that_need_not_contend_may_run_apart(tmp_path: Path) -> None:
    run = contending(tmp_path, 40_000, hosts_named(1), contends=False)
    assert apart(run) == {False}
    assert not np.isnan(Analysis(run).medians.seconds).any()


def test_hosts_with_clocks_of_their_own_are_fitted_before_their_overlap_is_judged(
    tmp_path: Path,
) -> None:
    """The first slice shows that they contend; those after it have a fit."""
    sites, clocks = hosts_named(2), {"h2": HostClock(offset_s=100.0)}
    run = contending(tmp_path, 7_000, sites, clocks=clocks)
    flagged = (run.batches.flags & int(BatchFlag.APART)) != 0
    first = (run.batches.block == 0) & (run.batches.attempt == 0)
    assert set(flagged[first].tolist()) == {False}
    assert set(flagged[~first].tolist()) == {True}
    assert {fit.host for fit in run.clock_fits} == {"h2"}


def test_scripted_library_does_not_contend_of_itself() -> None:
    assert not ScriptedLibrary().contends
