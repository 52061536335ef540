"""What an interrupted campaign has spent, by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration

from leadline.measure.resumption import spent_s
from leadline.record.batches import batches_of
from leadline.record.reduction import reduced
from leadline.record.run import Run
from leadline.record.slices import Slice


def run_of(*spans_s: tuple[float, float], kept: Callable[[Slice], Slice] = lambda one: one) -> Run:
    """A run whose blocks measured from when to when, on two ranks, the second by another clock."""
    slices = [
        kept(slice_of(block, [[begin, end - 0.1], [begin + 1000, end + 999]], 0.1))
        for block, (begin, end) in enumerate(spans_s)
    ]
    return Run("", False, {}, (configuration("a"),), (cell(8),), batches_of(slices))


def slice_of(block: int, begins_s: Sequence[Sequence[float]], lasting_s: float) -> Slice:
    start = np.array(np.array(begins_s) * 1e9, np.int64)
    ranks, flags = np.arange(2, dtype=np.int32), np.zeros(start.shape, np.int32)
    return Slice(0, 0, block, 0, 1, ranks, start, start + int(lasting_s * 1e9), flags)


def test_blocks_and_the_pauses_before_them_are_spent() -> None:
    # 3 + 2 + 2 s of blocks, pauses of 1, 1 and, for the first block, one as usual
    assert spent_s(run_of((10, 13), (14, 16), (17, 19))) == pytest.approx(7 + 3 * 1)


def second_was_slowest(taken: Slice) -> Slice:
    """Keeps the second rank's batches alone, as if they had taken a nanosecond longer."""
    return reduced(replace(taken, end_ns=taken.end_ns + np.array([[0], [1]])))


def test_clock_of_whoever_was_the_slowest_decides_nothing() -> None:
    spans = (10, 13), (14, 16), (17, 19)
    run = run_of(*spans, kept=second_was_slowest)
    assert set(run.batches.rank.tolist()) == {1}
    assert spent_s(run) == pytest.approx(7 + 3 * 1)
    mixed = [second_was_slowest, lambda one: one, second_was_slowest]
    assert spent_s(run_of(*spans, kept=lambda one: mixed[one.block](one))) == pytest.approx(10)


@pytest.mark.parametrize("again_s", [5000.0, 3.0], ids=["an hour later", "after a boot"])
def test_an_interruption_is_not_spent(again_s: float) -> None:
    spans = [
        (10.0, 13.0),
        (14.0, 16.0),
        (17.0, 19.0),
        (again_s, again_s + 2),
        (again_s + 3, again_s + 5),
    ]
    assert spent_s(run_of(*spans)) == pytest.approx(11 + 5 * 1)


def test_pause_of_a_single_block_is_not_known() -> None:
    assert spent_s(run_of((10, 13))) == pytest.approx(3)
    assert spent_s(run_of()) == 0
