from __future__ import annotations

import socket

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.kernels.connections import Connection
from leadline.kernels.messages import (
    LINE_BYTES,
    Fault,
    Hello,
    Inbox,
    Lost,
    Missing,
    Placed,
    ProtocolError,
    Refused,
    Relay,
    Result,
    Solved,
    Surroundings,
    Traced,
)
from leadline.record.slices import LinkUse, Verified, WarmUp


def said(text: bytes) -> Connection:
    ours, theirs = socket.socketpair()
    theirs.sendall(text)
    theirs.close()
    ours.setblocking(False)
    connection = Connection(ours)
    connection.receive()
    ours.close()
    return connection


HELLO = (
    b"hello rank=1 size=2 pid=42 host=n1 machine=b00t clock=b00t:7 "
    b"clock_ns=31.0 cores=0,1 library=MPICH Version: 5.0 x=y\n"
)


def test_hello_keeps_the_library_line_whole() -> None:
    connection = said(HELLO)
    hello = connection.next_message()
    assert hello == Hello(1, 2, 42, "n1", "b00t", "b00t:7", 31.0, (0, 1), "MPICH Version: 5.0 x=y")


def test_trace_is_whole_before_it_is_a_message_and_leaves_what_follows() -> None:
    text = b"send\t1\t8\t3\t0\tbcast: binomial\n"
    line = b"traced id=4 rank=1 bytes=%d\n" % len(text)
    inbox = Inbox()
    inbox.feed(line + text[:9])
    assert inbox.next_message() is None
    inbox.feed(text[9:] + b"traced id=5 rank=1 bytes=0\nplaced id=6 rank=1\n")
    assert inbox.next_message() == Traced(4, 1, text.decode())
    assert inbox.next_message() == Traced(5, 1, "")
    assert inbox.next_message() == Placed(6, 1)


@pytest.mark.parametrize("line", [b"traced id=4 rank=1\n", b"traced id=4 rank=1 bytes=x\n"])
def test_trace_that_doesnt_say_how_long_it_is_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError, match="'traced id=4"):
        said(line).next_message()


RESULT = (
    b"result id=3 rank=0 repetitions=9 bytes=0 warm_up=0:0:0 contends=0 "
    b"window_ns=40000 run_delay_ns=12000 switches=3 faults=-1 core_latency_ns=97"
)


def around(more: bytes) -> Surroundings:
    result = said(RESULT + more + b"\n").next_message()
    assert isinstance(result, Result)
    return result.around


def test_result_says_what_kept_the_rank_from_running() -> None:
    assert around(b"") == Surroundings(40_000, 12_000, 3, -1, 97)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (b"0:0:0", None),
        (b"1970000:812:1", WarmUp(1_970_000, 812, True)),
        (b"20000001:4:0", WarmUp(20_000_001, 4, False)),
    ],
)
def test_result_says_how_the_launch_came_to_know_the_cell(
    words: bytes, found: WarmUp | None
) -> None:
    result = said(RESULT.replace(b"warm_up=0:0:0", b"warm_up=" + words) + b"\n").next_message()
    assert isinstance(result, Result)
    assert result.warm_up == found


def test_result_says_what_links_carried_and_could() -> None:
    found = around(b" links_ns=5000 links=eth0/tx:700:10000,eth0/rx:9:10000,br:0/tx:1:-1")
    assert found.links == (
        LinkUse("eth0 tx", 700, 5000, 1.25e9),
        LinkUse("eth0 rx", 9, 5000, 1.25e9),
        LinkUse("br:0 tx", 1, 5000, 0.0),
    )


def test_host_without_interfaces_has_no_links() -> None:
    assert around(b" links_ns=5000 links=").links == ()


def test_result_waits_for_all_of_its_bytes() -> None:
    payload = np.arange(6, dtype=np.int64).tobytes()
    head = RESULT.replace(b"bytes=0", b"bytes=48") + b"\n"
    connection = said(head + payload[:40])
    assert connection.next_message() is None
    connection.feed(payload[40:])
    result = connection.next_message()
    assert isinstance(result, Result)
    assert (result.id, result.rank, result.repetitions) == (3, 0, 9)
    assert result.batches.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_fault_names_rank_place_and_bytes(snapshot: SnapshotAssertion) -> None:
    fault = said(b"fault id=7 rank=1 pass=timed offset=5 expected=1 seen=65\n").next_message()
    assert isinstance(fault, Fault)
    assert fault.code == "wrong_byte"
    assert fault.text == snapshot


def test_wrong_result_has_expected_and_seen(snapshot: SnapshotAssertion) -> None:
    said_of_it = b"fault id=7 rank=1 pass=timed quantity=norm real=1 expected=5e-05 seen=5.1e-05\n"
    fault = said(said_of_it).next_message()
    assert isinstance(fault, Fault)
    assert (fault.rank, fault.code) == (1, "wrong_result")
    assert fault.text == snapshot


