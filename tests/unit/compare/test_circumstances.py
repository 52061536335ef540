"""Ranks above the core count: which cells count, and what is shown beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import configuration
from harness.synthetic import BARRIER, Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.links import RATE, SECOND, crowded_run, link_use, slices_of, waiting

from leadline.compare.analysis import Analysis
from leadline.compare.circumstances import Circumstances, clock_residuals
from leadline.compare.history import Choice, points_of
from leadline.compare.pairs import NO_REGRESSION, REGRESSION, TOO_UNCERTAIN, compare_within
from leadline.compare.ranking import rankings_of
from leadline.compare.verdict import Verdict
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Cadence, ClockFit, Run
from leadline.record.slices import CommunicationTimes, LinkUse, Slice, Verified, WarmUp

SLOWER = {"a": (10.0, 10.0, 10.0), "b": (20.0, 20.0, 20.0)}
EQUAL = {"a": (10.0, 10.0, 10.0), "b": (10.0, 10.0, 10.0)}


def run_of(slices: list[Slice]) -> Run:
    return replace(
        crowded_run({"a": ()}),
        batches=batches_of(slices),
        strips=strips_of(slices),
        conditions=conditions_of(slices),
    )


def one_cell(*links: LinkUse | None) -> Circumstances:
    """Of one cell with a slice for each of `links`."""
    slices = list(slices_of({"a": (10.0,)}, {}))[: len(links)]
    run = run_of([replace(one, link=link) for one, link in zip(slices, links, strict=True)])
    return Analysis(run).circumstances[0][0]


@pytest.mark.parametrize(
    ("share", "counts"),
    [(0.0, False), (0.69, False), (0.70, True), (1.0, True), (1.25, True), (1.26, False)],
)
def test_link_is_the_limit_between_seventy_per_cent_and_a_quarter_above_its_rate(
    share: float, counts: bool
) -> None:
    around = one_cell(link_use(share))
    assert around.link_share == pytest.approx(share)
    assert (around.link_bound, around.crowded) == (counts, not counts)


def test_share_of_a_cell_is_all_bytes_over_all_that_the_rates_allow() -> None:
    short = LinkUse("h1 eth0 tx", 125_000, SECOND // 10, RATE)
    assert one_cell(link_use(0.5), short).link_share == pytest.approx(0.6 / 1.1)


def test_busiest_links_of_several_slices_are_added_up_and_the_usual_one_is_named() -> None:
    around = one_cell(
        link_use(0.8, "h2 eth0 rx"), link_use(0.9), link_use(0.7, "h2 eth0 rx"), link_use(0.8)
    )
    assert around.link_share == pytest.approx(0.8)
    assert around.link in ("h1 eth0 tx", "h2 eth0 rx")
    assert one_cell(link_use(1), link_use(1, "h2 eth0 rx"), link_use(1)).link == "h1 eth0 tx"


def communication(*of_ranks: tuple[int, int]) -> CommunicationTimes:
    communication, repetitions = zip(*of_ranks, strict=True)
    return CommunicationTimes(np.array(communication), np.array(repetitions))


def spent(*of_slices: CommunicationTimes | None) -> Circumstances:
    """Of one cell with a slice for each, on two ranks."""
    slices = list(slices_of({"a": (10.0,)}, {}))[: len(of_slices)]
    pairs = zip(slices, of_slices, strict=True)
    return Analysis(run_of([replace(one, communication=how) for one, how in pairs])).circumstances[
        0
    ][0]


def test_communication_share_is_the_mean_over_ranks_beside_the_largest() -> None:
    around = spent(communication((20, 100), (50, 100)), communication((60, 300), (150, 300)))
    assert around.communication_share == pytest.approx(0.35)
    assert around.communication_most == pytest.approx(0.5)


def test_slice_in_which_a_rank_waited_for_another_without_a_core_decides_nothing() -> None:
    usual, waiting = communication((10, 100), (30, 100)), communication((980, 1000), (30, 1000))
    around = spent(usual, waiting, usual)
    assert around.communication_share == pytest.approx(0.2)
    assert around.communication_most == pytest.approx(0.3)


def test_share_is_that_of_the_attempt_whose_time_counts() -> None:
    slices = list(slices_of({"a": (10.0,)}, {}))[:1]
    calm, busy = (replace(slices[0], disturbance=waiting(share)) for share in (0.0, 0.5))
    taken = [
        replace(busy, attempt=0, communication=communication((900, 1000), (900, 1000))),
        replace(calm, attempt=1, communication=communication((200, 1000), (200, 1000))),
    ]
    run = run_of(taken)
    run = replace(run, configurations=(replace(run.configurations[0], oversubscribed=False),))
    assert Analysis(run).circumstances[0][0].communication_share == pytest.approx(0.2)


def test_patterns_that_are_no_applications_have_no_communication_share() -> None:
    around = spent(None, None)
    assert (around.communication_share, around.communication_most) == (None, None)


def test_what_was_verified_is_the_furthest_from_right_of_all_slices() -> None:
    seen = [5.0, 5.2, 4.9]
    slices = list(slices_of({"a": (10.0,)}, {}))[:4]
    checked = [*(Verified("norm", 5.0, one) for one in seen), None]
    taken = [replace(one, verified=how) for one, how in zip(slices, checked, strict=True)]
    analysis = Analysis(run_of(taken))
    assert analysis.circumstances[0][0].verified == Verified("norm", 5.0, 5.2)
    row = analysis.summaries[0]
    assert (row.verified, row.verified_expected, row.verified_seen) == ("norm", 5.0, 5.2)
    assert Analysis(run_of(slices)).circumstances[0][0].verified is None


def test_one_slice_without_a_link_or_a_rate_leaves_the_share_unknown() -> None:
    for unknown in (None, link_use(1.0, rate=0.0)):
        around = one_cell(link_use(1.0), unknown)
        assert (around.link_share, around.crowded) == (None, True)


def test_rate_stated_ten_times_too_high_or_too_low_lets_nothing_count() -> None:
    assert one_cell(link_use(0.95, rate=10 * RATE)).crowded
    assert one_cell(link_use(0.95, rate=RATE / 10)).crowded


@pytest.mark.parametrize(
    ("converged", "share"),
    [
        ([None, None], None),
        ([True, True, None], 0.0),
        ([True, False, True, False, True, None], 0.4),
        ([False], 1.0),
    ],
)
def test_launches_that_ended_their_warm_up_unsettled_are_counted_among_those_that_had_one(
    converged: list[bool | None], share: float | None
) -> None:
    slices = list(slices_of({"a": (10.0,)}, {}))
    around = [None if one is None else WarmUp(20_000_000, 99, one) for one in converged]
    taken = [
        replace(one, warm_up=warm, launch=number)
        for number, (one, warm) in enumerate(zip(slices, around, strict=False))
    ]
    analysis = Analysis(run_of(taken))
    assert analysis.circumstances[0][0].unsettled_share == share
    warned = "unsettled" in {warning.code for warning in analysis.summaries[0].warnings}
    assert warned == (share is not None and share > 0.25)


def test_launch_that_settled_at_the_second_attempt_has_settled() -> None:
    slices = list(slices_of({"a": (10.0,)}, {}))[:3]
    ended = [(7, False), (7, True), (8, True)]
    taken = [
        replace(one, launch=launch, warm_up=WarmUp(1, 1, converged))
        for one, (launch, converged) in zip(slices, ended, strict=True)
    ]
    assert Analysis(run_of(taken)).circumstances[0][0].unsettled_share == 0


def test_cores_enough_need_no_link() -> None:
    run = replace(crowded_run(EQUAL), configurations=(configuration("a"), configuration("b")))
    assert not Analysis(run).circumstances[1][2].crowded


def test_run_delay_is_what_ranks_waited_of_the_time_watched() -> None:
    around = Analysis(crowded_run(EQUAL)).circumstances[0][0]
    assert around == Circumstances(True, 0.25, slices=around.slices, disturbed=around.slices)


def test_unknown_delays_are_left_out_of_the_share() -> None:
    first, second = list(slices_of({"a": (10.0,)}, {}))[:2]
    assert second.disturbance is not None
    unknown = replace(second.disturbance, run_delay_ns=np.full(2, -1))
    run = run_of([first, replace(second, disturbance=unknown)])
    assert Analysis(run).circumstances[0][0].run_delay_share == pytest.approx(0.25)
    run = run_of([replace(first, disturbance=unknown), replace(second, disturbance=None)])
    assert Analysis(run).circumstances[0][0].run_delay_share is None


def test_records_that_say_nothing_of_it_and_empty_ones_have_no_circumstances() -> None:
    unsaid = replace(crowded_run(EQUAL), strips=None, conditions=None)
    assert Analysis(unsaid).circumstances[0] == (Circumstances(oversubscribed=True),) * 3
    assert Analysis(run_of([])).circumstances[0] == (Circumstances(oversubscribed=True),) * 3


def verdicts(run: Run) -> tuple[list[tuple[bool, Verdict]], set[str], int]:
    """Whether each size counts and its verdict, the codes of warnings, and the exit status."""
    found = compare_within(Analysis(run), "a")
    rows = [(row.counted, row.verdict) for row in found.rows]
    return rows, {warning.code for warning in found.warnings}, found.exit_status


def test_sizes_at_which_both_sides_are_bound_by_a_link_have_verdicts() -> None:
    run = crowded_run(SLOWER, {"a": (0.1, 0.9, 0.9), "b": (0.1, 0.9, 0.9)})
    rows, codes, status = verdicts(run)
    assert rows == [(False, Verdict.UNDECIDED), (True, Verdict.SLOWER), (True, Verdict.SLOWER)]
    assert codes == {"oversubscribed", "link_bound"}
    assert status == REGRESSION


def test_whole_curve_is_over_the_sizes_that_count() -> None:
    run = crowded_run(
        {"a": (1.0, 10.0, 10.0), "b": (99.0, 10.0, 10.0)},
        {"a": (0.1, 0.9, 0.9), "b": (0.1, 0.9, 0.9)},
    )
    (curve,) = compare_within(Analysis(run), "a").curves
    assert (curve.whole.counted, curve.whole.verdict) == (True, Verdict.SAME)
    assert curve.whole.ratio == pytest.approx(1.0, rel=0.01)
    assert [(one.first_bytes, one.last_bytes) for one in curve.ranges] == [(1024, 65536)]
    assert verdicts(run)[2] == NO_REGRESSION


@pytest.mark.parametrize("below", ["a", "b"])
def test_one_side_below_is_enough_to_let_nothing_count(below: str) -> None:
    shares = {"a": (0.9,) * 3, "b": (0.9,) * 3} | {below: (0.69,) * 3}
    rows, codes, status = verdicts(crowded_run(SLOWER, shares))
    assert set(rows) == {(False, Verdict.UNDECIDED)}
    assert (codes, status) == ({"oversubscribed"}, TOO_UNCERTAIN)


def test_without_links_all_is_flagged_as_ever() -> None:
    assert verdicts(crowded_run(SLOWER)) == (
        [(False, Verdict.UNDECIDED)] * 3, {"oversubscribed"}, TOO_UNCERTAIN,
    )  # fmt: skip


def test_ranking_has_the_sizes_at_which_every_library_is_bound_by_a_link() -> None:
    times = SLOWER | {"c": (30.0, 30.0, 30.0)}
    shares = {"a": (0.1, 0.9, 0.9), "b": (0.9, 0.9, 0.9), "c": (0.9, 0.9, 0.5)}
    (ranking,) = rankings_of(Analysis(crowded_run(times, shares))).curves
    assert [top.size_bytes for top in ranking.top] == [1024]
    assert ranking.top[0].verdict is Verdict.SLOWER


def test_rows_say_whether_they_count_and_what_the_link_carried() -> None:
    run = crowded_run(EQUAL, {"a": (0.1, 0.9, 1.3), "b": (0.1, 0.9, 1.3)})
    rows = Analysis(run).summaries[:3]
    assert [[warning.code for warning in row.warnings] for row in rows] == [
        ["oversubscribed"], ["link_bound"], ["oversubscribed", "link_rate"],
    ]  # fmt: skip
    assert [row.link_share for row in rows] == pytest.approx([0.1, 0.9, 1.3])
    assert {(row.link, row.run_delay_share) for row in rows} == {("h1 eth0 tx", 0.25)}


def test_link_that_does_not_say_its_speed_is_named(snapshot: SnapshotAssertion) -> None:
    slices = [replace(s, link=link_use(1.0, rate=0.0)) for s in slices_of({"a": (10.0,)}, {})]
    (row,) = Analysis(run_of(slices)).summaries
    assert [warning.code for warning in row.warnings] == ["oversubscribed", "link_rate"]
    assert row.warnings[1].cause == snapshot


def test_trends_count_where_all_their_sizes_do() -> None:
    shares = {"a": (0.9, 0.9, 0.9), "b": (0.9, 0.5, 0.9)}
    analysis = Analysis(crowded_run(EQUAL, shares))
    points = points_of(analysis, Choice())
    assert [point.conditions.oversubscribed for point in points] == [False, True]


FAST, SLOW = "mpich", "openmpi"


def fit(block: int, residual_ns: float, host: str = "node02", launch: int = 0) -> ClockFit:
    return ClockFit(host, block, 5000.0, 1e-6, residual_ns, 0, launch, 9, 20, 800)


def fitted_run(fits: Sequence[ClockFit]) -> Run:
    """Isolated barriers and streaming ping-pongs under two variants, whose launch is number 0."""
    run = Campaign((FAST, SLOW), (BARRIER, pingpong(8)), clock_fits=fits).run()
    assert run.strips is not None
    launch = np.where(run.strips.configuration == 0, np.int32(0), np.int32(1))
    return replace(run, strips=replace(run.strips, launch=launch))


def test_residual_of_a_cell_is_the_median_over_visits_of_the_largest_of_a_clock() -> None:
    fits = [fit(0, 10.0), fit(0, 90.0, "node03"), fit(1, 20.0), fit(2, 40.0), fit(2, -1.0)]
    found = clock_residuals(fitted_run(fits))
    assert found[0, 0] == 40.0


def test_streaming_cells_and_other_launches_have_none() -> None:
    run = fitted_run([fit(0, 10.0)])
    assert [one.cadence for one in run.cells] == [Cadence.ISOLATED, Cadence.STREAMING]
    assert np.isnan(clock_residuals(run)).tolist() == [[False, True], [True, True]]


def test_fits_of_earlier_formats_say_nothing() -> None:
    former = ClockFit("node02", 0, -1250.5, 1.5e-6, 80.0)
    assert np.isnan(clock_residuals(fitted_run([former]))).all()


@pytest.mark.parametrize(("share", "warned"), [(0.019, False), (0.021, True)])
def test_clocks_further_apart_than_two_per_cent_of_the_time_are_warned_of(
    share: float, warned: bool, snapshot: SnapshotAssertion
) -> None:
    time_s = Analysis(fitted_run([])).summaries[0].median_s
    row = Analysis(fitted_run([fit(0, share * time_s * 1e9)])).summaries[0]
    assert row.clock_residual_ns == pytest.approx(share * time_s * 1e9)
    assert ("clocks" in [one.code for one in row.warnings]) is warned
    if warned:
        (warning,) = [one for one in row.warnings if one.code == "clocks"]
        assert warning.cause == snapshot
