"""Rounds of disjoint pairs: nobody twice, everybody with everybody, one rests of an odd number."""

from __future__ import annotations

import itertools

import pytest

from leadline.health.matchings import (
    disjoint,
    matchings,
    met_least,
    pair_of,
    with_partners,
)


def names(number: int) -> list[str]:
    return [f"h{n + 1}" for n in range(number)]


@pytest.mark.parametrize("number", [2, 3, 4, 7, 8, 9])
def test_a_cycle_has_each_pair_once_and_nobody_twice_in_a_round(number: int) -> None:
    rounds = list(itertools.islice(matchings(names(number), 1), number - 1 + number % 2))
    for one in rounds:
        busy = [host for pair in one for host in pair]
        assert len(busy) == len(set(busy)) == number - number % 2
    met = [pair for one in rounds for pair in one]
    assert sorted(met) == sorted(pair_of(*two) for two in itertools.combinations(names(number), 2))


def test_each_of_an_odd_number_rests_once_in_a_cycle() -> None:
    rounds = itertools.islice(matchings(names(5), 3), 5)
    resting = [set(names(5)).difference(*one) for one in rounds]
    assert sorted(host for (host,) in resting) == names(5)


def test_the_next_cycle_has_another_order_and_the_seed_says_which() -> None:
    first, again = (list(itertools.islice(matchings(names(8), 7), 14)) for _ in range(2))
    assert first == again
    assert first[:7] != first[7:]
    assert first != list(itertools.islice(matchings(names(8), 8), 14))


@pytest.mark.parametrize("number", [0, 1])
def test_nobody_has_a_partner_where_there_are_fewer_than_two(number: int) -> None:
    assert not list(matchings(names(number), 0))


def test_a_partner_is_one_that_was_met_least_often() -> None:
    met = [("h1", "h3"), ("h1", "h4"), ("h2", "h3")]
    assert with_partners(["h1"], ["h3", "h4", "h5"], met) == (("h1", "h5"),)
    assert with_partners(["h1", "h2"], ["h3", "h4"], met) == (("h1", "h3"), ("h2", "h4"))


def test_who_comes_first_is_served_where_partners_are_few() -> None:
    assert with_partners(["h2", "h1"], ["h3"], []) == (("h2", "h3"),)
    assert with_partners(["h1"], [], []) == ()


def test_all_that_are_left_meet_whom_they_met_least_and_the_busiest_rests() -> None:
    met = [("h1", "h2"), ("h3", "h4")]
    assert met_least(["h1", "h2", "h3", "h4"], met) == (("h1", "h3"), ("h2", "h4"))
    assert met_least(["h1", "h2", "h3"], [("h1", "h2"), ("h1", "h3")]) == (("h2", "h3"),)


def test_pairs_that_share_a_host_wait_for_another_round() -> None:
    assert disjoint([("h1", "h2"), ("h2", "h3"), ("h3", "h4")]) == (("h1", "h2"), ("h3", "h4"))
    assert disjoint([("h1", "h2"), ("h3", "h4")], {"h4"}) == (("h1", "h2"),)
