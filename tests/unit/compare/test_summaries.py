from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion

from leadline.compare.analysis import Analysis
from leadline.compare.summaries import SHARES, Rates
from leadline.record.batches import columns_of
from leadline.record.provenance import Sends
from leadline.record.run import Cell, Run, Stated
from leadline.record.slices import Batches, BatchFlag
from leadline.report.text.run import rate_sections

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
    assert [warning.code for warning in row.warnings] == ["few_blocks"]
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
    (warning,) = analysis.untimed
    assert warning.cause == snapshot


def test_oversubscribed_and_clock_bound_rows_say_so() -> None:
    short = [seconds / 4 for seconds in EIGHT]  # 1 us about, of which a reading is 3 %
    (row,) = Analysis(run(short, flags=BatchFlag.CLOCK_BOUND, oversubscribed=True)).summaries
    assert [warning.code for warning in row.warnings] == ["oversubscribed", "clock_bound"]


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
    assert [warning.code for warning in row.warnings] == ["clock_bound"] * warned


def test_remedy_of_a_clock_bound_row_names_both_ways_out(snapshot: SnapshotAssertion) -> None:
    (row,) = Analysis(run([1e-6] * 8, flags=BatchFlag.CLOCK_BOUND)).summaries
    (warning,) = row.warnings
    assert [warning.cause, warning.remedy] == snapshot


def test_many_late_starts_are_warned_of(snapshot: SnapshotAssertion) -> None:
    measured = run([1e-6] * 10)
    measured.batches.flags[:3] = BatchFlag.LATE
    (row,) = Analysis(measured).summaries
    assert (row.samples, row.blocks) == (7, 7)
    assert [warning.cause for warning in row.warnings] == snapshot


def test_batches_of_ranks_that_ran_apart_are_left_out_and_warned_of(
    snapshot: SnapshotAssertion,
) -> None:
    measured = run([1e-6] * 10)
    measured.batches.flags[:3] = BatchFlag.APART
    (row,) = Analysis(measured).summaries
    assert (row.samples, row.blocks) == (7, 7)
    assert [warning.cause for warning in row.warnings] == snapshot


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
    (warning,) = analysis.untimed
    assert warning.code == "no_time"
    assert [warning.cause, warning.remedy] == snapshot


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
    assert [warning.cause for warning in analysis.untimed] == snapshot


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


TWO = [configuration("a"), configuration("b")]


def one_run(seconds: object, cells: list[Cell]) -> Run:
    return run_of_blocks(seconds, TWO, cells)  # type: ignore[arg-type]


def flagged(batches: Batches, flags: list[int]) -> Batches:
    return replace(columns_of(batches), flags=np.array(flags, np.int32))


def test_quantiles_and_block_medians_are_those_of_the_samples() -> None:
    run = one_run([[[1e-6, 3e-6, 2e-6]], [[4e-6, np.nan, 6e-6]]], [cell(8)])
    first, second = Analysis(run).distributions
    assert (first.configuration, first.cell, first.samples) == (0, 0, 3)
    assert first.blocks_s == pytest.approx((1e-6, 3e-6, 2e-6))
    at = dict(zip(SHARES, first.quantiles_s, strict=True))
    assert [at[share] for share in (0, 0.25, 0.5, 1)] == pytest.approx([1e-6, 1.5e-6, 2e-6, 3e-6])
    assert (second.configuration, second.samples) == (1, 2)
    assert second.blocks_s == pytest.approx((4e-6, 6e-6))


