from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from harness.traces import chains

from leadline.topology.phases import (
    Call,
    CallKind,
    Delivery,
    Phase,
    Trace,
    Work,
    parse_calls,
    trace_of,
)


def traced(*logs: str) -> Trace:
    """Of a log a rank, its lines' fields between blanks, the operation after a bar."""
    return trace_of([parse_calls(tabbed(log)) for log in logs])


def tabbed(log: str) -> str:
    lines = []
    for line in filter(None, map(str.strip, log.splitlines())):
        fields, _, operation = line.partition(" | ")
        lines.append("\t".join([*fields.split(), operation]))
    return "\n".join(lines)


def pairs(trace: Trace) -> list[list[list[int]]]:
    return [[[t.source, t.destination, t.size_bytes] for t in p.deliveries] for p in trace.phases]


# -- the log ---------------------------------------------------------------------------------------


def test_line_is_a_call_with_its_operation_last() -> None:
    (call,) = parse_calls("send\t3\t1024\t7\t2\tbcast: binomial\n")
    assert call == Call(CallKind.SEND, 3, 1024, 7, 2, "bcast: binomial")


def test_operation_may_be_missing_and_a_peer_too() -> None:
    assert parse_calls("work\t-1\t48\t2\t0\t") == (Call(CallKind.WORK, -1, 48, 2, 0, ""),)
    assert parse_calls("") == ()


@pytest.mark.parametrize(
    "line",
    [
        "send\t1\t8\t0\t0",
        "send\t1\t8\t0\t0\t\t",
        "sent\t1\t8\t0\t0\t",
        "send\t1\t8\t0\tzero\t",
        "send\t1\t-8\t0\t0\t",
        "send\t1\t8\t0\t-1\t",
        "",
    ],
)
def test_line_that_is_no_call_is_named(line: str) -> None:
    with pytest.raises(ValueError, match=f"^line 2 .*{re.escape(repr(line))}"):
        parse_calls(f"send\t1\t8\t0\t0\t\n{line}\nsend\t1\t8\t0\t0\t\n")


# -- phases ----------------------------------------------------------------------------------------


def test_message_after_a_receive_is_of_the_next_phase() -> None:
    chain = traced(
        "send 1 8 0 0",
        "receive 0 8 0 0\n send 2 16 0 1",
        "receive 1 16 0 1",
    )
    assert pairs(chain) == [[[0, 1, 8]], [[1, 2, 16]]]
    assert (chain.messages, chain.whole.size_bytes) == (2, 24)


def test_messages_of_a_phase_stand_by_source_and_each_ones_in_their_order() -> None:
    found = traced("receive 1 1 0 0", "send 2 3 0 0\n send 0 1 0 0", "send 1 9 0 0\n send 0 9 0 0")
    assert pairs(found) == [[[1, 2, 3], [1, 0, 1], [2, 1, 9], [2, 0, 9]]]


def test_get_is_sent_by_its_peer() -> None:
    found = traced("get 1 64 0 0\n put 1 32 0 1\n flag 1 8 0 1\n atomic 1 8 0 1", "wait 0 8 0 1")
    assert pairs(found) == [[[1, 0, 64]], [[0, 1, 32], [0, 1, 8], [0, 1, 8]]]
    assert found.phases[0].deliveries == (Delivery(1, 0, 64, CallKind.GET, 0, ""),)


def test_bytes_are_summed_by_who_sends_and_receives_them() -> None:
    (phase,) = traced("send 1 8 0 0\n send 2 0 0 0", "send 2 8 0 0", "").phases
    assert (phase.sent, phase.received) == ({0: 8, 1: 8}, {1: 8, 2: 8})
    assert phase.size_bytes == 16


def test_work_is_summed_by_rank_in_each_phase() -> None:
    found = traced(
        "receive 1 8 0 0\n work -1 24 1 1 \n work -1 48 2 1", "work -1 8 5 0\n send 0 8 0 0"
    )
    assert [phase.work for phase in found.phases] == [(Work(1, 5, 8),), (Work(0, 3, 72),)]
    assert [phase.flop for phase in found.phases] == [5, 3]


def test_phase_without_a_message_of_its_own_is_there_and_empty() -> None:
    assert traced("send 1 8 0 2", "").phases[:2] == (Phase((), ()), Phase((), ()))


def test_pattern_without_messages_has_no_phases() -> None:
    assert traced("", "wait -1 8 0 0").phases == ()
    assert traced("", "").messages == 0


def test_operations_are_named_once_in_the_order_of_calls() -> None:
    found = traced(
        "send 1 8 0 0 | reduce: binomial\n send 1 8 0 0 | bcast: binomial",
        "receive 0 8 0 0 | reduce: binomial\n receive 0 8 0 0 | bcast: binomial\n send 0 0 0 1",
    )
    assert found.operations == ("reduce: binomial", "bcast: binomial")


# -- the check of traces that were made for real ---------------------------------------------------


def test_phases_are_told_once_more_from_who_sent_what() -> None:
    relay = "receive 0 8 0 0\n send 2 16 0 1\n flag 2 8 0 1"
    found = traced("send 1 8 0 0", relay, "wait 1 8 0 1\n receive 1 16 0 1\n send 0 1 0 2")
    with pytest.raises(AssertionError):
        chains(found)  # what was sent last is received by nobody
    found = traced("send 1 8 0 0\n receive 2 1 0 2", *map(log_of, found.calls[1:]))
    assert chains(found) == [[0, 2], [0, 1, 1], [1, 1, 2]]


def log_of(calls: Sequence[Call]) -> str:
    return "\n".join(f"{c.kind} {c.peer} {c.size_bytes} {c.number} {c.depth}" for c in calls)


@pytest.mark.parametrize(
    "second", ["receive 0 8 0 1\n send 0 8 0 1", "receive 0 8 0 0\n send 0 8 0 0"]
)
def test_wrong_phase_is_seen(second: str) -> None:
    found = traced("send 1 8 0 0\n receive 1 8 0 1", second)
    assert [[call.depth for call in calls] for calls in found.calls] != chains(found)


def test_receive_of_what_nobody_sent_is_seen() -> None:
    with pytest.raises(AssertionError):
        chains(traced("send 1 8 0 0", "receive 0 9 0 0"))
