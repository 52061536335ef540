"""Disturbed slices are taken again, a limited number of times, for their cause alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat

import numpy as np
import numpy.typing as npt
import pytest
from tests.support.disturbed import disturbance, slice_at

from leadline.measure.slices import (
    FREE_RETRIES,
    MOST_ATTEMPTS,
    CoreStates,
    Retries,
    is_disturbed,
    slice_s,
    step_s,
)
from leadline.record.reduction import reduced
from leadline.record.slices import BatchFlag, Counts, Slice

QUIET, BUSY = slice_at(0, (0, 0), [100] * 20), slice_at(0, (0, 0), [100] * 20, run_delay=0.3)
MISCOUNTED = replace(QUIET, flags=np.full_like(QUIET.flags, BatchFlag.MISCOUNTED))


def begun_at(start_ns: Counts, lasting: npt.ArrayLike = 1) -> Slice:
    """A slice whose batches began then on each rank, and took so many nanoseconds."""
    flags = np.zeros(start_ns.shape, np.int32)
    return replace(QUIET, start_ns=start_ns, end_ns=start_ns + np.array(lasting), flags=flags)


def visit(retries: Retries, slices: Iterable[Slice], crowded: bool = False) -> list[Slice]:
    """What is recorded of a visit in which `slices` would be taken one after the other."""
    attempts: list[Slice] = []
    for one in slices:
        attempts.append(one)
        if not retries.again(attempts, crowded):
            break
    return attempts


def taken(slices: Iterable[Slice], crowded: bool = False) -> list[Slice]:
    """The same as the first visit of a campaign."""
    return visit(Retries(CoreStates()), slices, crowded)


@pytest.mark.parametrize(
    ("delays", "disturbed"),
    [((0.0, 0.02), False), ((0.0, 0.021), True), ((0.5, 0.0), True), ((-1.0, -1.0), False)],
)
def test_slice_is_disturbed_where_any_rank_waited_for_over_two_per_cent(
    delays: tuple[float, float], disturbed: bool
) -> None:
    assert is_disturbed(replace(QUIET, disturbance=disturbance(*delays))) is disturbed


def test_slice_that_nobody_watched_is_not_disturbed() -> None:
    assert not is_disturbed(replace(QUIET, disturbance=None))


def test_times_disturb_nobody() -> None:
    slow = slice_at(0, (0, 0), [100_000] * 3)
    assert taken([slow]) == [slow]


def test_disturbed_slice_is_taken_again_until_one_is_not() -> None:
    assert taken([QUIET]) == [QUIET]
    assert taken([BUSY, QUIET]) == [BUSY, QUIET]
    assert taken([BUSY, BUSY, BUSY]) == [BUSY] * MOST_ATTEMPTS


def test_slice_without_a_batch_that_counts_is_taken_again() -> None:
    assert taken([MISCOUNTED, QUIET]) == [MISCOUNTED, QUIET]
    assert taken([MISCOUNTED], crowded=True) == [MISCOUNTED]
    flags = MISCOUNTED.flags.copy()
    flags[:, 3] = BatchFlag.CLOCK_BOUND
    some = replace(QUIET, flags=flags)
    assert taken([some]) == [some]


def test_crowded_ranks_have_one_attempt() -> None:
    assert taken([BUSY], crowded=True) == [BUSY]


def test_where_everything_is_disturbed_half_as_many_are_taken_again() -> None:
    retries = Retries(CoreStates())
    visits = [len(visit(retries, repeat(BUSY))) for _ in range(100)]
    assert visits[:4] == [MOST_ATTEMPTS] * 4
    assert sum(visits) == 100 + FREE_RETRIES + 50


def test_wrong_number_of_repetitions_is_put_right_however_much_was_taken_again() -> None:
    retries = Retries(CoreStates())
    for _ in range(101):  # of 100 the next visit's half would leave one
        visit(retries, repeat(BUSY))
    attempts = visit(retries, [MISCOUNTED, QUIET])
    assert attempts == [MISCOUNTED, QUIET]


def test_wrong_numbers_of_repetitions_take_nothing_from_what_is_disturbed() -> None:
    retries = Retries(CoreStates())
    for _ in range(40):
        visit(retries, [MISCOUNTED, QUIET])
    visits = [len(visit(retries, repeat(BUSY))) for _ in range(60)]
    assert sum(visits) == 60 + FREE_RETRIES + 50


def test_step_is_from_batch_to_batch_and_unknown_of_one() -> None:
    starts = np.array([[0, 1000, 2000, 9000], [5, 6, 7, 8]])
    assert step_s(begun_at(starts)) == pytest.approx(1e-6)
    assert np.isnan(step_s(begun_at(starts[:, :1])))
    assert np.isnan(step_s(begun_at(starts[:0])))


def test_step_is_by_one_clock_whoever_was_the_slowest() -> None:
    starts = np.array([[0, 1000, 2000, 9000], [10**15] * 4])
    kept = reduced(begun_at(starts, lasting=np.array([[5, 1, 5, 1], [3, 3, 3, 3]])))
    assert kept.start_ns.tolist() == [[0, 10**15, 2000, 10**15]]
    assert step_s(kept) == pytest.approx(1e-6)


def test_slice_lasts_for_enough_batches_as_far_as_messages_may_take() -> None:
    large = 1_500_000  # 1 ms over a slow library
    assert slice_s(0.005, 50e-6, large) == 0.005
    assert slice_s(0.005, 0.5e-3, large) == pytest.approx(0.0085)
    assert slice_s(0.005, 9e-3, large) == pytest.approx(0.017)
    assert slice_s(0.005, 9e-3, 8) == 0.005
    assert slice_s(0.005, float("nan"), large) == 0.005