def test_quantiles_rise_and_hold_the_median() -> None:
    run = Campaign(["mpich", "impi"], [pingpong(8), pingpong(512)]).run()
    found = Analysis(run).distributions
    assert [(one.configuration, one.cell) for one in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for one in found:
        assert list(one.quantiles_s) == sorted(one.quantiles_s)
        assert min(one.blocks_s) <= one.quantiles_s[SHARES.index(0.5)] <= max(one.blocks_s)
        assert one.samples == 8 * 19  # of 20, the first is warm-up


def test_warm_up_and_late_samples_do_not_count() -> None:
    run = one_run([[[1e-6, 9e-6, 9e-6]], [[2e-6, 2e-6, 2e-6]]], [cell(8)])
    marked = flagged(
        run.batches, [0, BatchFlag.WARM_UP, BatchFlag.LATE, 0, 0, BatchFlag.CLOCK_BOUND]
    )
    first, second = Analysis(replace(run, batches=marked)).distributions
    assert first.samples == 1
    assert first.quantiles_s[-1] == pytest.approx(1e-6)
    assert second.samples == 3


def test_cells_without_samples_have_none() -> None:
    nothing = np.full((2, 1, 3), np.nan)
    assert Analysis(one_run(nothing, [cell(8)])).distributions == ()
    imported = Stated(0, "osu.txt", (0,), (1e-6,), (4,))
    run = replace(one_run(nothing, [cell(8)]), stated=(imported,))
    assert Analysis(run).distributions == ()


def rates_of(pattern: str, ranks: int, crowded: bool = False) -> tuple[Rates, ...]:
    """Of messages of 8 B that take 1 us, and of 1,000,000 B that take 100 us."""
    cells = [replace(cell(n, pattern), messages_per_repetition=64) for n in (1_000_000, 8)]
    one = configuration("mpich", ranks=ranks, oversubscribed=crowded)
    # One batch of one repetition, which is a window of 64.
    run = run_of_blocks([[[64 * 100e-6] * 6, [64 * 1e-6] * 6]], [one], cells)
    return Analysis(run).rates


def test_rate_is_that_of_the_smallest_size_and_bandwidth_that_of_the_largest() -> None:
    (found,) = rates_of("stream", 2)
    assert (found.least_bytes, found.most_bytes) == (8, 1_000_000)
    assert found.messages_per_s == pytest.approx(1e6)
    assert found.bytes_per_s == pytest.approx(1e10)


def test_pairs_that_send_at_once_are_added_up() -> None:
    (found,) = rates_of("message_rate", 6)
    assert found.messages_per_s == pytest.approx(3e6)
    assert found.bytes_per_s == pytest.approx(3e10)


def test_other_ranks_of_a_stream_send_nothing() -> None:
    assert rates_of("stream", 6)[0].messages_per_s == pytest.approx(1e6)


def test_round_trips_and_single_operations_have_no_rate() -> None:
    cells = [replace(cell(8), messages_per_repetition=2), cell(8, "bcast")]
    run = run_of_blocks([[[1e-6] * 6, [1e-6] * 6]], [configuration("mpich")], cells)
    assert Analysis(run).rates == ()


def test_table_names_the_sizes_and_more_ranks_than_cores(snapshot: SnapshotAssertion) -> None:
    (section,) = rate_sections(rates_of("message_rate", 4, crowded=True))
    assert section.heading == snapshot
    assert section.table is not None
    assert section.table.columns == snapshot
    assert section.table.rows == (("mpich", "2.00 M/s", "20.0 GB/s"),)


def test_variant_that_lacks_the_named_size_has_no_number_there() -> None:
    (one,) = rates_of("stream", 2)
    shorter = replace(one, variant="impi", most_bytes=1024)
    (section,) = rate_sections([one, shorter])
    assert section.table is not None
    assert section.table.rows[1] == ("impi", "1.00 M/s", "-")


def test_empty_messages_have_no_bandwidth() -> None:
    (one,) = rates_of("stream", 2)
    (section,) = rate_sections([replace(one, least_bytes=0, most_bytes=0)])
    assert section.table is not None
    assert section.table.rows == (("mpich", "1.00 M/s", "-"),)


# -- neighbours on a grid --------------------------------------------------------------------------


def rates_on_a_grid(sends: Sends) -> Rates:
    """Of messages of 8 B that take 1 us, and of 1,000,000 B that take 100 us."""
    cells = [cell(8, sends.pattern), cell(1_000_000, sends.pattern)]
    run = run_of_blocks(
        [[[1e-6] * 6, [100e-6] * 6]], [configuration("mpich", ranks=sends.ranks)], cells
    )
    (found,) = Analysis(replace(run, metadata={"sends": [asdict(sends)]})).rates
    return found


PAIRS = Sends("pair", 8, 8, 1, in_pairs=True)
HALO = Sends("halo:4x2", 8, 20, 3, in_pairs=False)


def test_each_rank_of_a_pair_sends_one_message_and_a_pair_two() -> None:
    found = rates_on_a_grid(PAIRS)
    assert found.messages_per_s == pytest.approx(8e6)
    assert found.rank_bytes_per_s == pytest.approx(1e10)
    assert found.pair_bytes_per_s == pytest.approx(2e10)
    assert found.bytes_per_s == pytest.approx(8e10)


def test_all_messages_of_a_grid_are_added_up_and_its_busiest_rank_is_told() -> None:
    found = rates_on_a_grid(HALO)
    assert found.messages_per_s == pytest.approx(20e6)
    assert found.rank_bytes_per_s == pytest.approx(3e10)
    assert found.pair_bytes_per_s is None
    assert found.bytes_per_s == pytest.approx(20e10)


def test_table_says_whose_bytes_are_counted(snapshot: SnapshotAssertion) -> None:
    (pairs,) = rate_sections([rates_on_a_grid(PAIRS)])
    (halo,) = rate_sections([rates_on_a_grid(HALO)])
    assert pairs.table is not None
    assert pairs.table.columns == snapshot
    assert pairs.table.rows == (("mpich", "8.00 M/s", "10.0 GB/s", "20.0 GB/s", "80.0 GB/s"),)
    assert halo.table is not None
    assert halo.table.rows == (("mpich", "20.0 M/s", "30.0 GB/s", "200 GB/s"),)


def test_other_numbers_of_ranks_say_nothing_of_this_one() -> None:
    run = run_of_blocks([[[1e-6] * 6]], [configuration("mpich", ranks=4)], [cell(8, "halo:4x2")])
    assert Analysis(replace(run, metadata={"sends": [asdict(HALO)]})).rates == ()
