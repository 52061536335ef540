from __future__ import annotations

import pytest

from leadline.models.pingpong import point_to_point

SIZES = [0, 8, 1024, 65_536, 262_144, 1_048_576, 2_000_000]


def straight(sizes: list[int], t0: float = 1e-6, rate: float = 1e10) -> list[float]:
    return [t0 + size / rate for size in sizes]


def test_a_straight_curve_gives_its_own_numbers_back() -> None:
    # n_1/2 = t0 r = 1 us x 10 GB/s = 10,000 bytes
    sizes = [*SIZES[:3], 10_000, *SIZES[3:]]
    numbers = point_to_point(sizes, straight(sizes))
    assert numbers.latency_s == 1e-6
    assert numbers.bandwidth_bytes_per_s == pytest.approx(1e10)
    assert numbers.half_bandwidth_bytes == pytest.approx(10_000)
    assert numbers.regression is not None
    assert numbers.regression.intercept_s == pytest.approx(1e-6)
    assert numbers.regression.slope_s_per_byte == pytest.approx(1e-10)


def test_latency_and_intercept_are_two_things() -> None:
    numbers = point_to_point(SIZES, [0.4e-6, *straight(SIZES, t0=30e-6)[1:]])
    assert numbers.latency_s == 0.4e-6
    assert numbers.regression is not None
    assert numbers.regression.intercept_s == pytest.approx(30e-6)


def test_regression_is_least_squares_by_hand() -> None:
    # sizes 1, 1.5, 2 MB; times 1, 3, 2 ms: means 1.5 MB and 2 ms; slope (0.5 + 0) / 0.5 = 1 ms/MB
    numbers = point_to_point([1_000_000, 1_500_000, 2_000_000], [1e-3, 3e-3, 2e-3])
    assert numbers.regression is not None
    assert numbers.regression.slope_s_per_byte == pytest.approx(1e-9)
    assert numbers.regression.intercept_s == pytest.approx(0.5e-3)


def test_regression_includes_both_ends_of_its_range_and_nothing_else() -> None:
    sizes = [999_999, 1_000_000, 2**21, 2**21 + 1]
    line = point_to_point(sizes, [9.0e-3, *straight(sizes[1:3]), 9.0e-3]).regression
    assert line is not None
    assert (line.intercept_s, line.slope_s_per_byte) == pytest.approx((1e-6, 1e-10))


@pytest.mark.parametrize("sizes", [[], [0], [8, 1024], [0, 1_000_000], [0, 2**22, 2**23]])
def test_regression_is_unknown_without_two_sizes_in_range(sizes: list[int]) -> None:
    assert point_to_point(sizes, straight(sizes)).regression is None


def test_regression_is_left_out_where_a_message_takes_over_50_ms() -> None:
    sizes = [1_000_000, 2_000_000]
    assert point_to_point(sizes, [0.03, 0.050]).regression is not None
    assert point_to_point(sizes, [0.03, 0.051]).regression is None


def test_latency_is_unknown_without_zero_bytes() -> None:
    assert point_to_point([1, 8], [1e-6, 1e-6]).latency_s is None


def test_bandwidth_is_unknown_for_short_falling_and_nearly_flat_curves() -> None:
    assert point_to_point([0, 8, 1024], [1e-6, 1e-6, 1.1e-6]).bandwidth_bytes_per_s is None
    for times in ([1e-3, 1e-3], [1e-3, 0.9e-3], [1e-3, 1.2e-3]):
        numbers = point_to_point([500_000, 1_000_000], times)
        assert numbers.bandwidth_bytes_per_s is None
        assert numbers.half_bandwidth_bytes is None


def test_half_bandwidth_is_reached_for_good() -> None:
    # 1 GB/s at most; 1 KiB has 0.683 of it, 64 KiB but 0.252 after a switch, 256 KiB 0.524
    times = [0.4e-6, 0.5e-6, 1.5e-6, 260e-6, 500e-6, 1300e-6, 2251e-6]
    numbers = point_to_point(SIZES, times)
    assert numbers.bandwidth_bytes_per_s == pytest.approx(1e9, rel=0.02)
    assert numbers.half_bandwidth_bytes is not None
    assert 65_536 < numbers.half_bandwidth_bytes < 262_144


def test_half_bandwidth_is_unknown_where_the_smallest_size_has_it() -> None:
    sizes = [1_000_000, 2_000_000]
    assert point_to_point(sizes, straight(sizes)).half_bandwidth_bytes is None


def test_one_size_repeated_makes_no_line() -> None:
    numbers = point_to_point([1_000_000], [1e-3])
    assert numbers.regression is None
    assert numbers.bandwidth_bytes_per_s is None


def test_nothing_gives_nothing() -> None:
    numbers = point_to_point([], [])
    assert numbers.latency_s is numbers.bandwidth_bytes_per_s is None
    assert numbers.half_bandwidth_bytes is None
    assert numbers.regression is None
