"""Where slices may be shorter, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from leadline.measure.schedule import FEWEST_BATCHES, settled, shortened
from leadline.record.batches import batches_of
from leadline.record.reduction import reduced
from leadline.record.slices import BatchFlag, Slice


def slice_of(batch_us: int, number: int, late: tuple[int, ...] = ()) -> Slice:
    """Two warm-up batches, then `number`, one right after the other on two ranks."""
    start = 1000 * batch_us * np.arange(number + 2, dtype=np.int64) + 10**12
    flags = np.zeros(number + 2, np.int32)
    flags[:2] = BatchFlag.WARM_UP
    flags[[2 + i for i in late]] = BatchFlag.LATE
    both = np.stack([start, start + 5])
    return Slice(
        0, 0, 0, 0, 1, np.arange(2, dtype=np.int32), both, both + 700, np.stack([flags, 0 * flags])
    )


def test_slice_ends_2_ms_after_the_first_timed_batch_began() -> None:
    short = shortened(slice_of(batch_us=100, number=40))
    assert short.start_ns.shape == (2, 20)
    assert short.start_ns[0, 0] == 10**12 + 200_000
    assert not short.flags.any()


@pytest.mark.parametrize(
    ("batch_us", "late", "batches"),
    [(133, (), 16), (134, (), 15), (143, (), 0), (133, (3, 4), 0)],
    ids=["sixteen", "fifteen", "fourteen", "two of sixteen late"],
)
def test_slice_with_too_few_batches_in_that_time_says_nothing(
    batch_us: int, late: tuple[int, ...], batches: int
) -> None:
    assert shortened(slice_of(batch_us, 40, late)).start_ns.shape[1] == batches


def test_what_is_kept_of_many_ranks_ends_at_the_same_batch() -> None:
    whole = slice_of(batch_us=100, number=40, late=(3,))
    short, kept = shortened(whole), shortened(reduced(whole))
    assert kept.end_ns.tolist() == short.end_ns[:1].tolist()
    assert kept.flags.tolist() == short.flags[:1].tolist()
    assert batches_of([kept]).rank.tolist() == [0] * 20


def test_slice_without_batches_stays_without() -> None:
    assert shortened(slice_of(100, 0)).start_ns.shape == (2, 0)
    none = np.empty((0, 0), np.int64)
    empty = Slice(0, 0, 0, 0, 1, np.empty(0, np.int32), none, none, none.astype(np.int32))
    assert shortened(empty).start_ns.size == 0
    assert FEWEST_BATCHES == 15


def test_median_is_settled_where_it_moves_by_half_of_the_spread_at_most() -> None:
    whole = np.array([-0.02, -0.01, 0.0, 0.01, 0.02])  # median distance 0.01
    assert settled(whole + 0.005, whole)
    assert not settled(whole - 0.006, whole)
    assert settled(whole + np.array([0.0, 0.004, -0.004, 0.9, 0.0]), whole)


def test_what_is_missing_or_single_is_not_settled() -> None:
    whole = np.array([0.0, 0.1])
    assert not settled(np.array([np.nan, 0.1]), whole)
    assert not settled(np.zeros(1), np.zeros(1))
    assert not settled(np.zeros(2), np.zeros(3))
    assert not settled(np.full(3, np.nan), np.zeros(3))
    assert settled(np.zeros(2), np.zeros(2))
