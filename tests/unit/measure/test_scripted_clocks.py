"""Campaigns between hosts with clocks of their own: what is fitted when, and what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import seen
from tests.support.scripted import QUIET, Played, Theatre, hosts_named, request, spread_over

from leadline.compare.analysis import Analysis
from leadline.measure.clocks import BASELINE_S
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Cadence, ClockFit
from leadline.scripted.machine import START_S
from leadline.scripted.script import HostClock, RankFault, ScriptedLibrary, Task, Trouble

SITES = hosts_named(3)
AHEAD = {"h2": HostClock(offset_s=100_000.0, drift=2e-6, missed_ns=40)}


def campaign(
    tmp_path: Path,
    patterns: tuple[str, ...] = ("barrier", "pingpong"),
    libraries: dict[str, ScriptedLibrary] | None = None,
    **script: object,
) -> Played:
    """Three ranks, one a host; barriers are isolated, ping-pongs streaming."""
    asked = request(
        patterns=patterns, ranks=(3,), blocks=2, budget_s=0.0, hosts=spread_over(SITES),
        patience_s=4.0,
    )  # fmt: skip
    libraries = libraries or {"tcp": QUIET, "mpich": QUIET}
    return Theatre(tmp_path / "run", libraries, asked, SITES, script).play()


def of_launches(fits: tuple[ClockFit, ...]) -> dict[int, list[ClockFit]]:
    found: dict[int, list[ClockFit]] = {}
    for fit in fits:
        found.setdefault(fit.launch, []).append(fit)
    return found


def test_each_launch_is_fitted_as_it_is_up_before_its_barriers_and_after_the_visit(
    tmp_path: Path,
) -> None:
    run = campaign(tmp_path, clocks=AHEAD).run
    assert {one.cadence for one in run.cells} == {Cadence.ISOLATED, Cadence.STREAMING}
    by_launch = of_launches(run.clock_fits)
    assert sorted(by_launch) == [0, 1, 2, 3]
    for launch, fits in by_launch.items():
        assert {(one.host, one.block) for one in fits} == {("h2", launch // 2)}
        assert [one.residual_ns for one in fits] == [UNKNOWN, UNKNOWN, 40]
        # 1 ms a rank goes by from the question to the answer
        assert (fits[1].here_ns - fits[0].here_ns) * 1e-9 >= BASELINE_S - 0.003
    assert run.failures == ()


def test_fits_are_what_the_clock_does(tmp_path: Path) -> None:
    clock = AHEAD["h2"]
    for fit in campaign(tmp_path, clocks=AHEAD).run.clock_fits:
        elapsed_s = fit.here_ns * 1e-9 - fit.offset_ns * 1e-9 - START_S
        expected_s = clock.offset_s + clock.drift * elapsed_s
        assert fit.offset_ns == pytest.approx(expected_s * 1e9, abs=32)  # doubles of 1e14
        assert (fit.drift, fit.error_ns, fit.round_trip_ns) == (2e-6, 50, 2000)


def test_every_clock_but_that_of_rank_0_is_fitted(tmp_path: Path) -> None:
    clocks = {"h2": HostClock(offset_s=5.0), "h3": HostClock(offset_s=-5.0)}
    run = campaign(tmp_path, clocks=clocks).run
    hosts = [(one.host, one.launch) for one in run.clock_fits]
    assert set(hosts) == {(host, launch) for host in clocks for launch in range(4)}
    assert len(hosts) == 2 * 4 * 3
    signs = {(one.host, one.offset_ns > 0) for one in run.clock_fits}
    assert signs == {("h2", True), ("h3", False)}


def test_ranks_that_read_one_clock_share_its_fits(tmp_path: Path) -> None:
    sites = hosts_named(2)
    asked = request(
        patterns=("barrier",), ranks=(4,), blocks=1, budget_s=0.0, hosts=spread_over(sites)
    )
    run = Theatre(tmp_path / "run", {"tcp": QUIET}, asked, sites, {"clocks": AHEAD}).play().run
    assert [(fit.host, fit.launch) for fit in run.clock_fits] == [("h2", 0)] * 3


def test_no_fit_is_made_for_what_meets_at_no_deadline(tmp_path: Path) -> None:
    assert campaign(tmp_path, ("pingpong",), clocks=AHEAD).run.clock_fits == ()


def test_one_clock_is_never_fitted(tmp_path: Path) -> None:
    asked = request(patterns=("barrier",), ranks=(3,), blocks=2, budget_s=0.0,
                  hosts=spread_over(hosts_named(3, machine="one")))  # fmt: skip
    sites = hosts_named(3, machine="one")
    run = Theatre(tmp_path / "run", {"tcp": QUIET}, asked, sites).play().run
    assert run.clock_fits == ()
    assert {row.clock_residual_ns for row in Analysis(run).summaries} == {None}


@pytest.mark.parametrize(("missed_ns", "warned"), [(19, False), (41, True)])
def test_clock_that_is_further_off_than_an_operation_allows_is_warned_of(
    missed_ns: int, warned: bool, tmp_path: Path
) -> None:
    """A barrier of three takes two messages of 1 us: 2 % of it are 40 ns."""
    clocks = {"h2": HostClock(missed_ns=missed_ns)}
    run = campaign(tmp_path, clocks=clocks, mood=0.0).run
    rows = {row.curve.pattern: row for row in Analysis(run).summaries}
    assert rows["barrier"].clock_residual_ns == missed_ns
    assert rows["pingpong"].clock_residual_ns is None
    assert ("clocks" in {warning.code for warning in rows["barrier"].warnings}) is warned
    assert "clocks" not in {warning.code for warning in rows["pingpong"].warnings}


def test_launch_that_hangs_as_clocks_are_fitted_is_replaced(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    hang = RankFault(Trouble.HANG, "tcp", 1, task=Task.CLOCKS, times=1)
    found = campaign(tmp_path, clocks=AHEAD, faults=(hang,))
    (failure,) = found.run.failures
    assert (failure.cell, failure.block, failure.code) == (None, 0, "hang")
    assert found.variant(failure.configuration) == "tcp"
    assert failure.message == snapshot
    # the launch in its place is fitted and measures all cells in the same block
    everything = {(b, c, cell) for b in (0, 1) for c in (0, 1) for cell in (0, 1)}
    assert seen(found.run) == everything
    assert sorted(of_launches(found.run.clock_fits)) == [1, 2, 3, 4]


def test_rank_that_falls_as_clocks_are_fitted_is_named(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    crash = RankFault(Trouble.CRASH, "tcp", 1, task=Task.CLOCKS, times=1)
    found = campaign(tmp_path, clocks=AHEAD, faults=(crash,))
    (failure,) = found.run.failures
    assert (failure.cell, failure.code) == (None, "crash")
    assert failure.message == snapshot


def test_clocks_that_never_answer_cost_what_needs_them_and_no_more(tmp_path: Path) -> None:
    hang = RankFault(Trouble.HANG, "tcp", 1, task=Task.CLOCKS)
    found = campaign(tmp_path, clocks=AHEAD, faults=(hang,))
    barrier = next(n for n, one in enumerate(found.run.cells) if one.pattern == "barrier")
    lost = [(f.block, f.cell) for f in found.run.failures]
    assert (0, barrier) in lost
    assert {cell for _, cell in lost} == {None, barrier}
    mine = {(b, cell) for b, c, cell in seen(found.run) if found.variant(c) == "tcp"}
    assert mine == {(0, 1 - barrier), (1, 1 - barrier)}
    assert found.run.complete
