"""Links between emulated hosts by hand: what a packet takes of them; words that are refused."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.hosts.emulated.impairment import HEALTHY, Impairment, parse_impairment
from leadline.hosts.emulated.link import LINKS, Framing, Medium, Shaper, parse_link

# -- framing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ip_bytes", "wire_bytes"),
    [(1500, 1538), (46, 84), (47, 85), (20, 84), (52, 90)],
)
def test_ethernet_adds_38_bytes_and_sends_84_at_least(ip_bytes: int, wire_bytes: int) -> None:
    assert LINKS["ethernet-10"].wire_bytes(ip_bytes) == wire_bytes


@pytest.mark.parametrize(
    ("ip_bytes", "cells"),
    [(20, 1), (32, 1), (33, 2), (80, 2), (81, 3), (1500, 32), (9180, 192)],
)
def test_atm_sends_whole_cells_of_53_bytes(ip_bytes: int, cells: int) -> None:
    assert LINKS["atm-155"].wire_bytes(ip_bytes) == 53 * cells


def test_payload_rates_are_those_of_full_segments() -> None:
    atm, gigabit = LINKS["atm-155"], LINKS["gigabit"]
    assert atm.payload_bits_per_s == pytest.approx(149.76e6 * 9128 / 10176)
    assert gigabit.payload_bits_per_s == pytest.approx(1e9 * 1448 / 1538)


def test_shared_medium_carries_the_answers_too() -> None:
    # an acknowledgement, 90 bytes on the wire, for every two segments
    found = LINKS["ethernet-10"].payload_bits_per_s
    assert found == pytest.approx(10e6 * 2 * 1448 / (2 * 1538 + 90))


def test_sonet_leaves_atm_less_than_its_line_is_rated() -> None:
    atm = LINKS["atm-155"]
    assert (atm.rated_bits_per_s, atm.rate_bits_per_s) == (155_520_000, 149_760_000)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINKS)
def test_name_alone_is_the_link_of_that_name(name: str) -> None:
    assert parse_link(name) == LINKS[name]


def test_rate_is_switched_ethernet_unless_told_otherwise() -> None:
    link = parse_link("100Mbit")
    assert (link.rate_bits_per_s, link.mtu, link.delay_s) == (100_000_000, 1500, 0)
    assert (link.medium, link.framing, link.shaper) == (
        Medium.SWITCHED, Framing.ETHERNET, Shaper.SWITCH
    )  # fmt: skip


def test_words_after_a_comma_change_the_link() -> None:
    link = parse_link("10Mbit, delay=1ms, mtu=9000, shared")
    assert (link.delay_s, link.mtu, link.medium) == (1e-3, 9000, Medium.SHARED)
    assert parse_link("atm-155,mtu=1500").framing is Framing.ATM
    assert parse_link(link.name) == link


def test_rates_above_those_of_the_switch_are_the_kernels() -> None:
    assert parse_link("gigabit").shaper is Shaper.KERNEL
    assert parse_link("200Mbit").shaper is Shaper.SWITCH


def test_link_that_cannot_be_is_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        "0Mbit",
        "1kbit",
        "1Tbit",
        "10",
        "ethernet10",
        "",
        "10Mbit,shred",
        "10Mbit,mtu",
        "10Mbit,mtu=67",
        "10Mbit,mtu=65522",
        "atm-155,mtu=9181",
        "10Mbit,mtu=big",
        "10Mbit,delay=2",
        "10Mbit,delay=-1ms",
        "10Mbit,shared,switched",
        "10Mbit,delay=1ms,delay=2ms",
        "gigabit,delay=1ms",
    ]
    assert refusals(parse_link, given, UsageError) == snapshot


# -- impairments -----------------------------------------------------------------------------------


def test_impairment_is_what_its_words_say_and_nothing_else() -> None:
    assert parse_impairment(["rate=0.5", "delay=1ms"]) == Impairment(0.5, 1e-3)
    assert parse_impairment(["cut", "stopped=90%"]) == Impairment(cut=True, stopped_share=0.9)
    assert parse_impairment(["none"]) == HEALTHY


@pytest.mark.parametrize("text", ["none", "rate=0.5", "rate=0.8 delay=1.5ms cut stopped=0.9"])
def test_words_of_an_impairment_make_the_same_again(text: str) -> None:
    assert parse_impairment(text.split()).words == text


def test_impairment_that_cannot_be_is_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        [],
        ["rate=0"],
        ["rate=2"],
        ["delay=x"],
        ["rate=0.5", "rate=0.2"],
        ["cut=1"],
        ["none", "cut"],
        ["delay"],
        ["delay=1001ms"],
    ]
    assert refusals(parse_impairment, given, UsageError) == snapshot
