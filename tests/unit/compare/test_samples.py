from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration

from leadline.compare.analysis import Analysis
from leadline.compare.samples import block_means, operation_times, reduce_ranks
from leadline.record.run import Cadence, Cell, Run, WhoseTime
from leadline.record.slices import BatchColumns, BatchFlag

ROOT = cell(8)
SLOWEST = replace(ROOT, whose_time=WhoseTime.SLOWEST)
ISOLATED = replace(SLOWEST, cadence=Cadence.ISOLATED)
ROUND_TRIP = replace(ROOT, messages_per_repetition=2)

Row = tuple[int, ...]


def run(rows: Sequence[Row], *cells: Cell, configurations: int = 1) -> Run:
    """(configuration, cell, block, visit, batch, rank, start_ns, end_ns, repetitions, flags)."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 10).T
    where, (repetitions, flags) = table[:6].astype(np.int32), table[8:].astype(np.int32)
    c, k, b, v, number, rank = where
    batches = BatchColumns(
        c, k, b, v, 0 * v, v, number, rank, table[6], table[7], repetitions, flags
    )
    named = tuple(configuration(f"v{i}") for i in range(configurations))
    return Run("here", True, {}, named, cells, batches)


def batch(
    rank: int, start: int, end: int, number: int = 0, flags: int = 0, repetitions: int = 1
) -> Row:
    return (0, 0, 0, 0, number, rank, start, end, repetitions, flags)


def test_slowest_is_the_longest_of_each_ranks_own_time() -> None:
    samples = reduce_ranks(run([batch(0, 100, 400), batch(1, 250, 600)], SLOWEST))
    assert samples.seconds == pytest.approx([350e-9])


def test_isolated_time_is_last_end_less_the_common_deadline() -> None:
    samples = reduce_ranks(run([batch(0, 100, 400), batch(1, 100, 600)], ISOLATED))
    assert samples.seconds == pytest.approx([500e-9])


def test_root_is_the_lowest_rank_that_recorded_whatever_the_order() -> None:
    samples = reduce_ranks(run([batch(3, 0, 900), batch(1, 0, 200), batch(2, 0, 50)], ROOT))
    assert samples.seconds == pytest.approx([200e-9])


def test_time_is_per_repetition_and_message() -> None:
    samples = reduce_ranks(run([batch(0, 0, 4000, repetitions=20)], ROUND_TRIP))
    assert samples.seconds == pytest.approx([100e-9])


def test_a_flag_of_any_rank_is_the_samples() -> None:
    rows = [batch(0, 0, 10, flags=BatchFlag.CLOCK_BOUND), batch(1, 0, 10, flags=BatchFlag.LATE)]
    samples = reduce_ranks(run(rows, ISOLATED))
    assert samples.flags.tolist() == [BatchFlag.CLOCK_BOUND | BatchFlag.LATE]
    assert not samples.counted.any()


def test_visits_blocks_cells_and_configurations_stay_apart() -> None:
    wheres = [(c, k, b, v) for c in range(2) for k in range(2) for b in range(2) for v in range(2)]
    rows = [
        (*where, 0, rank, 0, 100 + 10 * i + rank, 1, 0)
        for i, where in enumerate(wheres)
        for rank in range(2)
    ]
    np.random.default_rng(0).shuffle(rows)
    samples = reduce_ranks(run(rows, SLOWEST, replace(SLOWEST, size_bytes=9), configurations=2))
    assert samples.seconds == pytest.approx([(101 + 10 * i) * 1e-9 for i in range(16)])
    assert samples.each(samples.configuration).tolist() == [where[0] for where in wheres]
    assert samples.each(samples.cell).tolist() == [where[1] for where in wheres]
    assert samples.each(samples.block).tolist() == [where[2] for where in wheres]


def test_median_is_over_counted_samples_of_the_block() -> None:
    rows = [
        batch(0, 0, 9000, 0, BatchFlag.WARM_UP),
        batch(0, 0, 100, 1),
        batch(0, 0, 900, 2, BatchFlag.LATE),
        batch(0, 0, 300, 3, BatchFlag.CLOCK_BOUND),
        batch(0, 0, 700, 4, BatchFlag.LATE | BatchFlag.WARM_UP),
    ]
    taken = run(rows, ISOLATED)
    medians = Analysis(taken).medians
    assert medians.seconds.tolist() == [[[pytest.approx(200e-9)]]]
    assert (medians.samples.item(), medians.late.item(), medians.clock_bound.item()) == (2, 1, 1)


def test_medians_agree_with_numpy_on_odd_and_even_blocks() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (0, k, b, 0, i, 0, 0, int(rng.integers(100, 999)), 1, 0)
        for k in range(2)
        for b in range(3)
        for i in range(4 + k + b)
    ]
    taken = run(rows, ROOT, SLOWEST)
    medians = Analysis(taken).medians.seconds
    for k in range(2):
        for b in range(3):
            times = [row[7] * 1e-9 for row in rows if row[1:3] == (k, b)]
            assert medians[0, k, b] == pytest.approx(np.median(times))


def test_what_was_not_measured_is_nan() -> None:
    taken = run([(1, 0, 2, 0, 0, 0, 0, 50, 1, 0)], ROOT, SLOWEST, configurations=2)
    medians = Analysis(taken).medians
    assert medians.seconds.shape == (2, 2, 3)
    assert np.isnan(medians.seconds).sum() == 11
    assert medians.seconds[1, 0, 2] == pytest.approx(50e-9)
    assert medians.samples.sum() == 1


def test_a_block_of_invalid_samples_only_is_nan() -> None:
    taken = run([batch(0, 0, 50, flags=BatchFlag.LATE)], ISOLATED)
    medians = Analysis(taken).medians
    assert np.isnan(medians.seconds).all()
    assert medians.late.item() == 1


def test_an_empty_run_has_no_blocks() -> None:
    taken = run([], ROOT)
    samples = reduce_ranks(taken)
    assert samples.seconds.size == 0
    assert Analysis(taken).medians.seconds.shape == (1, 1, 0)
    assert operation_times(samples, 0, 0) == ()


def test_single_says_whether_samples_are_single_operations() -> None:
    rows = [batch(0, 0, 50), (0, 1, 0, 0, 0, 0, 0, 50, 2, 0), (0, 1, 0, 0, 1, 0, 0, 50, 1, 0)]
    taken = run(rows, ROOT, SLOWEST)
    assert Analysis(taken).medians.single.ravel().tolist() == [True, False]


def test_operation_times_are_the_counted_samples_by_block() -> None:
    rows = [
        (0, 0, block, 0, number, 0, 0, 100 * block + number, 1, flags)
        for block, number, flags in [(2, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, BatchFlag.WARM_UP)]
    ]
    times = operation_times(reduce_ranks(run(rows, ROOT)), 0, 0)
    assert [block.tolist() for block in times] == [
        pytest.approx([1e-9, 2e-9]),
        pytest.approx([200e-9]),
    ]


def test_visits_have_medians_of_their_own_and_missing_ones_are_nan() -> None:
    taken = run(
        [
            (0, 0, 0, 0, 0, 0, 0, 100, 1, 0),
            (0, 0, 0, 0, 1, 0, 0, 300, 1, 0),
            (0, 0, 0, 1, 0, 0, 0, 500, 1, 0),
            (0, 0, 1, 0, 0, 0, 0, 700, 1, 0),
        ],
        ROOT,
    )
    medians = Analysis(taken).visits.seconds
    assert medians.shape == (1, 1, 2, 2)
    assert medians[0, 0, 0] == pytest.approx([200e-9, 500e-9])
    assert medians[0, 0, 1, 0] == pytest.approx(700e-9)
    assert np.isnan(medians[0, 0, 1, 1])


def test_mean_counts_every_operation_and_leaves_out_what_is_not_counted() -> None:
    rows = [
        batch(0, 0, 100, number=0, flags=BatchFlag.WARM_UP),
        batch(0, 0, 4000, number=1, repetitions=20),
        batch(0, 0, 9000, number=2, repetitions=10),
    ]
    recorded = run(rows, ROOT)
    # 20 operations of 200 ns and 10 of 900 ns
    means = block_means(recorded, reduce_ranks(recorded))
    assert means.tolist() == [[[pytest.approx(13_000e-9 / 30)]]]


def test_block_without_counted_samples_has_no_mean() -> None:
    recorded = run([batch(0, 0, 100, flags=BatchFlag.WARM_UP)], ROOT)
    assert np.isnan(block_means(recorded, reduce_ranks(recorded))).all()
