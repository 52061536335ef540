"""Whose time, from when, of how many repetitions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.simulated import (
    FOUND_S,
    LATENCY_S,
    OVERHEAD_S,
    RATE,
    cell,
    machine,
    pattern_seconds,
    seconds,
)

from leadline.record.run import Cadence, WhoseTime
from leadline.simulate.programs.calls import CallStep, SendMode, calls_in, received, sent
from leadline.simulate.timing import STREAMED, repetitions_of

MIB = 2**20


def test_streaming_time_is_a_repetitions_share_of_all_but_the_first() -> None:
    """Copied messages to one who takes them up: the first one's latency isn't in the mean."""
    streamed = cell("one way", MIB, Cadence.STREAMING)
    assert repetitions_of(streamed) == 1 + STREAMED
    zero, one = np.array([0]), np.array([1])
    steps = [
        CallStep((sent(zero, 1, MIB, 1), received(one, 0, MIB, 1)), repetition=number)
        for number in range(1 + STREAMED)
    ]
    calls = calls_in(steps, 2, SendMode.STANDARD)
    assert seconds(machine(), calls, streamed) == pytest.approx(OVERHEAD_S + MIB / RATE)


def test_streaming_time_is_divided_by_the_messages_of_a_repetition() -> None:
    both = pattern_seconds(machine(), 2, cell("pingpong", 8, Cadence.STREAMING, WhoseTime.ROOT))
    half = cell("pingpong", 8, Cadence.STREAMING, WhoseTime.ROOT, messages=2)
    assert pattern_seconds(machine(), 2, half) == pytest.approx(both / 2)


def test_isolated_time_is_that_of_one_repetition() -> None:
    assert repetitions_of(cell("bcast", 8, Cadence.ISOLATED)) == 1
    found = pattern_seconds(machine(), 2, cell("bcast", MIB))
    assert found == pytest.approx(OVERHEAD_S + MIB / RATE + LATENCY_S + FOUND_S)


def test_ranks_that_take_no_part_have_no_time() -> None:
    of = cell("pingpong", 8, Cadence.STREAMING, WhoseTime.SLOWEST, messages=2)
    assert pattern_seconds(machine(4), 4, of) == pytest.approx(pattern_seconds(machine(), 2, of))
