from __future__ import annotations

import math

import pytest

from leadline.statistics.estimate import Estimate, Lack

WHOLE = Estimate(2.0, 1.0, 3.0, 0.95, 8)


def test_bounds_are_both_or_none() -> None:
    assert WHOLE.bounds == (1.0, 3.0)
    assert Estimate(2.0, n=1).bounds is None


@pytest.mark.parametrize(
    ("estimate", "lack"),
    [
        (Estimate(math.nan), Lack.NOTHING),
        (Estimate(2.0), Lack.STATED),
        (Estimate(2.0, n=1), Lack.TOO_FEW),
        (WHOLE, None),
        (Estimate(0.0, 0.0, 0.0, 0.97, 6), None),
    ],
    ids=["n = 0", "stated", "n = 1", "enough", "ties"],
)
def test_why_there_is_no_interval(estimate: Estimate, lack: Lack | None) -> None:
    assert estimate.lack is lack


def test_nothing_to_estimate_from_is_not_known() -> None:
    assert Estimate(math.nan).known is None
    assert Estimate(0.0).known == 0.0


def test_half_width_is_infinite_without_an_interval() -> None:
    assert WHOLE.half_width == 1.0
    assert Estimate(2.0, n=5).half_width == math.inf


def test_truth_is_held_within_the_bounds_and_by_what_has_none() -> None:
    assert [WHOLE.holds(truth) for truth in (0.9, 1.0, 3.0, 3.1)] == [False, True, True, False]
    assert Estimate(2.0, n=1).holds(-100.0)
    assert Estimate(2.0, 2.0, 2.0).holds(2.0)


def test_exponential_is_that_of_the_value_and_the_bounds() -> None:
    found = Estimate(0.0, -math.log(2), math.log(3), 0.95, 8).exp()
    assert found.value == 1.0
    assert found.bounds == pytest.approx((0.5, 3.0))
    assert (found.level, found.n) == (0.95, 8)


def test_exponential_of_no_interval_is_no_interval_and_never_nought() -> None:
    assert Estimate(0.0, n=5).exp() == Estimate(1.0, n=5)
    assert Estimate(math.nan).exp().lack is Lack.NOTHING


def test_scaling_moves_the_bounds_too() -> None:
    assert WHOLE.scaled(10) == Estimate(20, 10, 30, 0.95, 8)
    assert Estimate(2).scaled(10) == Estimate(20)
    assert Estimate(0.0, 0.0, 0.0).scaled(10).bounds == (0.0, 0.0)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (Estimate(-0.1, -0.3, 0.2), Estimate(0.0, 0.0, 0.2)),
        (Estimate(1.2, 0.7, 1.6), Estimate(1.0, 0.7, 1.0)),
        (Estimate(0.5), Estimate(0.5)),
    ],
)
def test_clipping_moves_value_and_bounds_into_where_the_truth_can_lie(
    share: Estimate, expected: Estimate
) -> None:
    assert share.clipped(0, 1) == expected
