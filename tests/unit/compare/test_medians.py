from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration
from syrupy.assertion import SnapshotAssertion
from tests.support.disturbed import slice_at

from leadline.compare.analysis import Analysis
from leadline.compare.curves import Curve
from leadline.compare.medians import ENOUGH_BATCHES, block_log_ratios, counting, undisturbed
from leadline.compare.pairs import compare_within
from leadline.compare.sides import contrast_of
from leadline.compare.verdict import Verdict, Why
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.run import Host, Run
from leadline.record.slices import BatchFlag, Slice
from leadline.record.warnings import WarningKind
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

NAN = float("nan")
CLEAN, SLOW = 100, 1000
"""Nanoseconds of a batch: on its own, and where something takes ten times as long."""


def counts(batches: int, waited: float) -> float:
    return float(undisturbed(np.array([batches]), np.array([waited]))[0])


def ratios(baseline: list[float], candidate: list[float], weights: list[list[float]]) -> float:
    return float(block_log_ratios(np.array(baseline), np.array(candidate), np.array(weights)))


def test_visit_counts_by_its_undisturbed_batches_up_to_enough() -> None:
    assert counts(8, 0.0) == 8
    assert counts(20, 0.5) == pytest.approx(10)
    assert counts(100, 0.5) == ENOUGH_BATCHES
    assert counts(100, 0.0) == ENOUGH_BATCHES


def test_visit_that_waited_all_the_time_still_counts_a_little() -> None:
    assert counts(10, 1.0) == counts(10, 1.3) == pytest.approx(0.1)


def test_ratio_of_a_block_leaves_out_the_visits_that_hardly_count() -> None:
    # two of three visits to the candidate are disturbed: their median would be 2.3
    assert ratios([0, 1, 2], [2.3, 1.1, 4.4], [[15, 15, 15], [1, 15, 1]]) == pytest.approx(0.1)


def test_visit_that_hardly_counts_does_not_decide_between_the_middle_two() -> None:
    # of two clean visits the mean; a little weight above them would choose the higher one
    clean, slow = [[15.0, 15, 15], [15, 15, 7.4]], [[15.0, 15, 15], [15, 15, 7.5]]
    assert ratios([0, 0, 0], [0.1, 0.3, 2.3], clean) == pytest.approx(0.2)
    assert ratios([0, 0, 0], [0.1, 0.3, 2.3], slow) == pytest.approx(0.3)


def test_block_whose_every_visit_is_disturbed_has_the_times_that_there_are() -> None:
    assert counting(np.array([0.4, 0.6, 0.01])).tolist() == [0.4, 0.6, 0]
    assert ratios([0, 0], [2.3, 2.5], [[15, 15], [0.6, 0.6]]) == pytest.approx(2.4)


def test_visits_disturbed_for_most_of_their_time_do_not_lengthen_what_their_block_says() -> None:
    # of eight visits half waited for 60 to 90 % of the time, so that most of their batches are long
    waited = np.array([0, 0.6, 0, 0.7, 0, 0.8, 0, 0.9])
    weights = np.stack([np.full(8, 15.0), undisturbed(np.full(8, 16), waited)])
    noise = np.array([-0.03, 0, -0.01, 0, 0.01, 0, 0.03, 0])
    found = block_log_ratios(np.zeros(8), noise - np.log1p(-waited), weights)
    assert float(found) == pytest.approx(0)


def test_visit_counts_as_its_more_disturbed_side_does() -> None:
    assert ratios([9, 1, 2], [0, 1.1, 2.1], [[1, 15, 15], [15, 15, 15]]) == pytest.approx(0.1)


def test_sides_disturbed_in_different_visits_are_compared_by_their_own_times() -> None:
    # no visit has both undisturbed: visit by visit the ratio would be 7, 0.2 - 7 or between
    weights = [[15, 15, 0.2, 0.2], [0.2, 0.2, 15, 15]]
    assert ratios([0, 0, 7, 7], [7.2, 7.2, 0.2, 0.2], weights) == pytest.approx(0.2)


def test_visit_that_one_side_lacks_is_left_out_and_none_with_both_has_no_ratio() -> None:
    assert ratios([0, NAN, 0], [0.5, 1, NAN], [[1, 1, 1], [1, 1, 1]]) == pytest.approx(0.5)
    assert np.isnan(ratios([0, NAN], [NAN, 1], [[1, 1], [1, 1]]))


def campaign(seed: int, disturbed: int, recorded: bool) -> Run:
    """Eight blocks of six visits to two equal libraries; `disturbed` visits of 48 to b are slow.

    Ten times, and so have a tenth of the batches, if `recorded` because rank 1 had no core; else
    for a reason that nobody knows, in as many batches as ever.
    """
    rng = np.random.default_rng(seed)
    struck = set(rng.choice(48, disturbed, replace=False).tolist())
    slices = [one for i in range(48) for one in _visit(rng, divmod(i, 6), i in struck, recorded)]
    return run_of(slices)


