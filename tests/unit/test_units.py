from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.units import (
    format_bandwidth,
    format_bit_rate,
    format_rate,
    format_rough_size,
    format_size,
    format_time,
    parse_bit_rate,
    parse_duration,
    parse_share,
    parse_size,
    rate_unit,
    significant,
)


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [
        ("8", 8),
        ("64k", 65536),
        ("64KiB", 65536),
        ("1MB", 10**6),
        ("1.5k", 1536),
        ("0", 0),
        ("2B", 2),
        ("1PiB", 2**50),
        ("1PB", 10**15),
    ],
)
def test_size_is_binary_unless_it_says_b(text: str, size_bytes: int) -> None:
    assert parse_size(text) == size_bytes


def test_what_is_no_size_is_refused(snapshot: SnapshotAssertion) -> None:
    given = ["", "x", "-1", "1.5", "8Q", "1e3", "9" * 400]
    assert refusals(parse_size, given, UsageError) == snapshot


def test_size_beyond_any_message_is_refused_for_that(snapshot: SnapshotAssertion) -> None:
    given = ["2PiB", "1EiB", "1025TiB", "1e", "9" * 30]
    assert refusals(parse_size, given, UsageError) == snapshot


@pytest.mark.parametrize(
    ("text", "seconds"), [("60", 60), ("60s", 60), ("5min", 300), ("250ms", 0.25), ("2h", 7200)]
)
def test_duration_in_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "bytes_per_s", "shown"),
    [
        ("10Mbit", 1.25e6, "10 Mbit/s"),
        ("2.5 Gbit/s", 312.5e6, "2.5 Gbit/s"),
        ("100gbit", 12.5e9, "100 Gbit/s"),
        ("8bit", 1.0, "8 bit/s"),
        ("56kbit", 7000.0, "56 kbit/s"),
        ("1.6Tbit", 2e11, "1.6 Tbit/s"),
    ],
)
def test_bit_rate_counts_bits_in_steps_of_a_thousand(
    text: str, bytes_per_s: float, shown: str
) -> None:
    assert parse_bit_rate(text) == pytest.approx(bytes_per_s)
    assert format_bit_rate(bytes_per_s) == shown


def test_what_is_no_bit_rate_is_refused(snapshot: SnapshotAssertion) -> None:
    given = ["", "10", "10M", "100MB", "-1Mbit", "0Mbit", "9e9Tbit", "1" * 99]
    assert refusals(parse_bit_rate, given, UsageError) == snapshot


def test_share_as_percentage_or_fraction() -> None:
    assert parse_share("2%") == pytest.approx(0.02)
    assert parse_share("0.02") == pytest.approx(0.02)


def test_what_is_no_share_is_refused_and_told_where_it_lacks_its_percent_sign(
    snapshot: SnapshotAssertion,
) -> None:
    given = ["0", "100", "100%", "150%", "-3", "nan", "much", "5", "1.5"]
    assert refusals(parse_share, given, UsageError) == snapshot


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.4149, "0.415"),
        (1234567.0, "1,234,567"),
        (9.999, "10.0"),
        (0, "0"),
        (float("inf"), "inf"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert significant(value) == text


def test_formats() -> None:
    assert format_time(4.1e-7) == "0.410 us"
    assert format_time(1.3e-3) == "1.30 ms"
    assert format_time(2.0) == "2.00 s"
    assert format_size(65536) == "64 KiB"
    assert format_size(10_000) == "10,000 B"
    assert format_bandwidth(6.1e9) == "6.10 GB/s"
    assert format_bandwidth(5e6) == "5.00 MB/s"


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (1_572_864, "1.5 MiB"),
        (1_310_720, "1.25 MiB"),
        (1280, "1.25 KiB"),
        (3 << 29, "1.5 GiB"),
        (1 << 40, "1 TiB"),
        (1_049_600, "1,025 KiB"),
        (1300, "1,300 B"),
        (768, "768 B"),
        (10**8, "100 MB"),
        (10**11, "100 GB"),
        (4_000_000, "3,906.25 KiB"),
        (2_000_000, "2,000,000 B"),
        (25_600_000, "25,000 KiB"),
    ],
)
def test_size_is_told_exactly_in_the_largest_unit_that_it_has_quarters_of(
    size_bytes: int, text: str
) -> None:
    assert format_size(size_bytes) == text
    assert parse_size(text.replace(",", "")) == size_bytes


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (12.3, "12 B"),
        (1023.4, "1,023 B"),
        (1023.7, "1.0 KiB"),
        (4812.6, "4.7 KiB"),
        (8192.0, "8 KiB"),
        (8200.5, "8.0 KiB"),
        (1_048_300.5, "1.0 MiB"),
        (1_047_000.5, "1,022 KiB"),
        (1_310_720.0, "1.25 MiB"),
        (1_000_000.0, "977 KiB"),
        (0.0, "0 B"),
    ],
)
def test_estimated_size_has_two_digits_and_a_measured_bound_all_of_them(
    size_bytes: float, text: str
) -> None:
    assert format_rough_size(size_bytes) == text


@pytest.mark.parametrize(
    ("bytes_per_s", "text"),
    [
        (999.6e6, "1.00 GB/s"),
        (999.4e6, "999 MB/s"),
        (2.649e12, "2.65 TB/s"),
        (52e3, "52.0 kB/s"),
        (0.5, "0.000500 kB/s"),
        (0.0, "0 kB/s"),
    ],
)
def test_unit_of_a_rate_is_taken_once_rounded(bytes_per_s: float, text: str) -> None:
    assert format_bandwidth(bytes_per_s) == text
    assert rate_unit(bytes_per_s)[0] == text.split()[1]


def test_rate_counts_thousands_or_millions_of_messages() -> None:
    assert format_rate(3_357_000) == "3.36 M/s"
    assert format_rate(999_600) == "1.00 M/s"
    assert format_rate(425_000) == "425 k/s"


def test_digits_are_counted_after_rounding() -> None:
    assert [significant(x) for x in (0.9994, 0.9996, 9.996, 0.00999951)] == [
        "0.999",
        "1.00",
        "10.0",
        "0.0100",
    ]
