from __future__ import annotations

import math

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.models.pingpong import FourNumbers, four_numbers, ping_pongs
from leadline.record.run import Buffers
from leadline.statistics.intervals import Floats

SIZES = [0, 8, 1024, 8192, 65_536, 262_144, 1_048_576, 2_000_000]


def curves(blocks: int = 8, t0: float = 1e-6, rate: float = 1e10, spread: float = 0.0) -> Floats:
    """Straight ones, shape (sizes, blocks), each block slower or faster as a whole."""
    straight = t0 + np.array(SIZES)[:, None] / rate
    return straight * np.exp(spread * np.random.default_rng(0).normal(size=(1, blocks)))


def values(numbers: FourNumbers) -> list[float | None]:
    estimates = (
        numbers.latency_s,
        numbers.bandwidth_bytes_per_s,
        numbers.half_bandwidth_bytes,
        numbers.intercept_s,
    )
    return [None if one is None else one.value for one in estimates]


def test_equal_blocks_give_the_numbers_of_each() -> None:
    numbers = four_numbers(SIZES, curves())
    # n_1/2: 4.503 GB/s at 8 KiB, 8.676 at 64 KiB, so 5 at 8 KiB x 8^(0.497 / 4.173)
    assert values(numbers) == pytest.approx([1e-6, 1e10, 10_494, 1e-6], rel=1e-3)
    assert numbers.exceeded is None


def test_each_number_has_its_interval_over_blocks() -> None:
    numbers = four_numbers(SIZES, curves(spread=0.1))
    for one in (numbers.latency_s, numbers.bandwidth_bytes_per_s, numbers.intercept_s):
        assert one is not None and one.bounds is not None
        assert one.bounds[0] < one.value < one.bounds[1]
        assert one.n == 8
    # a block that is slower as a whole has its n_1/2 where the others have it
    half = numbers.half_bandwidth_bytes
    assert half is not None and half.half_width < 1e-6 * half.value


@pytest.mark.parametrize("blocks", [1, 5])
def test_few_blocks_give_numbers_without_intervals(blocks: int) -> None:
    numbers = four_numbers(SIZES, curves(blocks))
    assert numbers.bandwidth_bytes_per_s is not None
    assert numbers.bandwidth_bytes_per_s.bounds is None
    assert numbers.bandwidth_bytes_per_s.n == blocks


def test_asymptote_below_what_was_measured_is_refused_with_the_reason() -> None:
    # 9.7 GB/s at 1 MiB from a cache, but the last step has 2.35 GB/s
    seconds = curves(rate=9.8e9)
    seconds[-1] = seconds[-2] + (SIZES[-1] - SIZES[-2]) / 1.5e9
    numbers = four_numbers(SIZES, seconds)
    assert numbers.bandwidth_bytes_per_s is numbers.half_bandwidth_bytes is None
    found = numbers.exceeded
    assert found is not None
    assert found.size_bytes == 1_048_576
    assert found.measured_bytes_per_s.value > 9.6e9
    assert found.times.value > 3
    assert found.times.low is not None and found.times.low > 1
    assert numbers.latency_s is not None


def test_curve_that_bends_within_the_noise_of_its_blocks_keeps_its_asymptote() -> None:
    rng = np.random.default_rng(3)
    seconds = curves() * np.exp(0.05 * rng.normal(size=(len(SIZES), 8)))
    assert four_numbers(SIZES, seconds).exceeded is None


def test_with_few_blocks_all_of_them_must_exceed_an_asymptote() -> None:
    seconds = curves(5)
    seconds[-1] = seconds[-2] + (SIZES[-1] - SIZES[-2]) / 1.5e9
    found = four_numbers(SIZES, seconds).exceeded
    assert found is not None
    assert (found.times.bounds, found.times.n) == (None, 5)
    seconds[:, 0] = curves(1)[:, 0]
    assert four_numbers(SIZES, seconds).exceeded is None


def test_sizes_that_show_nothing_give_nothing() -> None:
    small = four_numbers(SIZES[:3], curves()[:3])
    assert [one is None for one in values(small)] == [False, True, True, True]
    zero = four_numbers([0], np.full((1, 8), 1e-6))
    assert values(zero) == pytest.approx([1e-6, None, None, None])
    one = four_numbers([2_000_000], np.full((1, 8), 1e-3))
    assert values(one) == [None] * 4
    flat = four_numbers(SIZES, np.full((len(SIZES), 8), 1e-3))
    assert [one is None for one in values(flat)[1:3]] == [True, True]


def test_block_that_lacks_most_sizes_is_left_out() -> None:
    seconds = curves(7)
    seconds[1:, 0] = math.nan
    numbers = four_numbers(SIZES, seconds)
    assert numbers.bandwidth_bytes_per_s is not None and numbers.latency_s is not None
    assert (numbers.bandwidth_bytes_per_s.n, numbers.latency_s.n) == (6, 7)


def test_ping_pongs_are_those_of_each_variant_and_policy() -> None:
    cells = [
        cell(2_000_000), cell(0), cell(1_000_000), cell(8, "bcast"),
        cell(0, buffers=Buffers.COLD),
    ]  # fmt: skip
    seconds = [[2.01e-4] * 6, [0.4e-6] * 6, [1.01e-4] * 6, [1e-6] * 6, [1e-6] * 6]
    measured = run_of_blocks([seconds, seconds], [configuration(n) for n in ("b", "a")], cells)
    found = ping_pongs(Analysis(measured))
    assert [(p.variant, p.buffers) for p in found] == [
        ("b", "echo"), ("a", "echo"), ("b", "cold"), ("a", "cold"),
    ]  # fmt: skip
    assert values(found[0].numbers) == pytest.approx([0.4e-6, 1e10, None, 1e-6])
    assert values(found[2].numbers) == pytest.approx([1e-6, None, None, None])


def test_variant_that_was_not_measured_has_no_numbers() -> None:
    seconds = [[[1e-6] * 6], [[math.nan] * 6]]
    run = run_of_blocks(seconds, [configuration("a"), configuration("b")], [cell(0)])
    assert [one.variant for one in ping_pongs(Analysis(run))] == ["a"]
