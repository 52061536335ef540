"""Messages of one rank to another follow each other, and nothing waits for that in a circle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.simulated import (
    FOUND_S,
    LATENCY_S,
    OVERHEAD_S,
    PLAIN,
    RATE,
    cell,
    machine,
    pattern_seconds,
    profile,
    seconds,
)
from syrupy.assertion import SnapshotAssertion

from leadline.errors import UsageError
from leadline.patterns.programs.calls import (
    CallRows,
    CallStep,
    RankCalls,
    SendMode,
    calls_in,
    only,
    received,
    sent,
)
from leadline.record.run import Cadence, WhoseTime
from leadline.simulate import tasks
from leadline.simulate.machine import MachineModel, Mode
from leadline.simulate.matching import NONE, SentMessages
from leadline.topology.networks import Int64
from leadline.topology.phases import CallKind

MIB = 2**20
BYTES_S = MIB / RATE
LONG = MIB
"""From here on messages wait for their receives."""
ASKING = replace(
    profile(),
    pieces={Mode.STANDARD: (PLAIN, replace(PLAIN, least_bytes=LONG, synchronous=True))},
)
WHOLE = cell("whole", MIB)


def rows(*calls: tuple[str, int, int, int]) -> tuple[CallRows, ...]:
    """("send" or "receive", peer, bytes, tag) of rank 0 and its peer 1, or the other way round."""
    make = {"send": sent, "receive": received}
    return tuple(make[kind](only(1 - peer), peer, size, tag) for kind, peer, size, tag in calls)


def program(*steps: tuple[tuple[str, int, int, int], ...]) -> RankCalls:
    """Steps of two ranks."""
    return calls_in([CallStep(rows(*step)) for step in steps], 2, SendMode.STANDARD)


# -- one after the other ---------------------------------------------------------------------------


def test_receive_overheads_of_a_window_pass_while_the_next_bytes_come_in() -> None:
    """Overheads of 100 and 200 us, 11 us and 1 GB/s: (100 + 64 000 + 11 + 200 + 311) us / 64."""
    slow = profile(replace(PLAIN, send_overhead_s=100e-6, receive_overhead_s=200e-6))
    on = machine(of=slow)
    on = replace(on, nic=replace(on.nic, latency_s=11e-6, in_bytes_per_s=1e9, out_bytes_per_s=1e9))
    streamed = cell("stream", 10**6, Cadence.STREAMING, WhoseTime.ROOT, messages=64)
    assert pattern_seconds(on, 2, streamed) == pytest.approx(64_622e-6 / 64)


def test_a_short_message_waits_for_the_long_one_before_it() -> None:
    """Its receiver takes it up first all the same."""
    calls = program(
        (("send", 1, MIB, 1), ("send", 1, 8, 2), ("receive", 0, 8, 2)), (("receive", 0, MIB, 1),)
    )
    expected = OVERHEAD_S + BYTES_S + 8 / RATE + LATENCY_S + 2 * FOUND_S
    assert seconds(machine(), calls, WHOLE) == pytest.approx(expected)


def test_messages_to_others_share_the_way_out() -> None:
    """A short one to another rank takes twice its time, not the long one's."""
    calls = calls_in(
        [CallStep((sent(only(0, 2), np.array([1, 2]), np.array([MIB, 1000]), 1),
                   received(only(2), 0, 1000, 1)))],
        3, SendMode.STANDARD,
    )  # fmt: skip
    root = cell("short", 8)
    found = seconds(machine(3), calls, root)
    assert found == pytest.approx(OVERHEAD_S + (MIB + 1000) / RATE)  # the sender's: all has left
    copied = replace(calls, mode=SendMode.BUFFERED)
    expected = 2 * OVERHEAD_S + 2 * 1000 / RATE + LATENCY_S + FOUND_S
    assert seconds(machine(3), copied, root) == pytest.approx(expected)


def test_messages_that_ask_are_answered_while_others_move() -> None:
    """Two, whose receives have begun: one round trip before the first, none between."""
    calls = program((
        ("send", 1, MIB, 1), ("send", 1, MIB, 2), ("receive", 0, MIB, 1), ("receive", 0, MIB, 2),
    ))  # fmt: skip
    expected = OVERHEAD_S + 2 * LATENCY_S + 2 * BYTES_S + LATENCY_S + FOUND_S
    assert seconds(machine(of=ASKING), calls, WHOLE) == pytest.approx(expected)


