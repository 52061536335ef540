"""The switch between namespaces, for real: the times that it logs are those of the link."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.emulated import needs_root
from tests.support.switched import (
    NEIGHBOURS,
    UDP_HEADERS_BYTES,
    SwitchedHosts,
    await_that,
    switched_hosts,
)

from leadline.errors import MachineError
from leadline.hosts.emulated import switch
from leadline.hosts.emulated.link import Medium, parse_link

pytestmark = needs_root

SHARED, ATM = parse_link("ethernet-10"), parse_link("atm-155")
SWITCHED = replace(parse_link("10Mbit,mtu=9000"), delay_s=0.002)
SIZES = (0, 1, 4, 5, 52, 53, 1400, 1472)
"""Around what one cell and the least frame hold, up to a whole Ethernet packet."""
BURST = 150
FORGE = """
import socket, sys
sending = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sending.bind(("eth0", 0))
to, sender = (bytes.fromhex(address.replace(":", "")) for address in sys.argv[1:])
sending.send(to + sender + bytes(48))
"""
"""Sends a frame of a sender's address that needn't be the host's own."""


@pytest.fixture(scope="module", params=[SHARED, SWITCHED, ATM], ids=lambda link: link.name)
def hosts(request: pytest.FixtureRequest) -> Iterator[SwitchedHosts]:
    with switched_hosts(request.param, 3) as up:
        yield up


def check_single_frames(hosts: SwitchedHosts) -> None:
    """Each takes what its packet takes on the wire, to the nanosecond, and is never early.

    A host has an answer before the gap behind it is over, and may send into it: on a shared medium
    that frame waits for the gap's end.
    """
    assert hosts.ask(0, 1, *SIZES)
    frames, answers = hosts.frames(0, 1)[-len(SIZES) :], hosts.frames(1, 0)[-len(SIZES) :]
    assert [f.size_bytes for f in frames] == [size + UDP_HEADERS_BYTES + 14 for size in SIZES]
    for answer, size in zip(answers, SIZES, strict=True):
        assert abs(answer.end_ns - answer.start_ns - hosts.wire_ns(size)) <= 1
    ends_ns = [answer.end_ns for answer in answers]
    free_ns = [0, *ends_ns[:-1]] if hosts.link.medium is Medium.SHARED else [0] * len(frames)
    for frame, size, least_ns in zip(frames, SIZES, free_ns, strict=True):
        assert frame.start_ns == max(frame.arrival_ns, least_ns)
        assert abs(frame.end_ns - frame.start_ns - hosts.wire_ns(size)) <= 1
        assert frame.start_ns < frame.due_ns <= frame.end_ns + hosts.link.delay_s * 1e9
        assert frame.late_ns >= 0


def check_one_after_another(hosts: SwitchedHosts) -> None:
    """Frames sent at once follow each other without a gap, and don't overlap."""
    before = hosts.switch.traffic()[1].received_frames
    with hosts.listening(1):
        hosts.send(0, 1, *[1000] * BURST)
        hosts.await_received(1, before + BURST)
    frames = hosts.frames(0, 1)[-BURST:]
    for one, other in pairwise(frames):
        assert other.start_ns == max(one.end_ns, other.arrival_ns)
    span_ns = frames[-1].end_ns - frames[0].start_ns
    assert span_ns >= BURST * (hosts.wire_ns(1000) - 1)


def overlaps(hosts: SwitchedHosts) -> bool:
    """Whether frames to and fro were on the wire at the same time."""
    with hosts.listening(1, "back"), hosts.listening(0):
        before = hosts.switch.traffic()[0].received_frames
        hosts.send(0, 1, *[1000] * BURST)
        hosts.await_received(0, before + BURST)
    both = [*hosts.frames(0, 1)[-BURST:], *hosts.frames(1, 0)[-BURST:]]
    return any(
        other.start_ns < one.end_ns
        for one, other in pairwise(sorted(both, key=lambda frame: frame.start_ns))
    )


def test_single_frames_take_what_their_packets_take_on_the_wire(hosts: SwitchedHosts) -> None:
    check_single_frames(hosts)


def test_frames_sent_at_once_follow_each_other(hosts: SwitchedHosts) -> None:
    check_one_after_another(hosts)


def test_ways_there_and_back_overlap_on_a_switched_medium_alone() -> None:
    for link in (SHARED, SWITCHED):
        with switched_hosts(link) as hosts:
            assert overlaps(hosts) == (link == SWITCHED)


def test_port_counts_what_it_sent_and_received(hosts: SwitchedHosts) -> None:
    before = hosts.switch.traffic()
    assert hosts.ask(0, 2, 100, 200)
    after = hosts.switch.traffic()
    packets = 300 + 2 * (UDP_HEADERS_BYTES + 14)
    for port in (0, 2):
        assert after[port].sent_frames - before[port].sent_frames == 2
        assert after[port].received_bytes - before[port].received_bytes == packets
        assert after[port].sending_ns > before[port].sending_ns
    assert after[1] == before[1]


