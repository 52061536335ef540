from __future__ import annotations

import math

from leadline.hosts.emulated.link import parse_link
from leadline.hosts.placement import Hosts
from leadline.measure.spec import OWN_SPEED, Request

NAMES = ("a", "b")


LINK = parse_link("ethernet-10,delay=5ms")
CARRIED = LINK.payload_bits_per_s / 8


def slowest(link_bound: float | None, known: bool = False) -> float:
    hosts = Hosts(NAMES, link=LINK.facts if known else None)
    return Request(patterns=("pingpong",), hosts=hosts, link_bound=link_bound).slowest_link


def test_slowest_link_is_the_least_rate_that_is_known() -> None:
    assert slowest(None) == math.inf
    assert slowest(OWN_SPEED) == math.inf
    assert slowest(1e6) == 1e6
    assert slowest(None, known=True) == CARRIED
    assert slowest(1e6, known=True) == 1e6
    assert slowest(OWN_SPEED, known=True) == CARRIED


def test_delay_of_a_link_is_that_of_emulated_hosts() -> None:
    assert Request(patterns=(), hosts=Hosts(NAMES, link=LINK.facts)).link_delay_s == 0.005
    assert Request(patterns=(), hosts=Hosts(NAMES)).link_delay_s == 0
