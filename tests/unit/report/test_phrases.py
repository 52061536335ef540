from __future__ import annotations

from leadline.report.text.phrases import estimated
from leadline.statistics.estimate import Estimate
from leadline.units import format_time


def said(value: float, low: float, high: float) -> str:
    return estimated(Estimate(value, low, high, 0.95, 8), format_time, "8 blocks")


def test_interval_of_nearly_a_thousand_times_is_given() -> None:
    assert said(1e-6, 1e-7, 9.9e-5) == "1.00 us (0.100 us to 99.0 us)"


def test_interval_beyond_a_thousand_times_is_no_answer() -> None:
    assert said(1e-6, 1e-9, 1.1e-6) == "1.00 us (no useful interval)"


def test_bounds_on_either_side_of_nought_are_given_however_far_apart() -> None:
    assert said(1e-6, -1e-9, 1e-3) == "1.00 us (-0.00100 us to 1.00 ms)"


def test_value_that_is_nothing_beside_its_interval_is_nought() -> None:
    assert said(3.8e-20, -1e-7, 1e-7) == "0 us (-0.100 us to 0.100 us)"
    assert said(1e-9, -1e-7, 1e-7).startswith("0.00100 us (")


def test_interval_has_no_more_digits_than_anyone_can_use() -> None:
    assert said(1e-6, 0.999999993e-6, 1.000000007e-6) == "1.00 us ±0.01 %"
    assert said(1e-6, 1e-6, 1e-6) == "1.00 us ±0 %"
    assert said(1e-6, 0.9998e-6, 1.0002e-6) == "1.00 us ±0.02 %"
