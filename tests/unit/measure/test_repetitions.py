"""The number of repetitions of a batch, by the best pace, and batches of a wrong one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from leadline.measure.schedule import Repetitions, pace_ns
from leadline.record.slices import BatchFlag, Slice

KEY = 3, 5


def taken(repetitions: int, *lengths_ns: list[int], flags: Sequence[int] | None = None) -> Slice:
    """A slice of a row of batches' lengths for each rank."""
    end = np.array(lengths_ns, dtype=np.int64)
    flagged = np.zeros(end.shape, np.int32) if flags is None else np.array([flags], np.int32)
    return Slice(
        *KEY, 0, 0, repetitions, np.arange(len(end), dtype=np.int32), end * 0, end,
        np.broadcast_to(flagged, end.shape).copy(),
    )  # fmt: skip


def test_pace_is_that_of_the_quickest_batch_on_its_slowest_rank() -> None:
    assert pace_ns(taken(10, [900, 600, 800])) == 60
    assert pace_ns(taken(10, [900, 600, 800], [700, 950, 650])) == 80


@pytest.mark.parametrize("flag", [BatchFlag.WARM_UP, BatchFlag.LATE, BatchFlag.APART])
def test_what_is_left_out_of_estimates_sets_no_pace(flag: BatchFlag) -> None:
    assert pace_ns(taken(10, [300, 600], flags=[flag, BatchFlag.CLOCK_BOUND])) == 60
    assert pace_ns(taken(10, [300], flags=[flag])) is None


def test_next_visit_has_as_many_as_the_best_pace_of_all_visits_asks_for() -> None:
    repetitions = Repetitions()
    assert repetitions.of(*KEY) == 0
    repetitions.judged(taken(12, [50_400, 46_800]))
    assert repetitions.of(*KEY) == 13  # 50 us over 3.9 us, rounded
    repetitions.judged(taken(13, [13 * 250, 50_000]))
    assert repetitions.of(*KEY) == 200
    repetitions.judged(taken(200, [200 * 900]))  # a slow launch
    assert repetitions.of(*KEY) == 200
    assert repetitions.of(KEY[0], KEY[1] + 1) == 0


def test_operation_longer_than_a_batch_is_measured_alone() -> None:
    repetitions = Repetitions()
    assert not judged_wrong(repetitions, taken(1, [9_000_000]))
    assert repetitions.of(*KEY) == 1


def judged_wrong(repetitions: Repetitions, one: Slice) -> bool:
    flagged = repetitions.judged(one).flags & int(BatchFlag.MISCOUNTED)
    assert np.all(flagged) or not np.any(flagged)
    return bool(np.all(flagged))


@pytest.mark.parametrize(
    ("number", "wrong"),
    [(6, True), (49, True), (50, False), (200, False), (800, False), (801, True), (5000, True)],
)
def test_batches_four_times_too_short_or_too_long_are_flagged(number: int, wrong: bool) -> None:
    assert judged_wrong(Repetitions(), taken(number, [number * 250, number * 300])) == wrong


def test_disturbance_makes_no_number_wrong() -> None:
    repetitions = Repetitions()
    repetitions.judged(taken(200, [50_000]))
    assert not judged_wrong(repetitions, taken(200, [4_000_000, 8_000_000]))


def test_flags_that_were_there_stay() -> None:
    flags = [BatchFlag.WARM_UP, BatchFlag.CLOCK_BOUND]
    found = Repetitions().judged(taken(6, [1500, 1500], flags=flags)).flags
    assert found.tolist() == [[flag | BatchFlag.MISCOUNTED for flag in flags]]
