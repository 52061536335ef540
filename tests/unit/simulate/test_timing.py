"""Whose time, from when, of how many repetitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.simulated import (
    FOUND_S,
    LATENCY_S,
    OVERHEAD_S,
    RATE,
    cell,
    machine,
    pattern_seconds,
    seconds,
)

from leadline.measure.spec import Request
from leadline.measure.tracing import described_cells
from leadline.patterns.pattern import Chosen, PatternChoice
from leadline.patterns.programs.calls import CallStep, SendMode, calls_in, received, sent
from leadline.record.run import Cadence, WhoseTime
from leadline.simulate.campaign import Setup, simulated
from leadline.simulate.timing import STREAMED, repetitions_of, roots_of

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


ROTATING = PatternChoice("bcast", (Chosen("root", "rotating", "rotating"),))


@pytest.mark.parametrize(
    ("ranks", "roots"), [(4, (0, 1, 2, 3)), (16, tuple(range(16))), (64, tuple(range(0, 64, 4)))]
)
def test_roots_that_rotate_are_all_or_evenly_apart(ranks: int, roots: tuple[int, ...]) -> None:
    assert roots_of(ROTATING, cell("bcast", 8), ranks) == roots
    assert roots_of(ROTATING, cell("bcast", 8, Cadence.STREAMING), ranks) == (0,)
    assert roots_of(PatternChoice("bcast", root=3), cell("bcast", 8), ranks) == (3,)


def test_isolated_operations_with_rotating_roots_count_by_their_median() -> None:
    """On a row of four a root sends to the others one after the other, 1 ms a hop.

    Times of the four roots, but for what all have: 3 s + 3 h, 3 s + 2 h, s + 2 h, s + 3 h.
    """
    hop_s, on = 1e-3, machine(4)
    on = replace(on, links=replace(on.links, latency_s=hop_s))
    linear = replace(on.profiles["plain"], collectives={"bcast": "linear"})
    found = {}
    for pattern in ("bcast", "bcast:rotating"):
        cells = described_cells(Request(patterns=(pattern,), sizes=(8,), ranks=(4,)))
        found[pattern] = simulated(Setup("", on, linear), cells, lambda _: None).ranks[0].seconds[0]
    send_s, ends_s = OVERHEAD_S + 8 / RATE, LATENCY_S + FOUND_S
    assert found["bcast"] == pytest.approx(3 * send_s + 3 * hop_s + ends_s)
    assert found["bcast:rotating"] == pytest.approx(2 * send_s + 2.5 * hop_s + ends_s)