def test_gets_follow_each_other_and_ask_meanwhile() -> None:
    get = CallRows(CallKind.GET, only(0, 2), 1, MIB, 0)
    calls = calls_in([CallStep((get,))], 2, SendMode.STANDARD)
    expected = OVERHEAD_S + 2 * LATENCY_S + 2 * BYTES_S
    assert seconds(machine(), calls, WHOLE) == pytest.approx(expected)


# -- never a circle --------------------------------------------------------------------------------

CROSSED = program(
    (("send", 1, MIB, 1), ("send", 1, MIB, 2), ("receive", 0, MIB, 2)), (("receive", 0, MIB, 1),)
)
"""Two long ones at once, which the receiver takes in the other order."""
BEHIND = program(
    (("send", 1, MIB, 1), ("send", 1, 8, 2), ("receive", 0, 8, 2)), (("receive", 0, MIB, 1),)
)
"""A short one behind a long one whose receive begins after the short one's."""


def test_receives_in_the_other_order_are_no_deadlock() -> None:
    """The second message, then its receiver takes it up; then the first is answered, and moves."""
    second = 2 * OVERHEAD_S + 2 * LATENCY_S + BYTES_S + LATENCY_S + FOUND_S
    first = LATENCY_S + BYTES_S + LATENCY_S + FOUND_S
    assert seconds(machine(of=ASKING), CROSSED, WHOLE) == pytest.approx(second + first)


def test_a_short_message_passes_a_long_one_that_waits() -> None:
    short = 2 * OVERHEAD_S + 8 / RATE + LATENCY_S + FOUND_S
    long = LATENCY_S + BYTES_S + LATENCY_S + FOUND_S
    assert seconds(machine(of=ASKING), BEHIND, WHOLE) == pytest.approx(short + long)


def test_a_put_and_a_get_with_the_same_ends_do_not_wait_for_each_other() -> None:
    """Rank 0 puts into rank 1's memory when rank 1, which got from it before, has told it to."""
    calls = calls_in(
        [
            CallStep((CallRows(CallKind.GET, only(1), 0, MIB, 0),)),
            CallStep((sent(only(1), 0, 8, 1), received(only(0), 1, 8, 1))),
            CallStep((CallRows(CallKind.PUT, only(0), 1, MIB, 0),)),
        ],
        2, SendMode.STANDARD,
    )  # fmt: skip
    got = OVERHEAD_S + LATENCY_S + BYTES_S + LATENCY_S
    told = OVERHEAD_S + 8 / RATE + LATENCY_S + FOUND_S
    put = OVERHEAD_S + BYTES_S
    assert seconds(machine(), calls, WHOLE) == pytest.approx(got + told + put)


def as_sent(calls: RankCalls, steps: object, messages: SentMessages, asks: object) -> Int64:
    """The planted fault: whatever has the same ends follows, as it was sent."""
    before = np.arange(len(messages.call)) - 1
    for ends in (messages.source, messages.destination):
        before[ends != np.roll(ends, 1)] = NONE
    return before


@pytest.mark.parametrize("calls", [CROSSED, BEHIND], ids=["crossed", "behind"])
def test_following_as_sent_would_be_a_deadlock(
    calls: RankCalls, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(tasks, "followed", as_sent)
    with pytest.raises(UsageError) as caught:
        seconds(machine(of=ASKING), calls, WHOLE)
    assert str(caught.value) == snapshot


def random_program(seed: int) -> RankCalls:
    """Messages of two lengths between three ranks, whose receives have been moved about."""
    random = np.random.default_rng(seed)
    steps: list[list[CallRows]] = [[] for _ in range(6)]
    for tag in range(8):
        source, destination = random.permutation(3)[:2].tolist()
        size = int(random.choice([8, MIB]))
        steps[random.integers(6)].append(sent(only(source), destination, size, tag))
        steps[random.integers(6)].append(received(only(destination), source, size, tag))
    return calls_in([CallStep(tuple(step)) for step in steps], 3, SendMode.STANDARD)


def is_deadlock(on: MachineModel, calls: RankCalls) -> bool:
    try:
        seconds(on, calls, WHOLE)
    except UsageError:
        return True
    return False


def test_no_random_program_is_a_deadlock_by_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    on, programs = machine(3, of=ASKING), [random_program(seed) for seed in range(300)]
    ordered = [is_deadlock(on, calls) for calls in programs]
    monkeypatch.setattr(tasks, "followed", lambda *told: np.full(len(told[2].call), NONE))
    assert ordered == [is_deadlock(on, calls) for calls in programs]
    assert 50 < sum(ordered) < 250
