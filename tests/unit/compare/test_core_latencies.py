"""The states of the cores: told apart by hand-overs, and one of them alone in times and ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.disturbed import disturbance, slice_at
from tests.support.states import (
    CORE_LATENCY_NS,
    FAR,
    NEAR,
    StateAt,
    handed,
    run_in,
    run_of,
    slice_in,
    slices_in,
    unsaid,
)

from leadline.compare.analysis import Analysis
from leadline.compare.between import RunsApart
from leadline.compare.core_latencies import State, States, are_apart, distances
from leadline.compare.curves import Comparison
from leadline.compare.pairs import compare_runs, compare_within
from leadline.compare.summaries import Summary
from leadline.compare.verdict import Verdict, Why
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.record.slices import BatchFlag, Slice
from leadline.record.warnings import WarningKind

NAN = float("nan")


def by_line(core_latency_ns: Sequence[int], line: Sequence[int]) -> list[float]:
    return [*distances(np.array(core_latency_ns), np.array(line))]


def judged(run: Run) -> Comparison:
    """b against a."""
    (row,) = compare_within(Analysis(run), "a").rows
    return row


def rows(run: Run) -> tuple[Summary, ...]:
    return Analysis(run).summaries


def codes(row: Summary) -> set[str]:
    return {one.code for one in row.warnings}


def half(block: int, visit: int, library: str) -> str:
    """Every other block is in the far state."""
    return FAR if block % 2 else NEAR


def always(state: str) -> StateAt:
    return lambda block, visit, library: state


# -- told apart ------------------------------------------------------------------------------------


def test_distance_is_to_the_least_of_the_same_two_cores() -> None:
    found = by_line([100, 200, 400, 50, 150, UNKNOWN], [0, 0, 0, 1, 1, 1])
    assert found == pytest.approx([1, 2, 4, 1, 3, NAN], nan_ok=True)


def test_two_of_a_hundred_that_are_too_short_are_not_the_least() -> None:
    assert by_line([1, 2, *[100] * 98, 300], [0] * 101)[-1] == pytest.approx(3)
    assert by_line([1, 2, 3, *[100] * 97], [0] * 100)[-1] == pytest.approx(50)


def test_hand_over_of_one_nanosecond_is_known() -> None:
    slices = [handed(slice_in(NEAR, "a", (0, visit)), 1, 1) for visit in range(2)]
    measured_ns = Analysis(run_of(slices)).samples.core_latencies.ns
    assert measured_ns.tolist() == [1.0, 1.0]


def test_nothing_known_is_no_distance() -> None:
    assert by_line([], []) == []
    assert by_line([UNKNOWN, UNKNOWN], [0, 0]) == pytest.approx([NAN, NAN], nan_ok=True)


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [(100, 199, False), (100, 200, True), (200, 100, True), (None, 100, False), (9, None, False)],
)
def test_medians_are_apart_from_a_factor_of_two(
    first: float | None, second: float | None, apart: bool
) -> None:
    assert are_apart(first, second) is apart


def test_states_count_visits_and_of_equals_the_near_one_is_the_runs() -> None:
    states = Analysis(run_in(half)).visits.states
    assert states == States(State(32, 100.0), State(32, 400.0))
    assert not states.is_far
    far = Analysis(run_in(lambda block, *_: FAR if block else NEAR)).visits.states
    assert far.is_far
    assert (far.counted, far.other) == (State(56, 400.0), State(8, 100.0))


def test_rank_is_held_to_its_own_least() -> None:
    # cores 0 and 1 are near each other, 2 and 3 never are: no slice but the last is far
    pairs = [(100, 100, 390, 390)] * 4 + [(101, 101, 400, 400)] * 3 + [(350, 350, 390, 390)]
    taken = [four_ranks(visit, *core_latency_ns) for visit, core_latency_ns in enumerate(pairs)]
    core_latencies = Analysis(run_of(taken)).samples.core_latencies
    assert core_latencies.elsewhere.tolist() == [False] * 7 + [True]
    assert core_latencies.ns.tolist() == [390] * 4 + [400] * 3 + [390]


def four_ranks(visit: int, *core_latency_ns: int) -> Slice:
    two = slice_at(0, (0, visit), [100] * 5)
    times = np.tile(two.end_ns, (2, 1))
    none = np.zeros_like(times)
    return handed(
        replace(
            two,
            ranks=np.arange(4, dtype=np.int32),
            start_ns=none,
            end_ns=times,
            flags=none.astype(np.int32),
            disturbance=disturbance(0, 0, 0, 0),
        ),
        *core_latency_ns,
    )


# -- one state alone -------------------------------------------------------------------------------


def test_ratio_over_blocks_of_both_states_is_of_one_of_them() -> None:
    run = run_in(half, blocks=16)
    assert judged(unsaid(run)).ratio == pytest.approx((6.5 * 3.6) ** 0.5)  # a mixture
    found = judged(run)
    assert found.ratio == pytest.approx(6.5)
    assert (found.low, found.high) == pytest.approx((6.5, 6.5))
    assert found.blocks == 8


def test_times_and_samples_are_of_the_state_as_well() -> None:
    first, second = rows(run_in(half))
    assert (first.median_s, second.median_s) == pytest.approx((1e-6, 6.5e-6))
    assert (first.blocks, first.samples) == (4, 4 * 4 * 7)
    assert first.core_latency_ns == second.core_latency_ns == 100
    assert Analysis(run_in(half)).means_s[0, 0] == pytest.approx([1e-6, NAN] * 4, nan_ok=True)


def test_state_that_most_visits_have_counts_even_if_it_is_the_slower() -> None:
    run = run_in(lambda block, visit, _: NEAR if block % 4 == 0 else FAR)
    found = judged(run)
    assert found.ratio == pytest.approx(3.6)
    assert found.blocks == 6
    assert [one.core_latency_ns for one in found.circumstances] == [400, 400]
    assert all(WarningKind.CORE_STATES.code in codes(row) for row in rows(run))


@pytest.mark.parametrize("seed", range(5))
def test_visit_of_which_one_side_is_in_the_other_state_has_no_ratio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = {(*when, library): rng.random() < 0.3 for when in np.ndindex(12, 4) for library in "ab"}
    run = run_in(lambda *when: FAR if drawn[when] else NEAR, blocks=12)
    found = judged(run)
    assert found.ratio == pytest.approx(6.5)
    assert (found.low, found.high) == pytest.approx((6.5, 6.5))
    mixed = judged(unsaid(run))
    assert mixed.high is not None and mixed.low is not None
    assert mixed.high / mixed.low > 1.01


def test_of_several_attempts_the_one_in_the_state_counts_however_long_it_waited() -> None:
    waited = slice_at(0, (0, 0), [1000] * 7, run_delay=0.5)
    several = [
        slice_in(FAR, "a", (0, 0)),
        replace(handed(waited, 100, 100), attempt=1),
        *(slice_in(NEAR, "a", (0, visit)) for visit in (1, 2, 3)),
    ]
    analysis = Analysis(run_of(several))
    assert analysis.medians.samples[0, 0, 0] == 4 * 7
    assert analysis.medians.seconds[0, 0, 0] == pytest.approx(1e-6)
    around = analysis.circumstances[0][0]
    assert (around.slices, around.outside_share, around.retaken) == (4, 0, 1)


def test_cell_without_a_visit_in_the_state_has_the_times_of_the_other_and_says_so(
    snapshot: SnapshotAssertion,
) -> None:
    run = run_of([
        one
        for one in slices_in(lambda block, visit, library: FAR if library == "b" else NEAR, 8)
        if one.visit < (3 if one.configuration else 4)
    ])  # fmt: skip
    near, far = rows(run)
    assert (near.core_latency_ns, far.core_latency_ns) == (100, 400)
    assert far.median_s == pytest.approx(9e-6)
    assert (far.circumstances.elsewhere, near.circumstances.elsewhere) == (True, False)
    (warning,) = (one for one in far.warnings if one.code == WarningKind.CORE_STATES.code)
    assert warning.cause == snapshot
    assert WarningKind.CORE_STATES.code not in codes(near)
    found = judged(run)  # 9 is more than 1, but who knows why
    assert (found.verdict, found.why) == (Verdict.UNDECIDED, Why.CORE_STATES)


def test_slices_in_the_state_without_a_batch_that_counts_do_not_displace_the_others() -> None:
    flagged = [slice_in(NEAR, "a", (0, visit)) for visit in range(4)]
    flagged = [replace(o, flags=np.full_like(o.flags, int(BatchFlag.LATE))) for o in flagged]
    run = run_of([*flagged, slice_in(FAR, "a", (0, 4)), slice_in(FAR, "a", (0, 5))])
    (row,) = rows(run)
    assert row.median_s == pytest.approx(2.5e-6)
    assert row.circumstances.elsewhere


def test_what_is_not_known_is_in_the_state_of_the_run() -> None:
    near = [slice_in(NEAR, "a", (0, visit)) for visit in range(3)]
    unknown = handed(slice_at(0, (0, 3), [5000] * 7), UNKNOWN, UNKNOWN)
    analysis = Analysis(run_of([*near, unknown]))
    assert analysis.medians.samples[0, 0, 0] == 4 * 7


@pytest.mark.parametrize("state", [NEAR, FAR])
def test_run_in_one_state_is_as_one_that_does_not_say(state: str) -> None:
    run = run_in(always(state))
    told, untold = Analysis(run), Analysis(unsaid(run))
    assert np.array_equal(told.visits.weights, untold.visits.weights)
    assert np.array_equal(told.medians.seconds, untold.medians.seconds)
    assert [codes(row) for row in told.summaries] == [codes(row) for row in untold.summaries]
    assert judged(run).effect == judged(unsaid(run)).effect
    assert [row.core_latency_ns for row in told.summaries] == [CORE_LATENCY_NS[state]] * 2
    assert [row.core_latency_ns for row in untold.summaries] == [None] * 2


def test_ranks_that_outnumber_cores_tell_no_state() -> None:
    run = run_in(half)
    crowded = tuple(replace(one, oversubscribed=True) for one in run.configurations)
    first, _ = rows(replace(run, configurations=crowded))
    assert (first.core_latency_ns, first.blocks) == (None, 8)


def test_ranks_with_a_host_each_tell_no_state() -> None:
    run = run_in(half)
    ranks = run.configurations[0].ranks
    apart, together = (
        rows(
            replace(
                run, configurations=tuple(replace(one, hosts=hosts) for one in run.configurations)
            )
        )[0]
        for hosts in (tuple(f"h{n}" for n in range(ranks)), ("h0",))
    )
    assert (apart.core_latency_ns, apart.blocks) == (None, 8)
    assert together.core_latency_ns is not None
    assert together.blocks < 8


def test_a_quarter_left_out_is_told_and_less_is_not(snapshot: SnapshotAssertion) -> None:
    def far(share: int) -> StateAt:
        return lambda block, visit, _: FAR if 4 * block + visit < share else NEAR

    for row in rows(run_in(far(8))):
        assert WarningKind.CORE_STATES.code not in codes(row)
        assert row.circumstances.outside_share == 0.25
    told = [
        [one.cause for one in row.warnings if one.code == WarningKind.CORE_STATES.code]
        for row in rows(run_in(far(9)))
    ]
    assert told == snapshot


def test_share_left_out_is_of_all_visits_where_nothing_is_known_of_run_delay() -> None:
    run = run_in(lambda *when: FAR if when[:2] == (0, 0) else NEAR)
    assert run.conditions is not None
    unknown = np.full(run.conditions.run_delay_ns.shape, UNKNOWN)
    for row in rows(replace(run, conditions=replace(run.conditions, run_delay_ns=unknown))):
        assert row.circumstances.outside_share == 1 / 32
        assert WarningKind.CORE_STATES.code not in codes(row)


def test_comparison_names_the_side_whose_slices_were_left_out() -> None:
    warnings = compare_within(Analysis(run_in(half)), "a").warnings
    causes = [one.cause for one in warnings if one.code == WarningKind.CORE_STATES.code]
    assert [cause.partition(": ")[0] for cause in causes] == ["a", "b"]


def test_run_in_which_one_pair_or_the_other_was_always_far_says_so(
    snapshot: SnapshotAssertion,
) -> None:
    pairs = [(100, 100, 400, 400), (410, 410, 100, 100), (100, 100, 420, 420)]
    run = run_of(
        [four_ranks(visit, *core_latency_ns) for visit, core_latency_ns in enumerate(pairs)]
    )
    (row,) = rows(run)
    (warning,) = (one for one in row.warnings if one.code == WarningKind.CORE_STATES.code)
    assert warning.cause == snapshot


# -- two runs --------------------------------------------------------------------------------------


def test_two_runs_in_different_states_are_not_compared_though_one_is_much_slower(
    snapshot: SnapshotAssertion,
) -> None:
    near, far = (Analysis(run_in(always(state), path=f"runs/{state}")) for state in (NEAR, FAR))
    found = compare_runs(near, far, known=RunsApart(stated=0.01))
    assert {(row.verdict, row.why) for row in found.rows} == {(Verdict.UNDECIDED, Why.CORE_STATES)}
    assert {curve.whole.why for curve in found.curves} == {Why.CORE_STATES}
    assert found.exit_status == 3
    (warning,) = (o for o in found.warnings if o.code == WarningKind.HIDDEN_DIFFERENCE.code)
    assert warning.cause == snapshot
    first, second = (Analysis(unsaid(one.run)) for one in (near, far))
    untold = compare_runs(first, second, known=RunsApart(stated=0.01))
    assert untold.exit_status == 1  # the fault that is planted


def test_two_runs_in_the_same_state_are_compared_in_it() -> None:
    first, second = (Analysis(run_in(half, 16, f"runs/{n}")) for n in range(2))
    found = compare_runs(first, second, known=RunsApart(stated=0.001))
    assert {row.verdict for row in found.rows} == {Verdict.SAME}
    assert not [o for o in found.warnings if o.code == WarningKind.HIDDEN_DIFFERENCE.code]


def test_runs_in_the_other_state_tell_nothing_of_how_far_runs_lie_apart() -> None:
    def night(day: int, state: str) -> Analysis:
        run = run_in(always(state), path=f"runs/{day}")
        return Analysis(replace(run, metadata={"started": f"2026-11-{day:02d}T06:00"}))

    first, second = night(5, NEAR), night(6, NEAR)
    far = [night(day, FAR) for day in (1, 2, 3, 4)]
    near = [night(day, NEAR) for day in (1, 2, 3, 4)]
    assert {
        row.why for row in compare_runs(first, second, known=RunsApart(beside=tuple(far))).rows
    } == {Why.ONE_PAIR_OF_RUNS}
    found = compare_runs(first, second, known=RunsApart(beside=(*far, *near)))
    assert {row.verdict for row in found.rows} == {Verdict.SAME}
