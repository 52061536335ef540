from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.record.batches import columns_of
from leadline.record.run import Run
from leadline.record.slices import BatchFlag

EIGHT = [1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6, 7e-6, 8e-6]


def run(seconds: list[float], flags: int = 0, **other: object) -> Run:
    """One configuration, one cell."""
    measured = run_of_blocks([[seconds]], [configuration("mpich", **other)], [cell(8)])
    batches = replace(columns_of(measured.batches), flags=measured.batches.flags + np.int32(flags))
    return replace(measured, batches=batches)


def test_a_row_says_what_was_measured_how() -> None:
    (row,) = Analysis(run(EIGHT, algorithms={"pingpong": "native"})).summaries
    assert (row.pattern, row.variant, row.backend, row.version) == (
        "pingpong", "mpich", "mpich", "1.0",
    )  # fmt: skip
    assert (row.ranks, row.size_bytes, row.blocks, row.samples) == (2, 8, 8, 8)
    assert (row.algorithm, row.buffers, row.cadence) == ("native", "echo", "streaming")
    assert row.warnings == ()
    assert row.p90 is row.p99 is None


def test_the_estimate_is_over_logarithms_of_block_medians() -> None:
    # logs of 1, 2, 4, ... 2^7 us are evenly spaced: centre 2^3.5; the bounds
    # lie 0.93564 of the way from the ends to the next
    (row,) = Analysis(run([2.0**k * 1e-6 for k in range(8)])).summaries
    assert row.median_s == pytest.approx(2**3.5 * 1e-6)
    assert [row.low_s, row.high_s] == pytest.approx(
        [2**0.93564 * 1e-6, 2**6.06436 * 1e-6], rel=1e-4
    )


def test_few_blocks_have_no_interval_and_say_so() -> None:
    (row,) = Analysis(run([1e-6] * 5)).summaries
    assert row.median_s == pytest.approx(1e-6)
    assert (row.low_s, row.high_s, row.blocks) == (None, None, 5)
    assert [caveat.code for caveat in row.warnings] == ["few_blocks"]
    assert row.warnings[0].cause.startswith("5 blocks")


def test_what_was_not_measured_has_no_row() -> None:
    measured = run_of_blocks(
        [[[1e-6] * 6, [float("nan")] * 6]], [configuration("mpich")], [cell(8), cell(64)]
    )
    assert [row.size_bytes for row in Analysis(measured).summaries] == [8]
    assert Analysis(run([])).summaries == ()


def test_a_time_that_the_clock_could_not_resolve_has_no_row(snapshot: SnapshotAssertion) -> None:
    analysis = Analysis(run([0.0] * 8))
    assert analysis.summaries == ()
    (caveat,) = analysis.untimed
    assert caveat.cause == snapshot


def test_oversubscribed_and_clock_bound_rows_say_so() -> None:
    short = [seconds / 4 for seconds in EIGHT]  # 1 us about, of which a reading is 3 %
    (row,) = Analysis(run(short, flags=BatchFlag.CLOCK_BOUND, oversubscribed=True)).summaries
    assert [caveat.code for caveat in row.warnings] == ["oversubscribed", "clock_bound"]


@pytest.mark.parametrize(
    ("backend", "us", "flag", "warned"),
    [
        ("mpich", 1.0, BatchFlag.CLOCK_BOUND, True),
        ("mpich", 4.0, BatchFlag.CLOCK_BOUND, False),  # 0.75 % of it decide nothing
        ("mpich", 1.0, 0, False),
        ("shm", 1.0, BatchFlag.CLOCK_BOUND, False),
        ("null", 0.1, BatchFlag.CLOCK_BOUND, False),
    ],
)
def test_clock_is_warned_of_where_it_is_over_two_per_cent_of_a_librarys_time(
    backend: str, us: float, flag: int, warned: bool
) -> None:
    (row,) = Analysis(run([us * 1e-6] * 8, flags=flag, backend=backend)).summaries
    assert [caveat.code for caveat in row.warnings] == ["clock_bound"] * warned


