"""What the run of a round says of each pair: hand-computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from harness.synthetic import configuration, one_slice, pingpong

from leadline.health.matchings import HostPair
from leadline.health.measured import (
    LARGEST,
    SMALL_BYTES,
    SMALLEST_LARGE,
    large_bytes,
    round_of,
)
from leadline.health.observations import Symptom
from leadline.record.batches import batches_of
from leadline.record.run import Run

LARGE = 16_384
PAIRS = (("h1", "h2"), ("h3", "h4"))
US = 1000
MESSAGES = 2 * 20
"""Of a batch, as one_slice makes them: round trips."""
Times = Mapping[HostPair, Mapping[int, Sequence[float]]]
"""By pair and size what a message takes in each batch after the first, in microseconds."""


def run_of(times_us: Times) -> Run:
    sizes = sorted({size for one in times_us.values() for size in one})
    slices = [
        one_slice((number, sizes.index(size), 0, 0), [_batches_ns(each)] * 2)
        for number, one in enumerate(times_us.values())
        for size, each in one.items()
    ]
    configurations = [replace(configuration("shm"), hosts=pair) for pair in PAIRS]
    return Run(
        "round", True, {}, tuple(configurations), tuple(map(pingpong, sizes)), batches_of(slices)
    )


def _batches_ns(times_us: Sequence[float]) -> list[int]:
    return [10**9, *(round(MESSAGES * time_us * US) for time_us in times_us)]


def seen(times_us: Times, symptom: Symptom) -> dict[HostPair, float]:
    found = round_of(run_of(times_us), PAIRS, LARGE).observations
    return {one.pair: math.exp(one.log_slowness) for one in found if one.symptom is symptom}


STEADY = {
    PAIRS[0]: {SMALL_BYTES: [30.0] * 4, LARGE: [1030.0] * 4},
    PAIRS[1]: {SMALL_BYTES: [45.0] * 4, LARGE: [2045.0] * 4},
}


def test_latency_is_that_of_the_small_message() -> None:
    assert seen(STEADY, Symptom.LATENCY) == pytest.approx({PAIRS[0]: 30e-6, PAIRS[1]: 45e-6})


def test_rate_is_what_a_byte_more_takes() -> None:
    by_hand = 1000e-6 / (LARGE - SMALL_BYTES)
    assert seen(STEADY, Symptom.RATE) == pytest.approx({PAIRS[0]: by_hand, PAIRS[1]: 2 * by_hand})


def test_delay_of_each_message_is_no_loss_of_rate() -> None:
    late = {SMALL_BYTES: [1030.0] * 4, LARGE: [2030.0] * 4}
    rates = seen({PAIRS[0]: STEADY[PAIRS[0]], PAIRS[1]: late}, Symptom.RATE)
    assert rates[PAIRS[1]] == pytest.approx(rates[PAIRS[0]])


def test_batches_that_a_busy_core_held_up_leave_latency_and_rate_as_they_are() -> None:
    held_up = {
        SMALL_BYTES: [30.0, 900.0, 30.0, 900.0, 30.0],
        LARGE: [1030.0, 9000.0, 1030.0, 9000.0, 1030.0],
    }
    times = {**STEADY, PAIRS[1]: held_up}
    for symptom in (Symptom.LATENCY, Symptom.RATE):
        found = seen(times, symptom)
        assert found[PAIRS[1]] == pytest.approx(found[PAIRS[0]])
    assert seen(times, Symptom.STALLS)[PAIRS[1]] == pytest.approx(1890 / 5 / 30)


def test_steady_times_have_no_stalls() -> None:
    assert seen(STEADY, Symptom.STALLS) == pytest.approx({PAIRS[0]: 1.0, PAIRS[1]: 1.0})


def test_pair_without_batches_is_silent() -> None:
    found = round_of(run_of({PAIRS[0]: STEADY[PAIRS[0]]}), PAIRS, LARGE)
    assert found.silent == (PAIRS[1],)


def test_rates_of_messages_of_another_size_say_nothing() -> None:
    others = {pair: {SMALL_BYTES: [30.0] * 4, 4096: [300.0] * 4} for pair in PAIRS}
    found = round_of(run_of(others), PAIRS, LARGE)
    assert {one.symptom for one in found.observations} == {Symptom.LATENCY, Symptom.STALLS}
    assert not found.silent


@pytest.mark.parametrize(
    ("microseconds_more", "size"),
    [
        (3276.8, SMALLEST_LARGE),  # 10 Mbit/s: 4 KiB take over 2 ms
        (242.0, 32_768),  # 135 Mbit/s: 59 ns a byte, 33,850 B in 2 ms
        (0.3, LARGEST),  # 100 Gbit/s
        (-1.0, SMALLEST_LARGE),  # noise: not known
    ],
)
def test_large_messages_take_two_milliseconds_or_so(microseconds_more: float, size: int) -> None:
    each = {SMALL_BYTES: [30.0] * 4, SMALLEST_LARGE: [30.0 + microseconds_more] * 4}
    assert large_bytes(run_of(dict.fromkeys(PAIRS, each))) == size
