from __future__ import annotations

import math

from leadline.hosts.placement import Hosts
from leadline.measure.links import OWN_SPEED
from leadline.measure.order import Order

NAMES = ("a", "b")


def slowest(link_bound: float | None, link_bytes_per_s: float = 0.0) -> float:
    hosts = Hosts(NAMES, link_bytes_per_s=link_bytes_per_s)
    return Order(patterns=("pingpong",), hosts=hosts, link_bound=link_bound).slowest_link


def test_slowest_link_is_the_least_rate_that_is_known() -> None:
    assert slowest(None) == math.inf
    assert slowest(OWN_SPEED) == math.inf
    assert slowest(1e6) == 1e6
    assert slowest(None, 2e6) == 2e6
    assert slowest(1e6, 2e6) == 1e6
    assert slowest(OWN_SPEED, 2e6) == 2e6