def test_remedy_of_a_clock_bound_row_names_both_ways_out(snapshot: SnapshotAssertion) -> None:
    (row,) = Analysis(run([1e-6] * 8, flags=BatchFlag.CLOCK_BOUND)).summaries
    (caveat,) = row.warnings
    assert [caveat.cause, caveat.remedy] == snapshot


def test_many_late_starts_are_warned_of(snapshot: SnapshotAssertion) -> None:
    measured = run([1e-6] * 10)
    measured.batches.flags[:3] = BatchFlag.LATE
    (row,) = Analysis(measured).summaries
    assert (row.samples, row.blocks) == (7, 7)
    assert [caveat.cause for caveat in row.warnings] == snapshot


def test_batches_of_ranks_that_ran_apart_are_left_out_and_warned_of(
    snapshot: SnapshotAssertion,
) -> None:
    measured = run([1e-6] * 10)
    measured.batches.flags[:3] = BatchFlag.APART
    (row,) = Analysis(measured).summaries
    assert (row.samples, row.blocks) == (7, 7)
    assert [caveat.cause for caveat in row.warnings] == snapshot


@pytest.mark.parametrize(
    "flag",
    [
        BatchFlag.APART,
        BatchFlag.LATE,
        BatchFlag.MISCOUNTED | BatchFlag.LATE,
        BatchFlag.WARM_UP,
    ],
    ids=["apart", "late", "miscounted", "warm_up"],
)
def test_cell_of_which_no_batch_counts_has_no_row_and_is_told(
    flag: BatchFlag, snapshot: SnapshotAssertion
) -> None:
    analysis = Analysis(run([1e-6] * 10, flag))
    assert analysis.summaries == ()
    (caveat,) = analysis.untimed
    assert caveat.code == "no_time"
    assert [caveat.cause, caveat.remedy] == snapshot


def test_cells_without_a_time_are_told_by_curve_and_others_stay(
    snapshot: SnapshotAssertion,
) -> None:
    two = [configuration("mpich"), configuration("impi", ranks=4)]
    cells = [cell(8), cell(64), cell(0, "barrier")]
    measured = run_of_blocks(np.full((2, 3, 6), 1e-6), two, cells)
    batches = measured.batches
    spoilt = (batches.configuration == 1) & (batches.cell < 2) | (batches.cell == 2)
    batches.flags[spoilt] = BatchFlag.APART
    analysis = Analysis(measured)
    assert [(row.variant, row.size_bytes) for row in analysis.summaries] == [
        ("mpich", 8),
        ("mpich", 64),
    ]
    assert [caveat.cause for caveat in analysis.untimed] == snapshot


def test_batch_that_was_measured_in_an_attempt_that_counts_keeps_its_row() -> None:
    measured = run([1e-6] * 10)
    measured.batches.flags[1:] = BatchFlag.LATE
    assert Analysis(measured).untimed == ()


def test_algorithm_of_a_pattern_with_options_is_the_patterns() -> None:
    measured = run_of_blocks(
        [[EIGHT], [EIGHT]],
        [configuration("mpich", algorithms={"allreduce": "ring"}), configuration("impi")],
        [cell(8, "allreduce:max:int64")],
    )
    assert [row.algorithm for row in Analysis(measured).summaries] == ["ring", "unknown"]


def test_tails_are_quantiles_of_single_operations() -> None:
    (row,) = Analysis(run(EIGHT)).summaries_with_tails
    assert row.p90 is not None
    assert row.p99 is not None
    assert row.p90.value == pytest.approx(7.3e-6)
    assert row.p99.value == pytest.approx(7.93e-6)
    assert row.p90.bounds is not None
    assert row.p90.bounds[0] < row.p90.value <= row.p90.bounds[1]
    assert Analysis(run(EIGHT)).summaries_with_tails == (row,)


def test_batches_of_many_operations_have_no_tails() -> None:
    measured = run(EIGHT)
    measured.batches.repetitions[0] = 2
    (row,) = Analysis(measured).summaries_with_tails
    assert row.p90 is row.p99 is None