def test_frame_to_nobody_known_reaches_all_others_once(hosts: SwitchedHosts) -> None:
    unknown = "ip neigh replace 10.77.0.9 lladdr 02:00:00:00:00:09 dev eth0 nud permanent"
    hosts.inside(0, *unknown.split())
    before = [port.received_frames for port in hosts.switch.traffic()]
    hosts.send(0, 8, 10)
    hosts.await_received(2, before[2] + 1)
    after = [port.received_frames for port in hosts.switch.traffic()]
    assert [b - a for a, b in zip(before, after, strict=True)] == [0, 1, 1]


def test_host_that_took_anothers_address_loses_it_to_who_speaks_next(hosts: SwitchedHosts) -> None:
    hosts.run(0, FORGE, NEIGHBOURS.format(9), NEIGHBOURS.format(2))
    before = hosts.switch.traffic()[0].received_frames
    with hosts.listening(0):  # and says nothing
        hosts.send(1, 0, 10)
        hosts.await_received(0, before + 1)
    assert hosts.ask(2, 1, 10)


def test_impairments_are_of_one_port_and_pass_away(hosts: SwitchedHosts) -> None:
    hosts.switch.impair(2, 0.5, 0.001, cut=False)
    assert hosts.ask(0, 1, 1000)
    slow = hosts.frames(0, 1)[-1]
    assert abs(slow.end_ns - slow.start_ns - 2 * hosts.wire_ns(1000)) <= 2
    assert slow.due_ns >= slow.start_ns + hosts.wire_ns(1000) + 1_000_000
    hosts.switch.impair(2, 1.0, 0.0, cut=True)
    assert not hosts.ask(0, 1, 1000, patience_s=0.1)
    assert hosts.ask(0, 2, 1000)
    hosts.switch.impair(2, 1.0, 0.0, cut=False)
    check_single_frames(hosts)


def devices(switch: int) -> int:
    """How many the process `switch` holds open."""
    files = Path(f"/proc/{switch}/fd").iterdir()
    return sum(str(file.readlink()) == "/dev/net/tun" for file in files)


def test_host_that_goes_down_leaves_the_others_theirs() -> None:
    with switched_hosts(ATM, 3) as hosts:
        assert devices(hosts.pid) == 3
        hosts.hosts[2].kill()
        hosts.hosts[2].wait()
        assert hosts.ask(0, 1, 10)
        await_that(lambda: devices(hosts.pid) == 2)
        hosts.send(0, 2, 10)
        assert hosts.ask(0, 1, 10)


def test_log_holds_the_last_frames_asked_for(hosts: SwitchedHosts) -> None:
    assert hosts.ask(0, 1, *SIZES)
    last = hosts.switch.frames(4)
    assert len(last) == 4
    assert last == hosts.switch.frames()[-4:]
    assert hosts.switch.frames(0) == []


@pytest.mark.parametrize(
    ("port", "share", "delay_s"), [(0, 1.0, 0.0), (4, 1.0, 0.0), (1, 0.0, 0.0), (1, 1.5, 0.0)]
)
def test_impairment_that_cannot_be_is_refused(
    hosts: SwitchedHosts, port: int, share: float, delay_s: float
) -> None:
    with pytest.raises(MachineError, match="'impair"):
        hosts.switch.impair(port, share, delay_s, cut=False)
    check_single_frames(hosts)


# -- planted faults --------------------------------------------------------------------------------

FAULTS = {
    "forgets the cell overhead": (ATM, "line.c", "CELL = 53", "CELL = 48"),
    "serialises nothing": (
        SWITCHED, "line.c", "begun.free_ns < ready_ns", "begun.free_ns != ready_ns",
    ),
    "shares what is switched": (SWITCHED, "medium.c", "(shared ? ", "(shared || true ? "),
    "delivers at once": (SHARED, "medium.c", "heap[0].due_ns <= now_ns", "heap[0].due_ns > 0"),
}  # fmt: skip


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_planted_fault_is_caught(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, file, right, wrong = FAULTS[fault]
    faulty = tmp_path / "switch"
    shutil.copytree(switch.SOURCES, faulty)
    text = (faulty / file).read_text()
    assert right in text
    (faulty / file).write_text(text.replace(right, wrong))
    monkeypatch.setattr(switch, "SOURCES", faulty)
    with switched_hosts(link) as hosts, pytest.raises(AssertionError):
        check_single_frames(hosts)
        check_one_after_another(hosts)
        assert overlaps(hosts) == (link == SWITCHED)
