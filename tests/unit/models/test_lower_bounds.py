from __future__ import annotations

import math

import pytest
from harness.models import pingpong, stated

from leadline.models.algorithms import forms_of
from leadline.models.lower_bounds import MessageCost, least_time, link_at, over
from leadline.statistics.estimate import Estimate

COLLECTIVES = (
    "barrier", "bcast", "gather", "scatter", "allgather", "alltoall", "allreduce", "reduce",
    "reduce_scatter", "scan",
)  # fmt: skip
COST = MessageCost(Estimate(1e-6), Estimate(1e-9))


@pytest.mark.parametrize(
    ("pattern", "ranks", "size_bytes", "seconds"),
    [
        ("barrier", 9, 0, 4e-6),
        ("bcast", 8, 1000, 3e-6),
        ("bcast", 8, 10**6, 1.001e-3),
        ("allreduce:max", 4, 10**6, 1.501e-3),
        ("iallgather", 4, 10**6, 3.001e-3),
        ("reduce_scatter", 4, 10**6, 3.001e-3),
        ("gatherv", 2, 0, 1e-6),
    ],
)
def test_least_times_by_hand(pattern: str, ranks: int, size_bytes: int, seconds: float) -> None:
    bound = least_time(pattern, ranks, size_bytes, COST)
    assert bound is not None and bound.value == pytest.approx(seconds)


@pytest.mark.parametrize("pattern", ["pingpong", "halo", "gatherv:skewed", "ibcast:computing"])
def test_where_no_bound_is_known(pattern: str) -> None:
    assert least_time(pattern, 8, 1000, COST) is None


@pytest.mark.parametrize("size_bytes", [0, 8, 4096, 10**6])
@pytest.mark.parametrize("pattern", COLLECTIVES)
def test_no_known_algorithm_is_below_the_bound(pattern: str, size_bytes: int) -> None:
    for ranks in range(2, 70):
        bound = least_time(pattern, ranks, size_bytes, COST)
        assert bound is not None
        for name, form in forms_of(pattern).items():
            cost = form(ranks)
            if cost is not None and name != "pipeline":  # whose coefficients hold its segments
                time = 1e-6 * cost.messages + 1e-9 * size_bytes * cost.contributions
                assert time >= bound.value * (1 - 1e-9), (name, ranks)


def test_a_link_is_the_shortest_message_and_the_bytes_of_one_as_long() -> None:
    short, long = (link_at(pingpong(), size) for size in (1000, 2**16))
    assert short.alpha_s.value == long.alpha_s.value == 1.2e-6
    # each coefficient is known to 2.5 % by 12 blocks: t is 2.201
    assert short.alpha_s.bounds == pytest.approx((1.2e-6 * (1 - 0.055025), 1.2e-6 * (1 + 0.055025)))
    assert short.beta_s_per_byte.value == 0.31e-9
    assert long.beta_s_per_byte.value == 0.12e-9


def test_beyond_a_cache_edge_a_byte_adds_no_more_than_to_the_shortest_message() -> None:
    # 10 million bytes take -12 + 1600 us, 1586.8 more than the shortest: 0.15868 ns each, not 0.16
    for size_bytes, beta in ((2**20, (0.16e-9 * 2**20 - 13.2e-6) / 2**20), (10**7, 0.15868e-9)):
        link = link_at(pingpong(), size_bytes)
        assert link.beta_s_per_byte.value == pytest.approx(beta)
        bound = least_time("bcast", 2, size_bytes, link)
        assert bound is not None
        assert bound.value == pytest.approx(-12e-6 + 0.16e-9 * size_bytes)  # itself, by hand
    # start-up, slope and the shortest are each known to 2.5 %, the quantile is 2.2
    spread = 0.025 * math.hypot(12e-6, 0.16e-9 * 10**7, 1.2e-6) / 10**7
    assert link.beta_s_per_byte.bounds == pytest.approx(
        (0.15868e-9 - 2.2 * spread, 0.15868e-9 + 2.2 * spread)
    )


def test_a_link_of_stated_values_has_no_interval() -> None:
    link = link_at(stated(), 1000)
    assert (link.alpha_s.value, link.beta_s_per_byte.value) == (5e-6, 1e-9)
    assert link.alpha_s.bounds is None and link.beta_s_per_byte.bounds is None


def test_a_time_over_its_bound_is_as_unsure_as_both_together() -> None:
    time = Estimate(6.0, 6 / math.exp(0.3), 6 * math.exp(0.3), 0.95, 8)
    bound = Estimate(2.0, 2 / math.exp(0.4), 2 * math.exp(0.4), 0.95, 8)
    found = over(time, bound)
    assert found.value == 3 and found.n == 8
    assert found.bounds == pytest.approx((3 / math.exp(0.5), 3 * math.exp(0.5)))
    assert over(time, Estimate(2.0)).bounds is None


def test_a_bound_that_may_be_nothing_leaves_the_ratio_without_an_interval() -> None:
    time = Estimate(6.0, 5.0, 7.0, 0.95, 8)
    assert over(time, Estimate(2.0, -1.0, 5.0, 0.95, 8)) == Estimate(3.0, n=8)
