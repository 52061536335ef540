from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from leadline.models.segments import (
    FEWEST_SIZES,
    cheapest_cuts,
    most_pieces,
    neighbours,
    ranges_of,
)
from leadline.statistics.intervals import Floats


def test_ranges_are_all_stretches_of_neighbouring_sizes() -> None:
    ranges = ranges_of(3)
    assert list(zip(*(bound.tolist() for bound in ranges.bounds), strict=True)) == [
        (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2),
    ]  # fmt: skip
    assert ranges.sums(np.array([1.0, 10.0, 100.0])).tolist() == [1, 11, 111, 10, 110, 100]
    assert ranges.number[1, 2] == 4


def test_a_piece_has_three_sizes_of_those_present_or_all() -> None:
    present = np.array([[True, True, False, True, True], [True, False, False, False, False]])
    may = ranges_of(5).may_be_piece(present)
    number = ranges_of(5).number
    assert may[0, number[0, 3]]
    assert not may[0, number[0, 2]]
    assert may[1].nonzero()[0].tolist() == [number[0, 4]]


def test_as_many_pieces_as_sizes_allow_when_one_is_left_out() -> None:
    assert [most_pieces(sizes, 6) for sizes in (1, 3, 6, 7, 10, 40)] == [1, 1, 1, 2, 3, 6]


def every_cut(sizes: int, pieces: int) -> Iterator[tuple[int, ...]]:
    for cuts in combinations(range(1, sizes), pieces - 1):
        yield (0, *cuts)


def cost_of(costs: Floats, sizes: int, firsts: tuple[int, ...]) -> float:
    bounds = [*firsts, sizes]
    numbers = [ranges_of(sizes).number[first, end - 1] for first, end in pairwise(bounds)]
    return float(sum(costs[number] for number in numbers))


def test_the_cheapest_cuts_are_those_of_trying_all() -> None:
    sizes = 9
    costs = np.random.default_rng(1).exponential(size=(20, sizes * (sizes + 1) // 2))
    costs[costs > 3] = np.inf
    for pieces, (least, firsts) in enumerate(cheapest_cuts(costs, sizes, 4), 1):
        for one, found, first in zip(costs, least, firsts.tolist(), strict=True):
            tried = [cost_of(one, sizes, cut) for cut in every_cut(sizes, pieces)]
            assert found == min(tried)
            if np.isfinite(found):
                assert cost_of(one, sizes, tuple(first)) == found


def test_no_way_to_cut_costs_infinitely_much() -> None:
    costs = np.full((1, 6), np.inf)
    costs[0, ranges_of(3).number[0, 2]] = 1.0
    found = cheapest_cuts(costs, 3, 2)
    assert [float(least[0]) for least, _ in found] == [1.0, np.inf]


def test_neighbours_are_the_sizes_present_on_either_side() -> None:
    before, after = neighbours(np.array([[True, False, True, True], [False, True, True, False]]))
    assert before.tolist() == [[0, 0, 2, 3], [0, 1, 2, 2]]
    assert after.tolist() == [[0, 2, 2, 3], [1, 1, 2, 3]]


def test_lines_through_two_sizes_are_no_pieces() -> None:
    assert FEWEST_SIZES == 3
