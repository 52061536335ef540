"""Operations are the same however their rows arrive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration
from harness.synthetic import BARRIER, Campaign, pingpong

from leadline.compare import operations
from leadline.compare.analysis import Analysis
from leadline.compare.operations import (
    Operations,
    operations_of,
    operations_of_strips,
    sorted_operations,
    strips_of,
)
from leadline.record.batches import batches_of, columns_of
from leadline.record.run import Run, WhoseTime
from leadline.record.slices import COLUMNS, BatchColumns, Batches, Slice


def recorded(ranks: int = 3) -> Run:
    """Two libraries, three cells, two blocks."""
    cells = [pingpong(512), pingpong(8), BARRIER]
    return Campaign(["mpich", "impi"], cells, blocks=2, batches=5, ranks=ranks).run()


def in_order(batches: Batches, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Batches:
    return BatchColumns(**{name: getattr(batches, name)[rows] for name in COLUMNS})


def seconds(run: Run) -> list[float]:
    found: list[float] = Analysis(run).samples.seconds.tolist()
    return found


def strips_and_operations(batches: Batches) -> Operations | None:
    """What is found without sorting."""
    strips = strips_of(batches)
    return None if strips is None else operations_of_strips(strips)


def one_slice(visit: int, ranks: list[int], batches: int = 4) -> Slice:
    """Rank r takes 100 r + i ns for batch i."""
    shape = (len(ranks), batches)
    elapsed = 100 * np.array(ranks)[:, None] + np.arange(batches)
    zeros = np.zeros(shape, np.int64)
    return Slice(
        0, 0, 0, visit, 1, np.array(ranks, np.int32), zeros, elapsed, zeros.astype(np.int32)
    )


def run_of(*slices: Slice) -> Run:
    slowest = replace(cell(8), whose_time=WhoseTime.SLOWEST)
    return Run("here", True, {}, (configuration("a"),), (slowest,), batches_of(slices))


def test_slices_in_order_of_arrival_are_not_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(operations, "sorted_operations")
    assert len(seconds(recorded())) == 2 * 3 * 2 * 5


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_any_other_order_gives_the_same_samples(ranks: int) -> None:
    run = recorded(ranks)
    shuffled = np.random.default_rng(0).permutation(run.batches.rank.size)
    batches = in_order(run.batches, shuffled)
    assert strips_and_operations(batches) is None
    before, after = (Analysis(one).samples for one in (run, replace(run, batches=batches)))
    assert before.seconds.tolist() == after.seconds.tolist()
    assert before.flags.tolist() == after.flags.tolist()
    for name in ("configuration", "cell", "block", "visit", "repetitions"):
        each = [one.each(getattr(one, name)).tolist() for one in (before, after)]
        assert each[0] == each[1], name


def test_slices_of_different_numbers_of_ranks_stand_beside_each_other() -> None:
    run = run_of(one_slice(2, [1, 2, 3], 2), one_slice(0, [5]), one_slice(1, [1, 2], 3))
    assert strips_and_operations(run.batches) is not None
    expected = [500, 501, 502, 503, 200, 201, 202, 300, 301]
    assert seconds(run) == pytest.approx([ns * 1e-9 for ns in expected])


def test_ranks_of_a_slice_may_arrive_in_any_order() -> None:
    assert seconds(run_of(one_slice(0, [3, 1, 2], 2))) == pytest.approx([300e-9, 301e-9])


def _twice(batches: Batches) -> Batches:
    return in_order(batches, np.tile(np.arange(batches.rank.size), 2))


def _gap(batches: Batches) -> Batches:
    return in_order(batches, np.delete(np.arange(batches.rank.size), 1))


def _shorter(batches: Batches) -> Batches:
    return in_order(batches, np.arange(batches.rank.size - 1))


def _repetitions(batches: Batches) -> Batches:
    repetitions = batches.repetitions.copy()
    repetitions[1] = 7
    return replace(columns_of(batches), repetitions=repetitions)


@pytest.mark.parametrize("fault", [_twice, _gap, _shorter, _repetitions])
def test_what_is_no_row_of_slices_is_sorted(fault: Callable[[Batches], Batches]) -> None:
    batches = fault(run_of(one_slice(0, [1, 2])).batches)
    assert strips_and_operations(batches) is None
    found, expected = operations_of(batches), sorted_operations(batches)
    assert found.first.tolist() == expected.first.tolist()


def test_batch_that_a_rank_lacks_is_that_of_the_others() -> None:
    run = run_of(one_slice(0, [1, 2], 3))
    without_the_last = replace(run, batches=_shorter(run.batches))
    assert seconds(without_the_last) == pytest.approx([200e-9, 201e-9, 102e-9])


def test_no_batch_is_no_operation() -> None:
    assert operations_of(batches_of([])).first.shape == (1, 0)