def run_of(slices: list[Slice]) -> Run:
    run = Run("runs/one", True, {}, tuple(map(configuration, "ab")), (cell(8),), batches_of(slices))
    return replace(run, strips=strips_of(slices), conditions=conditions_of(slices))


def _visit(
    rng: np.random.Generator, when: tuple[int, int], struck: bool, recorded: bool
) -> list[Slice]:
    mood = float(np.exp(0.05 * rng.standard_normal()))

    def times(base: int, batches: int) -> list[int]:
        noise = np.exp(0.01 * rng.standard_normal(batches))
        return [*np.rint(1000 * base * mood * noise).astype(int)]

    caused = struck and recorded
    slow = times(SLOW if struck else CLEAN, 5 if caused else 50)
    return [
        slice_at(0, when, times(CLEAN, 50)),
        slice_at(1, when, slow, run_delay=0.9 if caused else 0.0),
    ]


def of(run: Run) -> tuple[list[Estimate], Estimate]:
    """Both times, and their ratio."""
    analysis = Analysis(run)
    curve = curve_of(analysis)
    return [one.time for one in analysis.summaries], curve.cells[0].effect


def curve_of(analysis: Analysis) -> Curve:
    first, second = analysis.sides
    return analysis.curve(first, second, np.arange(1), 0.02)


def width(one: Estimate) -> float:
    assert one.bounds is not None
    return float(np.log(one.bounds[1] / one.bounds[0]))


