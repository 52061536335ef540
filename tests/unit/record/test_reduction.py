"""Of many ranks the slowest one's batches and the spread over all, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.support.disturbed import disturbance

from leadline.record.batches import batches_of, strips_of
from leadline.record.quantities import UNKNOWN
from leadline.record.reduction import joined, reduced, spread_of
from leadline.record.slices import SPREAD, BatchFlag, Slice

TIMES = (
    [(100, 150), (200, 260)],  # rank 2
    [(110, 170), (190, 250)],  # rank 5
    [(105, 165), (205, 225)],  # rank 7
)


def slice_of(times: npt.ArrayLike, ranks: Sequence[int] = (2, 5, 7)) -> Slice:
    """Of (start, end) of each batch, rank by rank."""
    array = np.array(times, np.int64)
    array = array if array.size else np.zeros((len(ranks), 0, 2), np.int64)
    flags = np.zeros(array.shape[:2], np.int32)
    return Slice(
        0, 0, 0, 0, 1, np.array(ranks, np.int32), array[:, :, 0], array[:, :, 1], flags,
        others=np.array([9], np.int32), disturbance=disturbance(0.1, 0.2, 0.3, 0.4),
    )  # fmt: skip


def columns(of: Any) -> dict[str, list[int]]:
    return {one.name: getattr(of, one.name).tolist() for one in fields(of)}


def test_of_each_batch_the_longest_is_kept_and_of_equals_the_lowest_ranks() -> None:
    found = reduced(slice_of(TIMES))
    assert found.slowest is not None
    # 50, 60 and 60 ns; then 60, 60 and 20
    assert found.slowest.tolist() == [5, 2]
    assert found.start_ns.tolist() == [[110, 200]]
    assert found.end_ns.tolist() == [[170, 260]]


def test_spread_is_over_all_ranks_that_recorded() -> None:
    assert columns(reduced(slice_of(TIMES)).spread) == {
        "shortest_ns": [50, 20],
        "first_start_ns": [100, 190],
        "last_start_ns": [110, 205],
        "first_end_ns": [150, 225],
        "last_end_ns": [170, 260],
        "lowest_rank_start_ns": [100, 200],
    }


def test_batch_has_every_flag_that_any_rank_has() -> None:
    flags = np.array([[BatchFlag.LATE, 0], [0, 0], [BatchFlag.CLOCK_BOUND, 0]], np.int32)
    found = reduced(replace(slice_of(TIMES), flags=flags))
    assert found.flags.tolist() == [[BatchFlag.LATE | BatchFlag.CLOCK_BOUND, 0]]


def test_what_disturbed_each_rank_stays_with_it() -> None:
    before = slice_of(TIMES)
    after = reduced(before)
    assert after.disturbance is before.disturbance
    assert (after.ranks.tolist(), after.others.tolist()) == ([2], [5, 7, 9])
    assert strips_of([after]).rank.tolist() == strips_of([before]).rank.tolist()
    assert strips_of([after]).length.tolist() == [2, 0, 0, 0]


def test_what_was_reduced_is_not_reduced_again() -> None:
    once = reduced(slice_of(TIMES))
    assert reduced(once) is once
    assert spread_of(once) is once.spread


def test_one_rank_is_its_own_spread() -> None:
    found = reduced(slice_of(TIMES[:1], [2]))
    assert found.slowest is not None
    assert found.slowest.tolist() == [2, 2]
    assert columns(found.spread) == {
        "shortest_ns": [50, 60],
        "first_start_ns": [100, 200],
        "last_start_ns": [100, 200],
        "first_end_ns": [150, 260],
        "last_end_ns": [150, 260],
        "lowest_rank_start_ns": [100, 200],
    }


@pytest.mark.parametrize("ranks", [0, 3])
def test_no_batch_has_no_spread(ranks: int) -> None:
    none = slice_of([], range(ranks))
    assert {len(column) for column in columns(spread_of(none)).values()} == {0}


@pytest.mark.parametrize("groups", [(0, 4, 8), (0, 1, 11), (0,)])
def test_groups_of_ranks_reduced_apart_and_then_joined_come_to_the_same(
    groups: Sequence[int],
) -> None:
    rng = np.random.default_rng(0)
    start = rng.integers(0, 50, (12, 40))
    times = np.stack([start, start + rng.integers(0, 9, start.shape)], 2)
    flags = rng.integers(0, 32, start.shape).astype(np.int32)
    whole = replace(slice_of(times, range(12)), flags=flags)
    bounds = [*groups, 12]
    parts = [reduced(_of_ranks(whole, slice(a, b))) for a, b in pairwise(bounds)]
    found, expected = joined(whole, [table_of(part) for part in parts]), reduced(whole)
    for name in ("ranks", "others", "start_ns", "end_ns", "flags", "slowest"):
        one, other = getattr(found, name), getattr(expected, name)
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist()), name
    assert columns(found.spread) == columns(expected.spread)


def test_batches_that_one_group_lacks_are_left_out_of_all() -> None:
    whole = slice_of(TIMES)
    tables = [table_of(reduced(_of_ranks(whole, slice(at, at + 1)))) for at in range(3)]
    found = joined(whole, [tables[0], tables[1][:1], tables[2]])
    assert found.start_ns.tolist() == [[110]]
    assert columns(found.spread)["shortest_ns"] == [50]


def table_of(part: Slice) -> npt.NDArray[np.int64]:
    """What a relay sends of it."""
    assert part.slowest is not None
    own = (part.start_ns[0], part.end_ns[0], part.flags[0], part.slowest)
    return np.stack([*own, *(getattr(part.spread, name) for name in SPREAD)], axis=1)


def _of_ranks(whole: Slice, rows: slice) -> Slice:
    return replace(
        whole,
        ranks=whole.ranks[rows],
        start_ns=whole.start_ns[rows],
        end_ns=whole.end_ns[rows],
        flags=whole.flags[rows],
    )


def test_rows_of_a_run_say_who_recorded_each_and_the_spread_where_one_is_kept() -> None:
    all_ranks = slice_of(TIMES[:2], [2, 5])
    batches = batches_of([all_ranks, reduced(slice_of(TIMES))])
    assert batches.rank.tolist() == [2, 2, 5, 5, 5, 2]
    assert batches.batch.tolist() == [0, 1, 0, 1, 0, 1]
    assert columns(batches.spread)["shortest_ns"] == [UNKNOWN] * 4 + [50, 20]
    assert batches_of([all_ranks]).spread is None
