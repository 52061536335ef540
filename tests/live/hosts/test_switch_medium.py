"""The switch's medium against times computed by hand; planted faults are caught by them."""

from __future__ import annotations

import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.medium import (
    SOURCES,
    Delivered,
    Form,
    Sent,
    build_driver,
    build_medium,
    delivered,
    lines_of,
)

ETHERNET_NS = {60: (57_600, 67_200), 1514: (1_220_800, 1_230_400)}
"""Of a frame at 10 Mbit/s, by its bytes: preamble 8, frame, check 4; then with the gap of 12."""
GIGA = 10**9


@pytest.fixture(scope="module")
def medium(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_medium(tmp_path_factory.mktemp("medium"))


def one(medium: Path, form: Form, *orders: object) -> Delivered:
    (only,) = delivered(medium, form, orders)
    return only


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("size", sorted(ETHERNET_NS))
def test_frame_takes_its_bytes_and_preamble_and_is_not_waited_for_its_gap(
    medium: Path, size: int, shared: bool
) -> None:
    last, end = ETHERNET_NS[size]
    got = one(medium, Form(shared=shared, delay_ns=5), Sent(1000, 1, 2, size))
    assert got == Delivered(1, 2, 1000, 1000 + end, 1000 + last + 5)


def test_short_frame_is_filled_up_to_the_least(medium: Path) -> None:
    assert one(medium, Form(), Sent(0, 1, 2, 20)).end_ns == ETHERNET_NS[60][1]


@pytest.mark.parametrize(
    ("packet", "cells"), [(1, 1), (32, 1), (33, 2), (80, 2), (1500, 32), (9180, 192)]
)
def test_packet_takes_whole_cells_with_llc_and_trailer(
    medium: Path, packet: int, cells: int
) -> None:
    got = one(medium, Form(atm=True, rate_bits_per_s=424_000_000), Sent(0, 1, 2, packet + 14))
    assert got.due_ns == got.end_ns == 1000 * cells


def test_frames_of_one_sender_follow_each_other(medium: Path) -> None:
    _, end = ETHERNET_NS[1514]
    got = delivered(medium, Form(), [Sent(0, 1, 2, 1514), Sent(0, 1, 2, 1514), Sent(0, 1, 3, 60)])
    assert [d.start_ns for d in got] == [0, end, 2 * end]


def test_time_does_not_drift_however_rates_divide(medium: Path) -> None:
    # a cell takes 424 / 149.76 us = 2831.19658... ns, which isn't a whole number of them
    frames = [Sent(0, 1, 2, 46)] * 10_000
    got = delivered(medium, Form(atm=True, rate_bits_per_s=149_760_000), frames)
    assert got[-1].end_ns == 10_000 * 424 * GIGA // 149_760_000
    assert all(d.due_ns == (n + 1) * 424 * GIGA // 149_760_000 for n, d in enumerate(got))


def test_switched_directions_and_pairs_do_not_wait_for_each_other(medium: Path) -> None:
    sent = [Sent(0, 1, 2, 1514), Sent(0, 2, 1, 1514), Sent(0, 3, 4, 1514)]
    got = delivered(medium, Form(ports=4), sent)
    assert {d.start_ns for d in got} == {0}


def test_senders_to_one_receiver_wait_in_the_switch(medium: Path) -> None:
    last, end = ETHERNET_NS[1514]
    got = delivered(medium, Form(), [Sent(0, 1, 3, 1514), Sent(10, 2, 3, 1514)])
    assert [(d.sender, d.start_ns, d.due_ns) for d in got] == [(1, 0, last), (2, end, end + last)]


def test_a_waiting_frame_holds_up_nobody_behind_it(medium: Path) -> None:
    _, end = ETHERNET_NS[1514]
    sent = [Sent(0, 1, 3, 1514), Sent(10, 2, 3, 1514), Sent(20, 2, 4, 1514)]
    got = {(d.sender, d.receiver): d.start_ns for d in delivered(medium, Form(ports=4), sent)}
    assert got == {(1, 3): 0, (2, 3): end, (2, 4): 10 + end}


def test_a_window_of_one_sender_leaves_room_for_another(medium: Path) -> None:
    _, end = ETHERNET_NS[1514]
    sent = [*[Sent(0, 1, 3, 1514)] * 100, Sent(10, 2, 3, 1514)]
    got = delivered(medium, Form(), sent)
    (other,) = [d for d in got if d.sender == 2]
    assert other.start_ns == end


def test_a_shared_medium_carries_one_frame_at_a_time(medium: Path) -> None:
    _, end = ETHERNET_NS[1514]
    sent = [Sent(0, 1, 2, 1514), Sent(5, 2, 1, 1514), Sent(6, 3, 4, 1514)]
    got = delivered(medium, Form(shared=True, ports=4), sent)
    assert [(d.sender, d.start_ns) for d in got] == [(1, 0), (2, end), (3, 2 * end)]


def test_stations_of_a_shared_medium_take_turns(medium: Path) -> None:
    sent = [*[Sent(0, 1, 2, 1514)] * 4, Sent(10, 2, 1, 1514), Sent(20, 3, 1, 1514)]
    got = delivered(medium, Form(shared=True), sent)
    assert [d.sender for d in got] == [1, 2, 3, 1, 1, 1]
    assert len({d.start_ns for d in got}) == len(got)


def test_a_frame_to_all_occupies_a_shared_medium_once_and_each_line_of_a_switch(
    medium: Path,
) -> None:
    for shared in (False, True):
        got = delivered(medium, Form(shared=shared), [Sent(0, 2, 0, 60)])
        assert [(d.receiver, d.due_ns) for d in got] == [(1, 57_600), (3, 57_600)]


def test_a_frame_to_its_own_sender_goes_nowhere(medium: Path) -> None:
    for shared in (False, True):
        assert delivered(medium, Form(shared=shared), [Sent(0, 2, 2, 60)]) == []


def test_a_full_queue_drops_and_counts(medium: Path) -> None:
    form = Form(queue_bytes=3028)
    sent = [Sent(0, 1, 2, 1514)] * 5  # one is on the line, two wait
    *arrived, counted = lines_of(medium, form, *sent, "traffic 1")
    assert len(arrived) == 3
    assert counted == [3, 4542, 0, 0, 2, 3 * ETHERNET_NS[1514][1], 0]


def test_port_counts_for_how_long_a_line_was_taken_for_it(medium: Path) -> None:
    *_, received = lines_of(medium, Form(), *[Sent(0, 1, 2, 1514)] * 3, "traffic 2")
    assert received == [0, 0, 3, 4542, 0, 0, 3 * ETHERNET_NS[1514][1]]


def test_a_full_line_to_the_receiver_drops_and_counts(medium: Path) -> None:
    sent = [Sent(0, sender, 1, 1514) for sender in range(2, 7)]
    form = Form(ports=6, queue_bytes=3028)
    asked = [f"traffic {port}" for port in (1, 2, 6)]
    *arrived, one, two, six = lines_of(medium, form, *sent, *asked)
    assert len(arrived) == 2
    assert (one[2], one[3], one[4]) == (2, 3028, 0)
    assert (two[0], two[4], six[0], six[4]) == (1, 0, 1, 1)


def test_what_a_long_line_holds_is_in_no_queue(medium: Path) -> None:
    form = Form(queue_bytes=3028, delay_ns=GIGA)
    sent = [Sent(n * 2_000_000, 1, 2, 1514) for n in range(600)]
    assert len(delivered(medium, form, sent)) == len(sent)


@pytest.mark.parametrize("shared", [False, True])
def test_half_the_rate_takes_twice_as_long_both_ways(medium: Path, shared: bool) -> None:
    _, end = ETHERNET_NS[1514]
    sent = [Sent(0, 1, 2, 1514), Sent(10 * end, 2, 1, 1514), Sent(20 * end, 2, 3, 1514)]
    got = delivered(medium, Form(shared=shared), ["impair 1 0.5 0 0", *sent])
    assert [d.end_ns - d.start_ns for d in got] == [2 * end, 2 * end, end]


def test_more_delay_counts_for_what_is_sent_and_received(medium: Path) -> None:
    sent = [Sent(0, 1, 2, 60), Sent(GIGA, 2, 1, 60), Sent(2 * GIGA, 2, 3, 60)]
    got = delivered(medium, Form(), ["impair 1 1 1000 0", *sent])
    assert [d.due_ns % GIGA for d in got] == [58_600, 58_600, 57_600]


def test_a_cut_line_carries_nothing_either_way(medium: Path) -> None:
    sent = [Sent(0, 1, 2, 60), Sent(0, 2, 1, 60), Sent(0, 2, 3, 60)]
    got = lines_of(medium, Form(), "impair 1 1 0 1", *sent, "traffic 1", "traffic 2")
    assert [line[:2] for line in got[:-2]] == [[2, 3]]
    assert [line[4] for line in got[-2:]] == [1, 1]


def test_what_is_left_of_a_nanosecond_is_not_carried_to_another_rate(medium: Path) -> None:
    form = Form(atm=True, rate_bits_per_s=149_760_000)  # a cell takes 2831.19658... ns
    slower = ("impair 1 0.001 0 0", "impair 2 0.001 0 0")
    sent = [Sent(0, 1, 2, 46), Sent(1, 1, 2, 46), *slower]
    one, other = delivered(medium, form, sent)
    assert (one.end_ns, other.end_ns) == (2831, 2831 + 2_831_196)


def test_what_is_left_of_a_nanosecond_ends_where_nothing_follows(medium: Path) -> None:
    form = Form(atm=True, rate_bits_per_s=149_760_000)
    *_, last = delivered(medium, form, [*[Sent(0, 1, 2, 46)] * 5, Sent(20_000, 1, 2, 46)])
    assert last.end_ns == 20_000 + 2831


def test_slow_sender_keeps_its_receivers_line_as_long_as_it_takes(medium: Path) -> None:
    last, end = ETHERNET_NS[1514]
    sent = ["impair 1 0.5 0 0", Sent(0, 1, 3, 1514), Sent(10, 2, 3, 1514)]
    got = delivered(medium, Form(), sent)
    assert [(d.start_ns, d.due_ns) for d in got] == [(0, 2 * last), (2 * end, 2 * end + last)]


@pytest.mark.parametrize("port", [1, 2])
def test_what_an_impaired_line_delays_is_in_no_queue(medium: Path, port: int) -> None:
    sent = [Sent(n * 2_000_000, 1, 2, 1514) for n in range(300)]
    form = Form(queue_bytes=3028)
    assert len(delivered(medium, form, [f"impair {port} 1 {GIGA} 0", *sent])) == len(sent)


@pytest.mark.parametrize("shared", [False, True])
def test_line_that_is_cut_loses_what_is_on_it_and_takes_no_more(medium: Path, shared: bool) -> None:
    cut = [Sent(0, 1, 2, 60), "impair 1 1 0 1", Sent(10, 1, 2, 60), "traffic 1", "traffic 2"]
    one, other = lines_of(medium, Form(shared=shared), *cut)
    assert (one[0], one[4]) == (1, 2)
    assert other[2:4] == [0, 0]


def test_what_waits_for_a_receivers_line_goes_on_at_its_new_rate(medium: Path) -> None:
    last, end = ETHERNET_NS[1514]
    crowd = [Sent(0, sender, 1, 1514) for sender in range(2, 6)]
    nobody = Sent(5 * end, 6, 6, 60)
    sent = ["impair 1 0.25 0 0", *crowd, nobody, "impair 1 1 1000 0", "traffic 1"]
    *got, counted = lines_of(medium, Form(ports=6), *sent)
    assert [(line[2], line[4]) for line in got] == [
        (0, 4 * last), (4 * end, 4 * end + 4 * last),
        (8 * end, 8 * end + last + 1000), (9 * end, 9 * end + last + 1000),
    ]  # fmt: skip
    assert counted[6] == 10 * end


def test_what_waits_is_not_sent_before_its_slow_sender_has_it(medium: Path) -> None:
    last, end = ETHERNET_NS[1514]
    sent = ["impair 1 0.1 0 0", Sent(0, 2, 3, 1514), Sent(10, 1, 3, 1514), "impair 3 1 0 0"]
    _, other = delivered(medium, Form(), sent)
    assert (other.start_ns, other.due_ns, other.end_ns) == (end, 10 + 10 * last, 10 + 10 * end)


def test_what_waits_for_other_lines_keeps_its_times(medium: Path) -> None:
    _, end = ETHERNET_NS[1514]
    crowd = [Sent(0, sender, to, 1514) for to in (1, 2) for sender in range(3, 20)]
    sent: list[object] = [*crowd, Sent(3 * end, 20, 20, 60)]
    as_ever = delivered(medium, Form(ports=20), sent)
    got = delivered(medium, Form(ports=20), [*sent, "impair 1 0.3 0 0"])
    assert [d for d in got if d.receiver == 2] == [d for d in as_ever if d.receiver == 2]
    assert len(got) == len(as_ever)


def test_the_least_rate_is_a_bit_a_second(medium: Path) -> None:
    form = Form(rate_bits_per_s=10)
    got = one(medium, form, "impair 1 0.01 0 0", Sent(0, 1, 2, 60))
    assert got.end_ns == 84 * 8 * GIGA


@pytest.mark.parametrize("shared", [False, True])
def test_the_longest_frames_at_the_least_and_the_highest_rate(medium: Path, shared: bool) -> None:
    for rate in (1, 10**11):
        form = Form(shared, rate_bits_per_s=rate, delay_ns=10**10)
        got = delivered(medium, form, [*[Sent(0, 1, 2, 65_535)] * 250, Sent(0, 2, 1, 65_535)])
        assert max(d.end_ns for d in got) == (250 + shared) * 65_559 * 8 * GIGA // rate


@pytest.mark.parametrize("shared", [False, True])
def test_random_frames_keep_their_order_and_never_overlap(medium: Path, shared: bool) -> None:
    chance = random.Random(17)
    times = sorted(chance.randrange(4_000_000) for _ in range(600))
    sent = []
    for at in times:
        sender, receiver = chance.sample(range(1, 6), 2)
        sent.append(Sent(at, sender, receiver, chance.choice((20, 60, 700, 1514))))
    got = delivered(medium, Form(shared=shared, ports=5, rate_bits_per_s=10**8), sent)
    assert len(got) == len(sent)
    assert [d.due_ns for d in got] == sorted(d.due_ns for d in got)
    for port in range(1, 6):
        mine = [d for d in got if shared or d.receiver == port]
        starts = sorted((d.start_ns, d.end_ns) for d in mine)
        assert all(one[1] <= other[0] for one, other in pairwise(starts))


@pytest.mark.parametrize("room", [0, 1, 3])
def test_history_holds_the_last_frames_and_no_more(room: int, tmp_path: Path) -> None:
    history = build_driver("history", ["history"], tmp_path)
    done = subprocess.run([history, str(room), "8"], capture_output=True, text=True, check=True)
    held = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
    assert held == [list(range(max(0, last + 1 - room), last + 1)) for last in range(8)]


# -- planted faults --------------------------------------------------------------------------------

FAULTS = {
    "forgets the cell overhead": ("line.c", "CELL = 53", "CELL = 48"),
    "forgets the least frame": ("line.c", "LEAST = 60", "LEAST = 0"),
    "serialises nothing": ("line.c", "begun.free_ns < ready_ns", "begun.free_ns != ready_ns"),
    "shares what is switched": ("medium.c", "(shared ? ", "(shared || true ? "),
    "switches what is shared": ("medium.c", "(shared ? ", "(shared && false ? "),
    "loses what is less than a nanosecond": ("line.c", "parts % line.rate_bits_per_s", "0"),
    "sends in the order of arrival alone": (
        "medium.c", "later(port->first->arrival_ns, port->up.free_ns)", "port->first->arrival_ns",
    ),
    "queues without bounds": ("medium.c", "waiting > medium->form.queue_bytes", "waiting < 0"),
}  # fmt: skip
CLAIMS = (
    test_short_frame_is_filled_up_to_the_least,
    test_frames_of_one_sender_follow_each_other,
    test_time_does_not_drift_however_rates_divide,
    test_switched_directions_and_pairs_do_not_wait_for_each_other,
    test_a_shared_medium_carries_one_frame_at_a_time,
    test_stations_of_a_shared_medium_take_turns,
    test_a_full_queue_drops_and_counts,
)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_planted_fault_is_caught(fault: str, tmp_path: Path) -> None:
    file, right, wrong = FAULTS[fault]
    faulty = tmp_path / "switch"
    shutil.copytree(SOURCES, faulty)
    text = (faulty / file).read_text()
    assert right in text
    (faulty / file).write_text(text.replace(right, wrong))
    driver = build_medium(tmp_path, faulty, ())
    with pytest.raises(AssertionError):
        for claim in CLAIMS:
            claim(driver)
