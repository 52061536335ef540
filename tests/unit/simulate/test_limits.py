"""The library's gap is a rank's: what several messages at once get of it, reckoned by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

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

from leadline.patterns.programs.calls import CallStep, RankCalls, SendMode, calls_in, received, sent
from leadline.record.run import Cadence, WhoseTime
from leadline.simulate.execution import ended_beside
from leadline.simulate.machine import MachineModel, Mode, Nic, Profile
from leadline.simulate.routes import fabric_of
from leadline.simulate.tasks import Tasks, tasks_of
from leadline.topology.networks import Int64

MIB = 2**20
GAP_S = 4 / RATE
SLOW = profile(replace(PLAIN, gap_s_per_byte=GAP_S))
BYTES_S = MIB * GAP_S
ENDS_S = LATENCY_S + FOUND_S


def messages(
    sources: list[int], destinations: list[int], sizes: int | list[int] = MIB, ranks: int = 4
) -> RankCalls:
    """All at once: each rank sends in the order told, then receives."""
    ends = np.array(sources), np.array(destinations)
    size, tag = np.broadcast_to(sizes, ends[0].shape), np.arange(len(sources))
    rows = (sent(*ends, size, tag), received(ends[1], ends[0], size, tag))
    return calls_in([CallStep(rows)], ranks, SendMode.STANDARD)


def test_a_window_of_messages_has_the_rate_of_one() -> None:
    """The receiver's last overhead, and the answer: the others are passed while bytes come in."""
    streamed = cell("stream", MIB, Cadence.STREAMING, WhoseTime.ROOT, messages=64)
    answer_s = OVERHEAD_S + ENDS_S
    expected = OVERHEAD_S + 64 * BYTES_S + ENDS_S + answer_s
    found = pattern_seconds(machine(of=SLOW), 2, streamed)
    assert 64 * found == pytest.approx(expected, rel=1e-5)


def test_what_a_rank_takes_from_several_is_added_up() -> None:
    into_one = messages([1, 2, 3], [0, 0, 0])
    wide = replace(machine(4, of=SLOW), nic=Nic(LATENCY_S, 1e12, 1e12))
    expected = OVERHEAD_S + 3 * BYTES_S + LATENCY_S + 3 * FOUND_S
    assert seconds(wide, into_one, cell("into one", MIB)) == pytest.approx(expected)


def test_what_a_rank_sends_to_several_is_added_up() -> None:
    """While bytes of all are under way, each is there for shorter than the one begun before."""
    out_of_one = messages([0, 0, 0], [1, 2, 3])
    wide = replace(machine(4, of=SLOW), nic=Nic(LATENCY_S, 1e12, 1e12))
    expected = OVERHEAD_S + 3 * BYTES_S + ENDS_S
    assert seconds(wide, out_of_one, cell("out of one", MIB)) == pytest.approx(expected)


def test_in_and_out_are_apart() -> None:
    both = messages([0, 1], [1, 0], ranks=2)
    expected = OVERHEAD_S + BYTES_S + ENDS_S
    assert seconds(machine(of=SLOW), both, cell("both", MIB)) == pytest.approx(expected)


def test_gap_holds_inside_a_node_too() -> None:
    inside = replace(machine(of=SLOW), network="nodes:1x2")
    calls = messages([0, 0], [1, 1], ranks=2)
    expected = OVERHEAD_S + 2 * BYTES_S + FOUND_S
    assert seconds(inside, calls, cell("inside", MIB)) == pytest.approx(expected)


def two_pieces(gap_s: float) -> Profile:
    """The second from 2 MiB on."""
    first = replace(PLAIN, gap_s_per_byte=GAP_S)
    second = replace(first, least_bytes=2 * MIB, gap_s_per_byte=gap_s)
    return replace(profile(), pieces={Mode.STANDARD: (first, second)})


@pytest.mark.parametrize(
    ("gap_s", "bytes_s"), [(GAP_S, 3 * BYTES_S), (GAP_S * 1.01, 2.02 * BYTES_S)]
)
def test_messages_of_one_gap_share_it_those_of_another_do_not(gap_s: float, bytes_s: float) -> None:
    calls = messages([0, 0], [1, 2], [MIB, 2 * MIB])
    found = seconds(machine(4, of=two_pieces(gap_s)), calls, cell("two", MIB))
    assert found == pytest.approx(OVERHEAD_S + bytes_s + ENDS_S, rel=1e-4)


def test_ways_of_a_split_message_share_the_gap() -> None:
    """Two ranks half a ring apart: 1 MiB both ways round, at one gap."""
    ring = replace(machine(of=SLOW), network="torus:4", ties="split")
    found = seconds(ring, messages([0], [2]), cell("split", MIB))
    assert found == pytest.approx(OVERHEAD_S + BYTES_S + ENDS_S)


# -- several jobs ----------------------------------------------------------------------------------


def job(on: MachineModel, slots: Int64, repetitions: int) -> Tasks:
    """One message from a rank to another."""
    fabric = fabric_of(on, on.allocate(4))
    steps = [
        CallStep(
            (sent(np.array([0]), 1, MIB, 1), received(np.array([1]), 0, MIB, 1)), repetition=number
        )
        for number in range(repetitions)
    ]
    return tasks_of(calls_in(steps, 2, SendMode.STANDARD), SLOW, on.compute, fabric, slots)


def test_ranks_of_two_jobs_have_a_gap_each() -> None:
    """Both jobs' first ranks are rank 0; one way out for both would take twice as long."""
    on = machine(4, of=SLOW)
    others = [partial(job, on, np.array([2, 3]))]
    ended = ended_beside(job(on, np.array([0, 1]), 1), others, "job")
    assert np.max(ended) == pytest.approx(OVERHEAD_S + BYTES_S + ENDS_S)
