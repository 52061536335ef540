from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.compare.curves import grouped_by_curve
from leadline.compare.overlap import computes, shares
from leadline.record.batches import columns_of
from leadline.record.run import Run
from leadline.record.slices import COLUMNS

WAYS = ("ibcast", "ibcast:overlapped", "ibcast:computing")
WAYS_TO_WORK = ("overlapped", "computing")
NAN = math.nan


def run(alone: list[float], both: list[float], computing: list[float]) -> Run:
    """One configuration; seconds by block."""
    cells = [cell(8, pattern) for pattern in WAYS]
    return run_of_blocks([[alone, both, computing]], [configuration("mpich")], cells)


def test_share_is_one_where_both_take_as_long_as_the_computation() -> None:
    assert shares(np.array(2.0), np.array(5.0), np.array(5.0)) == 1


def test_share_is_none_where_the_times_add_up() -> None:
    assert shares(np.array(2.0), np.array(7.0), np.array(5.0)) == 0


def test_share_over_blocks_is_the_median_with_its_interval() -> None:
    # shares 0.1 .. 0.8: the middle is 0.45, and eight blocks' 95 % bounds lie 0.936 of the way
    # from the ends to the next
    both = [(2 - k / 10) * 1e-3 for k in range(1, 9)]
    (found,) = Analysis(run([1e-3] * 8, both, [1e-3] * 8)).hidden_shares
    assert (found.pattern, found.variant, found.ranks) == ("ibcast:overlapped", "mpich", 2)
    assert (found.size_bytes, found.blocks) == (8, 8)
    assert found.share == pytest.approx(0.45)
    assert [found.low, found.high] == pytest.approx([0.1936, 0.7064], abs=1e-4)


def test_block_without_all_three_is_left_out() -> None:
    (found,) = Analysis(run([1e-3, 1e-3, NAN], [1e-3, NAN, 2e-3], [1e-3, 1e-3, 1e-3])).hidden_shares
    assert found.blocks == 1
    assert found.share == 1
    assert found.hidden.bounds is None


def test_time_below_the_clocks_resolution_has_no_share() -> None:
    assert Analysis(run([0.0], [1e-6], [1e-6])).hidden_shares == ()


def test_visits_are_paired_before_blocks_are_reduced() -> None:
    # the second visit ran at half the speed: medians over visits, taken apart, would mix the two
    first = run([1e-3], [1.5e-3], [1e-3])
    batches = columns_of(first.batches)
    twice: dict[str, Any] = {
        name: np.concatenate([getattr(batches, name)] * 2)
        for name in COLUMNS
        if name not in ("visit", "end_ns")
    }
    doubled = replace(
        batches,
        **twice,
        visit=np.repeat(np.array([0, 1], np.int32), 3),
        end_ns=np.concatenate(
            [batches.end_ns, batches.start_ns + 2 * (batches.end_ns - batches.start_ns)]
        ),
    )
    (found,) = Analysis(replace(first, batches=doubled)).hidden_shares
    assert found.share == pytest.approx(0.5)
    assert found.blocks == 1


@pytest.mark.parametrize("missing", WAYS)
def test_operation_that_lacks_one_of_the_three_ways_has_no_share(missing: str) -> None:
    patterns = [pattern for pattern in WAYS if pattern != missing]
    seconds = [[[1e-3] * 8] * 2]
    found = run_of_blocks(seconds, [configuration("mpich")], [cell(8, p) for p in patterns])
    assert Analysis(found).hidden_shares == ()


def test_the_three_ways_are_matched_whatever_the_other_options() -> None:
    patterns = ("iallreduce:max", "iallreduce:max:tested", "iallreduce:max:computing", "iallreduce")
    seconds = [[[1e-3] * 2] * 4]
    measured = run_of_blocks(seconds, [configuration("mpich")], [cell(8, p) for p in patterns])
    assert [found.pattern for found in Analysis(measured).hidden_shares] == [
        "iallreduce:max:tested"
    ]


def test_computation_of_a_given_time_is_matched_with_the_operation_alone() -> None:
    fixed = [
        f"iallreduce:max:{way}:work={time}" for time in ("20us", "1ms") for way in WAYS_TO_WORK
    ]
    patterns = ["iallreduce:max", *fixed, "iallreduce:max:computing"]
    seconds = [[[4e-3] * 2, *([[5e-3] * 2, [1e-3] * 2] * 2), [9e-3] * 2]]
    measured = run_of_blocks(seconds, [configuration("mpich")], [cell(8, p) for p in patterns])
    found = Analysis(measured).hidden_shares
    assert [each.pattern for each in found] == fixed[::2]
    assert [each.share for each in found] == [0, 0]


def test_computation_shorter_than_the_operation_hides_no_more_than_its_length() -> None:
    # 1 ms of computation beside 4 ms of operation, which takes no longer for it
    assert shares(np.array(4e-3), np.array(4e-3), np.array(1e-3)) == 0.25


def test_cells_that_compute_take_part_in_no_comparison() -> None:
    cells = [cell(8, pattern) for pattern in (*WAYS, "ibcast:tested")]
    assert [computes(each) for each in cells] == [False, True, True, True]
    assert [rows.tolist() for rows in grouped_by_curve(cells)] == [[0]]


def test_operations_beside_computation_of_a_given_time_are_compared() -> None:
    cells = [cell(8, f"ibcast:{way}:work=20us") for way in ("overlapped", "tested", "computing")]
    assert [computes(each) for each in cells] == [False, False, True]
    assert [rows.tolist() for rows in grouped_by_curve(cells)] == [[0], [1]]
