"""What is usual beside a host: without its own part, each pair once, less what a round changed."""

from __future__ import annotations

import pytest

from leadline.health.centre import votes
from leadline.health.diagnosis import deviations
from leadline.health.matchings import HostPair
from leadline.health.observations import Observation, Round, Symptom, undrifted

HOSTS = ("h1", "h2", "h3", "h4")
SLOWNESS: dict[HostPair, float] = {
    ("h1", "h2"): 0,
    ("h1", "h3"): 1,
    ("h2", "h3"): 2,
    ("h1", "h4"): 9,
    ("h2", "h4"): 9,
    ("h3", "h4"): 9,
}
"""Beside each other h1, h2, h3 have medians of 0.5, 1 and 1.5; with h4 of 1, 2 and 2."""


def shown(values: dict[HostPair, float]) -> tuple[Observation, ...]:
    return tuple(Observation(pair, Symptom.RATE, value) for pair, value in values.items())


def test_a_host_is_held_against_what_the_others_show_beside_each_other() -> None:
    usual = votes(shown(SLOWNESS), Symptom.RATE, HOSTS)
    assert usual.centres_without(0.5)["h4"] == pytest.approx(1)
    assert usual.centre() == pytest.approx(2)


def test_a_pair_that_met_again_and_again_votes_once() -> None:
    often = [*shown(SLOWNESS), *shown({("h2", "h3"): 2}) * 9]
    (found,) = deviations(often, {"h4"}, HOSTS, 0.9)
    assert found.log_slowness.value == pytest.approx(9 - 1)


def rounds_of(*rounds: dict[HostPair, float]) -> list[float]:
    """What is left of all that such rounds showed."""
    return [o.log_slowness for o in undrifted([Round(tuple(one), shown(one)) for one in rounds])]


def test_what_a_round_changed_for_all_of_its_pairs_is_taken_out() -> None:
    before: dict[HostPair, float] = {("h1", "h2"): 0, ("h3", "h4"): 0, ("h5", "h6"): 0}
    after: dict[HostPair, float] = {("h1", "h3"): 1, ("h2", "h5"): 1, ("h4", "h6"): 1}
    assert rounds_of(before, after) == pytest.approx([0] * 6)


def test_a_slow_pair_of_two_doesnt_make_what_the_round_changed() -> None:
    before: dict[HostPair, float] = {("h1", "h2"): 0, ("h3", "h4"): 0}
    after: dict[HostPair, float] = {("h1", "h3"): 1, ("h2", "h4"): 0}
    assert rounds_of(before, after) == pytest.approx([0, 0, 1, 0])
