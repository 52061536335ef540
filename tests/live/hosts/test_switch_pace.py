"""How long the switch sleeps before a delivery: it learns what the machine's sleeps are worth."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import pytest
from tests.support.medium import build_driver, lines_of

GAP_NS = 500_000
LATE_NS = (20_000, 24_000)


@pytest.fixture(scope="module")
def pace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_driver("pace", ["pace"], tmp_path_factory.mktemp("pace"))


def sleeps(pace: Path, late_ns: Sequence[int], gap_ns: int) -> list[list[int]]:
    """Of each delivery: missed by, slept, ahead."""
    return lines_of(pace, *(f"{late} {gap_ns}" for late in late_ns))


def lateness(count: int, most_ns: int = LATE_NS[1]) -> list[int]:
    chance = random.Random(17)
    return [chance.randint(LATE_NS[0], most_ns) for _ in range(count)]


def test_the_first_delivery_is_slept_towards_with_care(pace: Path) -> None:
    ((missed, slept, _),) = sleeps(pace, [50_000], GAP_NS)
    assert (missed, slept) == (0, GAP_NS - 10_000)


def test_nine_of_ten_sleeps_end_in_time_and_hardly_earlier_than_need_be(pace: Path) -> None:
    settled = sleeps(pace, lateness(4000), GAP_NS)[1000:]
    missed = [line[0] > 0 for line in settled]
    assert 0.05 < mean(missed) < 0.15
    assert all(LATE_NS[0] < line[2] < LATE_NS[1] + 2000 for line in settled)


def test_one_long_sleep_changes_little(pace: Path) -> None:
    usual = lateness(2000)
    before, after = sleeps(pace, [*usual, 50_000_000], GAP_NS)[-2:]
    assert 0 < after[2] - before[2] < 2000


def test_it_never_polls_for_longer_than_a_tenth_of_a_millisecond(pace: Path) -> None:
    assert max(line[2] for line in sleeps(pace, [10**7] * 1000, GAP_NS)) == 100_000


def test_deliveries_too_dense_to_sleep_between_leave_a_fourth_of_the_time_to_others(
    pace: Path,
) -> None:
    lines = sleeps(pace, lateness(20_000), 30_000)
    slept = sum(line[1] for line in lines)
    assert slept > 0.2 * 30_000 * len(lines)
    assert mean(line[0] == 0 for line in lines) > 0.4


def test_few_deliveries_owe_nothing_and_are_all_polled_for(pace: Path) -> None:
    lines = sleeps(pace, [LATE_NS[0]] * 1000, GAP_NS)
    assert all(missed == 0 for missed, _, _ in lines[:200])
