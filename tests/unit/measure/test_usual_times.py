"""What cells took in a block, against those before."""

from __future__ import annotations

import math

import pytest

from leadline.measure.transports import UsualTimes


def test_first_block_has_nothing_to_be_held_to() -> None:
    times = UsualTimes()
    times.add(0, 0, 1e-6)
    assert times.end_block() == {}


def test_median_cell_counts_against_its_median_block() -> None:
    """Cells took 1, 2 and 10 us in the median block, then 16, 8 and 30: 16, 4 and 3 times that."""
    times = UsualTimes()
    for block in ((0.5, 2, 9), (1, 2, 10), (3, 4, 11)):
        for cell, microseconds in enumerate(block):
            times.add(7, cell, microseconds * 1e-6)
        assert times.end_block() == {}
    for cell, microseconds in enumerate((16, 8, 30)):
        times.add(7, cell, microseconds * 1e-6)
    assert times.end_block() == {7: pytest.approx(4)}


def test_median_of_visits_counts() -> None:
    times = UsualTimes()
    times.add(0, 0, 1e-6)
    times.end_block()
    for microseconds in (1, 1.1, 50):
        times.add(0, 0, microseconds * 1e-6)
    assert times.end_block() == {}


@pytest.mark.parametrize(("factor", "other"), [(2.9, False), (3.1, True), (0.35, False)])
def test_another_kind_is_three_times_as_long(factor: float, other: bool) -> None:
    times = UsualTimes()
    times.add(0, 0, 1e-6)
    times.end_block()
    times.add(0, 0, factor * 1e-6)
    assert bool(times.end_block()) == other


def test_a_third_of_the_time_is_of_another_kind_too() -> None:
    times = UsualTimes()
    times.add(0, 0, 16e-6)
    times.end_block()
    times.add(0, 0, 1e-6)
    assert times.end_block() == {0: pytest.approx(1 / 16)}


def test_times_that_are_not_known_count_for_nothing() -> None:
    times = UsualTimes()
    times.add(0, 0, math.nan)
    times.end_block()
    times.add(0, 0, 1e-6)
    assert times.end_block() == {}
