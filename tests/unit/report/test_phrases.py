from __future__ import annotations

from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.report.text.phrases import estimated
from leadline.statistics.estimate import Estimate
from leadline.units import format_time


def said(value: float, low: float, high: float) -> str:
    return estimated(Estimate(value, low, high, 0.95, 8), format_time, "8 blocks")


def test_interval_of_nearly_a_thousand_times_is_given(snapshot: SnapshotAssertion) -> None:
    assert said(1e-6, 1e-7, 9.9e-5) == snapshot


def test_interval_beyond_a_thousand_times_is_no_answer(snapshot: SnapshotAssertion) -> None:
    assert said(1e-6, 1e-9, 1.1e-6) == snapshot


def test_bounds_on_either_side_of_nought_are_given_however_far_apart(
    snapshot: SnapshotAssertion,
) -> None:
    assert said(1e-6, -1e-9, 1e-3) == snapshot


def test_value_that_is_nothing_beside_its_interval_is_nought() -> None:
    assert numbers(said(3.8e-20, -1e-7, 1e-7)) == ["0", "-0.100", "0.100"]
    assert numbers(said(1e-9, -1e-7, 1e-7)) == ["0.00100", "-0.100", "0.100"]


def test_interval_has_no_more_digits_than_anyone_can_use() -> None:
    assert said(1e-6, 0.999999993e-6, 1.000000007e-6) == "1.00 us ±0.01 %"
    assert said(1e-6, 1e-6, 1e-6) == "1.00 us ±0 %"
    assert said(1e-6, 0.9998e-6, 1.0002e-6) == "1.00 us ±0.02 %"