@pytest.mark.parametrize("seed", range(5))
def test_third_of_visits_disturbed_tenfold_with_run_delay_leaves_times_and_ratio_right(
    seed: int,
) -> None:
    times, ratio = of(campaign(seed, 16, recorded=True))
    assert ratio.value == pytest.approx(1, abs=0.02)
    assert width(ratio) < 0.1
    assert width(ratio) <= sum(map(width, times))
    assert times[1].value / times[0].value == pytest.approx(ratio.value, abs=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_slow_visits_without_run_delay_count_in_the_time_and_in_the_ratio(seed: int) -> None:
    run = campaign(seed, 24, recorded=False)
    times, ratio = of(run)
    first, second = Analysis(run).sides
    widening = contrast_of(first, second, np.arange(1), trusted=True).autocorrelation.widening
    assert ratio.high is not None and ratio.high > 2
    assert times[1].high is not None and times[1].high > 2 * times[0].value
    assert width(ratio) <= 1.2 * sum(map(width, times)) * widening, "1 but where blocks lean"


def test_rank_that_records_no_time_disturbs_its_slice_and_is_no_operation() -> None:
    alone = slice_at(0, (0, 0), [100] * 20, run_delay=0.4)
    root = replace(
        alone,
        ranks=alone.ranks[:1],
        start_ns=alone.start_ns[:1],
        end_ns=alone.end_ns[:1],
        flags=alone.flags[:1],
        others=alone.ranks[1:],
    )
    run = run_of([root, slice_at(0, (0, 1), [100] * 20)])
    assert run.strips is not None
    assert run.strips.length.tolist() == [20, 0, 20, 20]
    visits = Analysis(run).visits
    assert visits.waited[0].ravel().tolist() == pytest.approx([0.4, 0])
    assert Analysis(run).medians.samples[0, 0, 0] == 40


def test_of_several_attempts_the_one_with_the_least_run_delay_counts() -> None:
    delays = (0.5, 0.1, 0.2)  # the one that counts is neither the first, the last nor the fastest
    run = run_of([
        replace(slice_at(0, (0, 0), [time] * 20, run_delay=delay), attempt=attempt)
        for attempt, (time, delay) in enumerate(zip((100, 900, 500), delays, strict=True))
    ])  # fmt: skip
    analysis = Analysis(run)
    assert analysis.medians.seconds[0, 0, 0] == pytest.approx(900e-9)
    assert analysis.medians.samples[0, 0, 0] == 20
    around = analysis.circumstances[0][0]
    assert (around.slices, around.disturbed, around.retaken) == (1, 1, 2)
    assert around.disturbed_share == 1


def test_of_equally_disturbed_attempts_the_first_counts() -> None:
    slices = [slice_at(0, (0, 0), [time] * 20, run_delay=0.5) for time in (300, 100)]
    run = run_of([replace(one, attempt=attempt) for attempt, one in enumerate(slices)])
    assert Analysis(run).medians.seconds[0, 0, 0] == pytest.approx(300e-9)


def test_attempt_of_which_every_batch_is_flagged_gives_way_to_one_that_counts() -> None:
    miscounted = slice_at(0, (0, 0), [100] * 20, run_delay=0.1)
    flags = np.full_like(miscounted.flags, int(BatchFlag.MISCOUNTED))
    again = replace(slice_at(0, (0, 0), [300] * 20, run_delay=0.2), attempt=1)
    analysis = Analysis(run_of([replace(miscounted, flags=flags), again]))
    assert analysis.medians.seconds[0, 0, 0] == pytest.approx(300e-9)


def test_cell_that_is_undecided_beside_disturbance_says_so(snapshot: SnapshotAssertion) -> None:
    # half of the visits to b wait for a core, and all are 3 % slower in half of the blocks
    slices = [
        slice_at(side, (block, visit), [1030 if side and block % 2 else 1000] * 20, waited)
        for block in range(8)
        for visit, waited in enumerate((0.0, 0.5))
        for side, waited in ((0, 0.0), (1, waited))
    ]
    analysis = Analysis(run_of(slices))
    (row,) = curve_of(analysis).cells
    assert (row.verdict, row.why) == (Verdict.UNDECIDED, Why.DISTURBED)
    (found,) = compare_within(analysis, "a").warnings
    assert found.code == WarningKind.DISTURBED.code
    assert found.cause == snapshot


def one_visit_a_block(struck: Collection[int], blocks: int = 12) -> Run:
    """Two equal libraries; in the blocks `struck` rank 1 of b waits for 75 % of the time."""
    return run_of([
        slice_at(side, (block, 0), [4000 if waited else 1000] * 20, waited)
        for block in range(blocks)
        for side, waited in ((0, 0.0), (1, 0.75 if block in struck else 0.0))
    ])  # fmt: skip


def test_block_whose_only_visit_mostly_waited_counts_in_no_time_and_no_ratio(
    snapshot: SnapshotAssertion,
) -> None:
    run = one_visit_a_block(struck=(2, 3, 7))
    times, ratio = of(run)
    assert [one.n for one in (*times, ratio)] == [12, 9, 9]
    assert ratio.value == pytest.approx(1)
    assert ratio.high == pytest.approx(1)
    assert times[1].high == pytest.approx(1e-6)
    (found,) = compare_within(Analysis(run), "a").warnings
    assert found.cause == snapshot
    (found,) = compare_within(Analysis(one_visit_a_block(struck=(2,))), "a").warnings
    assert found.cause == snapshot


def test_cell_that_lost_too_many_blocks_is_undecided_for_what_disturbed_them() -> None:
    (row,) = curve_of(Analysis(one_visit_a_block(struck=range(7)))).cells
    assert (row.blocks, row.why) == (5, Why.DISTURBED)


def test_blocks_that_were_lost_are_not_told_to_be_measured(snapshot: SnapshotAssertion) -> None:
    """12 were: it is for the machine to become quiet."""
    analysis = Analysis(one_visit_a_block(struck=range(7)))
    (row,) = (row for row in analysis.summaries if row.variant == "b")
    codes = [warning.code for warning in row.warnings]
    assert "few_clean_blocks" in codes and "few_blocks" not in codes
    (few,) = (warning for warning in row.warnings if warning.code == "few_clean_blocks")
    assert [few.cause, few.remedy] == snapshot
    assert "few_blocks" not in [one.code for one in compare_within(analysis, "a").warnings]
    short = Analysis(one_visit_a_block(struck=(), blocks=5))
    assert all("few_blocks" in [one.code for one in row.warnings] for row in short.summaries)
    assert "few_blocks" in [one.code for one in compare_within(short, "a").warnings]


def test_side_that_waits_in_every_block_has_the_times_that_there_are() -> None:
    (row,) = curve_of(Analysis(one_visit_a_block(struck=range(12)))).cells
    assert row.blocks == 12
    assert row.ratio == pytest.approx(4)


@pytest.mark.parametrize("load", [None, "2 spinning"])
def test_ranks_that_are_to_wait_for_cores_lose_no_block_by_it(load: str | None) -> None:
    run = one_visit_a_block(struck=(2, 3, 7))
    crowd = tuple(replace(one, oversubscribed=load is None) for one in run.configurations)
    run = replace(run, configurations=crowd, metadata={"machine": {"background_load": load}})
    assert of(run)[1].n == 12


@pytest.mark.parametrize(("machines", "blocks"), [(("m", "m"), 12), (("m", "n"), 9)])
def test_ranks_whose_machine_is_their_network_too_lose_no_block_by_it(
    machines: tuple[str, str], blocks: int
) -> None:
    run = one_visit_a_block(struck=(2, 3, 7))
    names = ("h1", "h2")
    hosts = tuple(Host(*both, "clock", (0, 1)) for both in zip(names, machines, strict=True))
    apart = tuple(replace(one, hosts=names) for one in run.configurations)
    assert of(replace(run, configurations=apart, hosts=hosts))[1].n == blocks


def test_without_disturbance_visits_count_alike() -> None:
    run = campaign(0, 0, recorded=True)
    visits = Analysis(run).visits
    assert set(visits.weights.ravel().tolist()) == {float(ENOUGH_BATCHES)}
    medians: Floats = np.median(visits.seconds, axis=3)
    assert Analysis(run).medians.seconds == pytest.approx(medians)
