"""The graph of tasks: times reckoned by hand on two and four nodes."""

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

from leadline.patterns.programs.calls import (
    CallRows,
    CallStep,
    SendMode,
    calls_in,
    only,
    received,
    sent,
)
from leadline.record.run import Cadence, Cell, WhoseTime
from leadline.simulate.machine import Compute, Mode, ProfilePiece
from leadline.topology.phases import CallKind

MIB = 2**20
MESSAGE_S = OVERHEAD_S + MIB / RATE + LATENCY_S + FOUND_S
"""A message of 1 MiB from one rank to another that waits for it."""


def of_pingpong(size_bytes: int = MIB, pattern: str = "pingpong") -> Cell:
    return cell(pattern, size_bytes, Cadence.STREAMING, WhoseTime.ROOT, messages=2)


@pytest.mark.parametrize("size_bytes", [0, 8, MIB])
def test_ping_pong_takes_overheads_latency_and_bytes_over_the_rate(size_bytes: int) -> None:
    expected = OVERHEAD_S + LATENCY_S + size_bytes / RATE + FOUND_S
    assert pattern_seconds(machine(), 2, of_pingpong(size_bytes)) == pytest.approx(expected)


def test_own_gap_of_a_library_limits_the_rate() -> None:
    slower = replace(PLAIN, gap_s_per_byte=2 / RATE)
    expected = MESSAGE_S + MIB / RATE
    assert pattern_seconds(machine(of=profile(slower)), 2, of_pingpong()) == pytest.approx(expected)


@pytest.mark.parametrize("pattern", ["bcast", "ibcast"])
def test_messages_of_a_collective_cost_what_its_own_pieces_say(pattern: str) -> None:
    own = (replace(PLAIN, send_overhead_s=1e-6), ProfilePiece(8, 4e-6, 5e-6, 1e-9))
    machine_of = machine(of=replace(profile(), collective_pieces={"bcast": own}))
    assert pattern_seconds(machine_of, 2, cell(pattern, 4)) == pytest.approx(
        1e-6 + 4 / RATE + LATENCY_S + FOUND_S
    )
    assert pattern_seconds(machine_of, 2, cell(pattern, MIB)) == pytest.approx(
        4e-6 + MIB / RATE + LATENCY_S + 5e-6
    )
    assert pattern_seconds(machine_of, 2, of_pingpong()) == pytest.approx(MESSAGE_S)


def test_copy_comes_before_the_bytes() -> None:
    copying = replace(PLAIN, copy_bytes_per_s=RATE)
    expected = MESSAGE_S + MIB / RATE
    assert pattern_seconds(machine(of=profile(copying)), 2, of_pingpong()) == pytest.approx(
        expected
    )


def test_synchronous_message_asks_and_is_answered_first() -> None:
    synchronous = profile(replace(PLAIN, synchronous=True), Mode.SYNCHRONOUS)
    found = pattern_seconds(machine(of=synchronous), 2, of_pingpong(pattern="pingpong_sync"))
    assert found == pytest.approx(MESSAGE_S + 2 * LATENCY_S)


def test_pieces_are_chosen_by_size() -> None:
    long = replace(PLAIN, least_bytes=1024, send_overhead_s=7e-6)
    of = replace(profile(), pieces={Mode.STANDARD: (PLAIN, long)})
    times = [pattern_seconds(machine(of=of), 2, of_pingpong(size)) for size in (1023, 1024)]
    assert times[1] - times[0] == pytest.approx(7e-6 - OVERHEAD_S + 1 / RATE)


def test_pair_has_half_of_the_bus_each_way() -> None:
    alone = pattern_seconds(machine(), 2, cell("pair", MIB))
    assert alone == pytest.approx(MESSAGE_S)
    shared = pattern_seconds(machine(bus=RATE), 2, cell("pair", MIB))
    assert shared == pytest.approx(MESSAGE_S + MIB / RATE)


