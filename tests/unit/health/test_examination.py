"""From round to round: sound clusters are cleared, planted faults named, at the rate promised."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.support.clusters import Cluster, examined

from leadline.health.diagnosis import ERROR
from leadline.health.examination import Examination
from leadline.health.matchings import matchings
from leadline.health.observations import Observation, Round, Symptom, Tolerances
from leadline.health.outcome import FaultKind, health_of
from leadline.health.silence import failing_hosts, silent_hosts
from leadline.record.warnings import WarningKind

CLUSTERS = 20


def suspects(cluster: Cluster) -> set[tuple[FaultKind, str]]:
    found = health_of(examined(cluster, seed=cluster.seed)).suspects
    return {(one.kind, one.name) for one in found}


def test_sound_clusters_are_healthy_within_the_bound_asked_for() -> None:
    for seed in range(CLUSTERS):
        found = health_of(examined(Cluster(8, seed=seed, spread=0.01), seed=seed))
        assert found.healthy
        assert not found.undecided
        bounds = {one.symptom: one for one in found.bounds}
        assert bounds[Symptom.RATE].factor >= 0.9
        assert bounds[Symptom.LATENCY].factor >= 1 / 1.5
        assert {one.level for one in found.bounds} == {1 - ERROR}


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ({"rates": {"h3": 0.5}}, {(FaultKind.LINK, "h3")}),
        ({"rates": {"h3": 0.8}, "spread": 0.02}, {(FaultKind.LINK, "h3")}),
        ({"delays_s": {"h3": 1e-3}}, {(FaultKind.LINK, "h3")}),
        ({"stalls": {"h3": 8.0}}, {(FaultKind.HOST, "h3")}),
        ({"dead": ("h3",)}, {(FaultKind.DOWN, "h3")}),
        ({"dead": ("h3", "h5")}, {(FaultKind.DOWN, "h3"), (FaultKind.DOWN, "h5")}),
        ({"rates": {"h3": 0.5, "h5": 0.5}}, {(FaultKind.LINK, "h3"), (FaultKind.LINK, "h5")}),
        ({"rates": {"h3": 0.5}, "dead": ("h8",)}, {(FaultKind.LINK, "h3"), (FaultKind.DOWN, "h8")}),
        ({"paths": {("h3", "h5"): 0.5}}, {(FaultKind.LINK, "h3+h5")}),
    ],
)
def test_planted_fault_is_named_and_nothing_else(
    fault: dict[str, object], named: set[tuple[FaultKind, str]]
) -> None:
    for seed in range(3):
        assert suspects(Cluster(8, seed=seed, **fault)) == named  # type: ignore[arg-type]


def test_hosts_at_the_very_edge_of_what_is_tolerated_are_named_as_rarely_as_promised() -> None:
    named = sum(bool(suspects(Cluster(6, seed=s, rates={"h3": 0.9}))) for s in range(CLUSTERS))
    assert named <= 3  # of 20 with a chance of 5 % each: more in 1.6 % of all cases


def test_noise_that_slows_every_third_pair_names_nobody() -> None:
    for seed in range(5):
        assert not suspects(Cluster(6, seed=seed, outliers=0.33))


def test_rounds_grow_with_the_logarithm_of_the_hosts() -> None:
    def first(number: int) -> int:
        return Examination(Cluster(number).hosts, Tolerances()).rounds_at_first

    assert first(8) == 10
    assert [first(8 * 2**k) - first(8) for k in range(8)] == list(range(8))


def test_factor_is_the_speed_over_that_of_the_median_and_its_interval_holds_it() -> None:
    (found,) = health_of(examined(Cluster(8, rates={"h3": 0.5}))).suspects
    assert found.factor
    assert found.factor.holds(0.5)
    assert found.factor.value == pytest.approx(0.5, abs=0.05)


def test_too_few_rounds_give_a_bound_that_is_less_sure() -> None:
    short = examined(Cluster(8, spread=0.01, outliers=0), most_rounds=7)
    assert health_of(short).bounds == ()
    short.conclude()
    found = health_of(short)
    assert found.healthy
    assert {one.level for one in found.bounds} == {1 - 24 / 2**7}
    assert set(found.undecided) == set(short.hosts)


def test_three_hosts_tell_the_slow_one() -> None:
    assert suspects(Cluster(3, rates={"h2": 0.5}, spread=0.02)) == {(FaultKind.LINK, "h2")}


def test_hosts_are_named_that_didnt_answer_before_it_began() -> None:
    sound = examined(Cluster(4, spread=0.01))
    refused = "No route to host"
    found = health_of(sound, {"h9": refused})
    assert [(one.kind, one.name, one.why) for one in found.suspects] == [
        (FaultKind.DOWN, "h9", refused)
    ]
    assert not found.healthy


def spoken(*pairs: tuple[str, str]) -> tuple[Observation, ...]:
    return tuple(Observation(pair, Symptom.LATENCY, math.log(1e-5)) for pair in pairs)


def test_one_silent_pair_is_nobodys_fault_yet() -> None:
    pairs = (("h1", "h2"), ("h3", "h4"))
    assert silent_hosts([Round(pairs, spoken(("h3", "h4")))]) == set()


def test_the_partner_of_a_dead_host_is_cleared_by_another_partner() -> None:
    rounds = [
        Round((("h1", "h2"), ("h3", "h4")), spoken(("h3", "h4"))),
        Round((("h1", "h3"), ("h2", "h4")), spoken(("h2", "h4"))),
        Round((("h1", "h4"), ("h2", "h3")), spoken(("h2", "h3"))),
    ]
    assert silent_hosts(rounds) == {"h1"}
    assert failing_hosts(rounds, ERROR) == {}


def test_two_launches_that_fail_dont_take_a_host_down() -> None:
    rounds = [
        Round((("h1", "h2"), ("h3", "h4")), spoken(("h3", "h4"))),
        Round((("h1", "h3"), ("h2", "h4")), spoken(("h2", "h4"))),
    ]
    assert silent_hosts(rounds) == set()


def test_nobody_is_down_where_all_are_silent() -> None:
    pairs = (("h1", "h2"), ("h3", "h4"))
    assert silent_hosts([Round(pairs, ())] * 3) == set()


def failing(of: dict[str, float], cluster: Cluster, error: float = ERROR) -> dict[str, float]:
    """What eleven rounds of `cluster` say, where launches fail that often on the hosts of `of`."""
    random = np.random.default_rng(cluster.seed)
    rounds = []
    for pairs in itertools.islice(matchings(cluster.hosts, cluster.seed), 11):
        heard = [p for p in pairs if all(random.random() >= of.get(host, 0) for host in p)]
        rounds.append(Round(pairs, spoken(*heard)))
    return failing_hosts(rounds, error)


def test_a_host_that_fails_now_and_then_is_told_by_what_its_partners_do_elsewhere() -> None:
    found = failing({"h1": 0.6}, Cluster(8, seed=2))
    assert found.keys() == {"h1"}
    assert 0 < found["h1"] < 0.8


def test_launches_that_fail_alike_on_all_hosts_name_nobody() -> None:
    clusters = [Cluster(8, seed=seed) for seed in range(CLUSTERS)]
    named = [failing(dict.fromkeys(one.hosts, 0.05), one) for one in clusters]
    assert sum(map(bool, named)) <= 3  # of 20 with a chance of 5 % each: more in 1.6 % of all cases


def test_four_silent_pairs_of_one_host_of_eight_are_no_chance() -> None:
    def share(silent: int) -> dict[str, float]:
        rounds = [*itertools.islice(matchings(Cluster(8).hosts, 0), 7)]
        seen = [
            Round(pairs, spoken(*(p for p in pairs if number >= silent or "h1" not in p)))
            for number, pairs in enumerate(rounds)
        ]
        return failing_hosts(seen, ERROR)

    assert share(3) == {}  # 35 of 3,276 ways to deal 3 silent pairs to 28, and 8 hosts
    assert share(4) == {"h1": pytest.approx(3 / 7)}  # 35 of 20,475


def test_two_hosts_that_hear_others_and_never_each_other_have_a_cut_path() -> None:
    found = health_of(examined(Cluster(8, cut=(("h3", "h5"),))))
    assert [(one.kind, one.name) for one in found.suspects] == [(FaultKind.DOWN, "h3+h5")]
    assert found.warnings == ()


def test_a_pair_of_which_nothing_came_is_tried_again_though_all_hosts_are_cleared() -> None:
    for seed in range(5):
        one = Cluster(8, seed=seed, spread=0.01, cut=(("h3", "h5"),))
        assert [(s.kind, s.name) for s in health_of(examined(one, seed=seed)).suspects] == [
            (FaultKind.DOWN, "h3+h5")
        ]


def test_a_cut_path_that_is_tried_again_and_again_makes_neither_host_fail() -> None:
    cut = ("h3", "h5")
    rounds = [
        Round(pairs, spoken(*(pair for pair in pairs if pair != cut)))
        for pairs in itertools.islice(matchings(Cluster(8).hosts, 0), 7)
    ]
    assert failing_hosts([*rounds, *[Round((cut,), ())] * 6], ERROR) == {}


def test_silent_pairs_that_are_nobodys_fault_are_not_passed_over() -> None:
    sound = examined(Cluster(8, spread=0.01))
    lost = Round(sound.rounds[-1].pairs, sound.rounds[-1].observations[3:])
    sound.rounds[-1] = lost
    (warning,) = health_of(sound).warnings
    assert warning.code == WarningKind.SILENT_PAIRS.code
    assert "+".join(lost.pairs[0]) in warning.cause


def test_half_of_the_hosts_slow_are_all_named_and_their_partners_are_not() -> None:
    slow = [f"h{number}" for number in range(1, 5)]
    for seed in range(5):
        cluster = Cluster(8, seed=seed, rates=dict.fromkeys(slow, 0.5), spread=0.02)
        found = health_of(examined(cluster, seed=seed)).suspects
        assert {(one.kind, one.name) for one in found} == {(FaultKind.LINK, host) for host in slow}
        assert all(one.factor and one.factor.holds(0.5) for one in found)


def test_a_machine_that_slows_down_meanwhile_is_no_fault_of_those_looked_at_late() -> None:
    for seed in range(5):
        for change in (lambda n: 0.5 * (n >= 11), lambda n: 0.03 * n):
            found = health_of(examined(Cluster(8, seed=seed, spread=0.08, change=change)))
            assert found.healthy
            assert found.bounds


def test_a_symptom_that_a_host_never_showed_has_no_bound() -> None:
    cluster = Cluster(8, spread=0.01, without_rate=("h3",))
    found = health_of(examined(cluster, most_rounds=20))
    assert {one.symptom for one in found.bounds} == {Symptom.LATENCY, Symptom.STALLS}


def test_of_two_hosts_nothing_can_be_said() -> None:
    found = health_of(examined(Cluster(2, rates={"h1": 0.5}, spread=0.01)), {"h3": "gone"})
    assert found.bounds == ()
    assert not found.undecided