@pytest.mark.parametrize(
    "words",
    [
        "quantity=warm_points real=0 expected=11 seen=12",
        "quantity=heat real=1 expected=0 seen=3",
        "quantity=norm real=1 expected=2 seen=nan",
    ],
)
def test_quantities_are_counts_or_reals(words: str, snapshot: SnapshotAssertion) -> None:
    fault = said(f"fault id=7 rank=1 pass=timed {words}\n".encode()).next_message()
    assert isinstance(fault, Fault)
    assert fault.text == snapshot


def test_result_says_what_an_application_spent_and_verified() -> None:
    results = [
        said(RESULT + more + b"\n").next_message()
        for more in (b"", b" spent=7:10", b" spent=7:10 verified=norm:5:5.5")
    ]
    assert all(isinstance(one, Result) for one in results)
    assert [getattr(one, "solved", 0) for one in results] == [
        None,
        Solved(7, 10),
        Solved(7, 10, Verified("norm", 5.0, 5.5)),
    ]


def test_refusal_keeps_its_reason() -> None:
    reason = "no memory for the message buffers"
    fault = said(f"refused id=7 rank=0 {reason}\n".encode()).next_message()
    assert isinstance(fault, Fault)
    assert (fault.code, fault.text) == ("refused", f"rank 0: {reason}")


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense\n",
        b"hello rank=x\n",
        b"result id=1\n",
        b"fault\n",
        b"fault id=7 rank=1 pass=timed quantity=norm real=1 expected=5 seen=much\n",
        RESULT + b" spent=7\n",
        RESULT + b" spent=7:many\n",
        RESULT + b" spent=7:10 verified=norm\n",
        RESULT + b" spent=7:10 verified=norm:5:nan\n",
        RESULT + b" links_ns=1 links=eth0/tx:many:1\n",
        RESULT.replace(b"core_latency_ns=97", b"") + b"\n",
        RESULT.replace(b"core_latency_ns=97", b"core_latency_ns=far") + b"\n",
        RESULT.replace(b"bytes=0", b"bytes=-24") + b"\n",
        RESULT.replace(b"bytes=0", b"bytes=8") + b"\n" + bytes(8),
        RESULT.replace(b"bytes=0", b"bytes=1000000000000") + b"\n",
        RESULT.replace(b"bytes=0", b"bytes=" + b"9" * 5000) + b"\n",
        RESULT.replace(b"window_ns=40000", b"window_ns=1" + b"0" * 30) + b"\n",
        RESULT.replace(b"warm_up=0", b"warm_up=9223372036854775808") + b"\n",
        HELLO.replace(b"cores=0,1", b"cores=0-3000000000"),
        b"token a\n" * 5000,
    ],
)
def test_what_is_not_in_the_protocol_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError, match=f"'{line[:5].decode()}"):
        said(line).next_message()


def test_line_without_an_end_is_refused_before_it_fills_the_memory() -> None:
    inbox = Inbox()
    inbox.feed(b"x" * (LINE_BYTES - 1))
    assert inbox.next_message() is None
    inbox.feed(b"x")
    with pytest.raises(ProtocolError, match="1,048,576"):
        inbox.next_message()


def test_end_of_stream_closes_the_connection() -> None:
    assert said(b"").closed


def test_relay_says_whom_it_speaks_for_and_what_became_of_them() -> None:
    connection = said(
        b"relay ranks=64 host=h1 pid=7\nstranger forged\nlost rank=3 how=silent\n"
        b"lost rank=4 how=astray\nmissing ranks=1,3-5\nmissing ranks=\n"
    )
    assert list(iter(connection.next_message, None)) == [
        Relay(64, "h1", 7),
        Refused("forged"),
        Lost(3, astray=False),
        Lost(4, astray=True),
        Missing((1, 3, 4, 5)),
        Missing(()),
    ]


def test_reduced_batches_have_ten_columns_and_the_ranks_they_are_of() -> None:
    rows = np.arange(20, dtype=np.int64)
    line = RESULT.replace(b"bytes=0", b"bytes=160 columns=10 over=0-2,5")
    result = said(line + b"\n" + rows.tobytes()).next_message()
    assert isinstance(result, Result)
    assert result.over == (0, 1, 2, 5)
    assert np.array_equal(result.batches, rows.reshape(2, 10))


@pytest.mark.parametrize(
    "line",
    [
        b"relay ranks=x host=h pid=1",
        b"relay host=h",
        b"stranger",
        b"lost rank=1",
        b"missing ranks=a",
        RESULT.replace(b"bytes=0", b"bytes=8 columns=0"),
        RESULT.replace(b"bytes=0", b"bytes=0 over=x"),
    ],
)
def test_words_that_no_relay_says_are_an_error(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        said(line + b"\n12345678").next_message()