def test_two_messages_over_one_link_have_half_of_it_each() -> None:
    """Of a row of four, 0 and 1 send to 2 and 3: both over the link from 1 to 2."""
    calls = calls_in(
        [CallStep((sent(np.arange(2), np.arange(2, 4), MIB, 1),
               received(np.arange(2, 4), np.arange(2), MIB, 1)))],
        4, SendMode.STANDARD,
    )  # fmt: skip
    found = seconds(machine(4, links=RATE), calls, cell("two", MIB))
    assert found == pytest.approx(MESSAGE_S + MIB / RATE)
    beside = seconds(machine(4, links=RATE), calls, cell("two", MIB), [0, 3, 1, 2])
    assert beside == pytest.approx(MESSAGE_S)


def test_isolated_time_of_the_slowest_rank_is_from_the_common_start() -> None:
    calls = calls_in(
        [
            CallStep((sent(only(0), 1, MIB, 1), received(only(1), 0, MIB, 1))),
            CallStep((sent(only(1), 2, MIB, 1), received(only(2), 1, MIB, 1))),
        ],
        3,
        SendMode.STANDARD,
    )
    assert seconds(machine(3), calls, cell("chain", MIB)) == pytest.approx(2 * MESSAGE_S)
    root = cell("chain", MIB, whose=WhoseTime.ROOT)
    assert seconds(machine(3), calls, root) == pytest.approx(OVERHEAD_S + MIB / RATE)


def test_copied_message_lets_the_sender_go_on() -> None:
    calls = calls_in(
        [CallStep((sent(only(0), 1, MIB, 1), received(only(1), 0, MIB, 1)))], 2, SendMode.BUFFERED
    )
    root = cell("chain", MIB, whose=WhoseTime.ROOT)
    compute = Compute(bytes_per_s=2 * RATE)
    found = seconds(machine(compute=compute), calls, root)
    assert found == pytest.approx(OVERHEAD_S + MIB / RATE)  # read and written at 2 RATE
    assert seconds(machine(), calls, root) == pytest.approx(OVERHEAD_S)


@pytest.mark.parametrize(("flop", "size_bytes", "took_s"), [(500, 10, 5e-6), (1, 1000, 10e-6)])
def test_work_takes_the_longer_of_operations_and_bytes(
    flop: int, size_bytes: int, took_s: float
) -> None:
    work = CallRows(CallKind.WORK, only(0), -1, size_bytes, flop)
    calls = calls_in([CallStep((work,))], 2, SendMode.STANDARD)
    on = machine(compute=Compute(flop_per_s=1e8, bytes_per_s=1e8))
    assert seconds(on, calls, cell("work", 8)) == pytest.approx(took_s)


def test_messages_with_the_same_ends_and_tag_are_received_in_their_order() -> None:
    """A long one and a short one after it: the receives of both take the long one's time."""
    calls = calls_in(
        [
            CallStep((sent(only(0), 1, MIB, 1),)),
            CallStep((sent(only(0), 1, 8, 1), received(only(1), 0, MIB, 1))),
            CallStep((received(only(1), 0, 8, 1),)),
        ],
        2,
        SendMode.STANDARD,
    )
    found = seconds(machine(), calls, cell("two", MIB))
    assert found == pytest.approx(MESSAGE_S + FOUND_S)


def test_flag_comes_after_what_was_put_before_it() -> None:
    put = CallRows(CallKind.PUT, only(0), 1, MIB, 0)
    flag = CallRows(CallKind.FLAG, only(0), 1, 8, 0)
    wait = CallRows(CallKind.WAIT, only(1), 0, 8, 0)
    calls = calls_in([CallStep((put, flag, wait))], 2, SendMode.STANDARD)
    found = seconds(machine(), calls, cell("put", MIB))
    assert found == pytest.approx(OVERHEAD_S + (MIB + 8) / RATE + LATENCY_S + FOUND_S, rel=1e-3)


def test_get_asks_first() -> None:
    calls = calls_in(
        [CallStep((CallRows(CallKind.GET, only(0), 1, MIB, 0),))], 2, SendMode.STANDARD
    )
    found = seconds(machine(), calls, cell("get", MIB))
    assert found == pytest.approx(OVERHEAD_S + 2 * LATENCY_S + MIB / RATE)
