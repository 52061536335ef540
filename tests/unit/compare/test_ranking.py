from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare import ranking
from leadline.compare.analysis import Analysis
from leadline.compare.curves import Comparison
from leadline.compare.ranking import Rankings, groups_of
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.record.curve import CurveKey
from leadline.record.run import Run
from leadline.statistics.estimate import Estimate

SIZES = (8, 64, 512, 4096)


def run_with(microseconds: dict[str, tuple[float, ...]], blocks: int = 8, **other: object) -> Run:
    """Times by variant and size; blocks differ by a factor that all variants share."""
    drift = 1 + 0.05 * np.arange(blocks)
    seconds = np.array(list(microseconds.values()))[:, :, None] * 1e-6 * drift
    seconds *= 1 + 1e-4 * np.random.default_rng(3).normal(size=seconds.shape)
    configurations = [configuration(variant, **other) for variant in microseconds]
    return run_of_blocks(seconds, configurations, [cell(size) for size in SIZES])


def rankings_of(run: Run) -> Rankings:
    return ranking.rankings_of(Analysis(run))


def test_two_fastest_meet_at_every_size_and_equal_outcomes_join() -> None:
    run = run_with({"a": (1, 1, 40, 40), "b": (2, 2, 20, 20), "c": (30, 30, 30, 10)})
    (ranking,) = rankings_of(run).curves
    assert ranking.libraries == 3
    assert [(top.baseline, top.candidate, top.verdict) for top in ranking.top] == [
        ("a", "b", Verdict.SLOWER),
        ("a", "b", Verdict.SLOWER),
        ("b", "c", Verdict.SLOWER),
        ("b", "c", Verdict.FASTER),
    ]
    assert [(lead.first_bytes, lead.last_bytes) for lead in ranking.leads] == [
        (8, 64), (512, 512), (4096, 4096),
    ]  # fmt: skip
    assert ranking.leads[0].lowest.value == pytest.approx(2.0, rel=1e-3)
    assert ranking.leads[0].highest.value == pytest.approx(2.0, rel=1e-3)
    assert ranking.leads[2].highest.value == pytest.approx(0.5, rel=1e-3)


def test_front_has_those_who_tie_and_their_lead_over_the_rest() -> None:
    run = run_with({"a": (1, 1, 1, 4), "b": (2, 1, 1, 4), "c": (3, 3, 1, 8), "d": (9, 9, 1, 2)})
    (ranking,) = rankings_of(run).curves
    alone, two, all_, last = ranking.fronts
    assert [front.size_bytes for front in ranking.fronts] == list(SIZES)
    assert alone.tied == ("a",)
    assert alone.rest is not None
    assert alone.rest.in_order == ("a", "b")
    assert sorted(two.tied) == ["a", "b"]
    assert two.equal
    assert two.rest is not None
    assert two.rest.in_order == (two.tied[0], "c")
    assert (sorted(all_.tied), all_.rest) == (["a", "b", "c", "d"], None)
    assert last.tied == ("d",)


def test_front_that_is_not_decided_is_not_equal() -> None:
    (ranking,) = rankings_of(run_with({"a": (1, 1, 1, 1), "b": (9, 9, 9, 9)}, blocks=3)).curves
    assert {(front.tied, front.equal, front.rest) for front in ranking.fronts} == {
        (("a", "b"), False, None)
    }


def test_leader_is_overtaken_between_sizes_with_opposite_verdicts() -> None:
    (ranking,) = rankings_of(run_with({"a": (1, 2, 4, 8), "b": (2, 3, 3.5, 4)})).curves
    (crossing,) = ranking.crossings
    assert (crossing.below_bytes, crossing.above_bytes) == (64, 512)
    assert (crossing.ahead_below, crossing.ahead_above, crossing.leads) == ("a", "b", True)


def test_crossing_behind_the_leader_is_marked() -> None:
    run = run_with({"a": (1, 1, 1, 1), "b": (2, 2, 4, 4), "c": (3, 3, 3, 3)})
    (ranking,) = rankings_of(run).curves
    (crossing,) = ranking.crossings
    assert (crossing.ahead_below, crossing.ahead_above, crossing.leads) == ("b", "c", False)


def test_leader_that_a_third_one_relieves_in_between_is_not_overtaken_by_the_last() -> None:
    run = run_with({"a": (1, 4, 8, 8), "b": (8, 4, 2, 1), "c": (5, 2, 3, 3)})
    (ranking,) = rankings_of(run).curves
    changes = {(one.ahead_below, one.ahead_above): one.leads for one in ranking.crossings}
    assert changes == {("a", "b"): False, ("a", "c"): True, ("c", "b"): True}


def test_raw_backend_is_a_limit_and_no_competitor() -> None:
    rankings = rankings_of(run_with({"shm": (1, 1, 1, 1), "a": (2, 2, 2, 2), "b": (3, 3, 3, 3)}))
    (ranking,) = rankings.curves
    assert {top.baseline for top in ranking.top} == {"a"}
    assert {top.candidate for top in ranking.top} == {"b"}
    costs = {one.variant: round(one.effect.value, 2) for one in rankings.overheads}
    assert costs == {"a": 2.0, "b": 3.0}


def test_one_library_alone_has_no_standing() -> None:
    assert rankings_of(run_with({"a": (1, 1, 1, 1), "null": (1, 1, 1, 1)})).curves == ()


def test_more_ranks_than_cores_have_no_standing() -> None:
    run = run_with({"a": (1, 1, 1, 1), "b": (2, 2, 2, 2)}, oversubscribed=True)
    assert rankings_of(run).curves == ()


def test_size_that_one_library_lacks_is_left_out() -> None:
    run = run_with({"a": (1, 1, 1, np.nan), "b": (2, 2, 2, 2)})
    (ranking,) = rankings_of(run).curves
    assert [top.size_bytes for top in ranking.top] == [8, 64, 512]


def test_three_blocks_leave_everything_undecided() -> None:
    (ranking,) = rankings_of(run_with({"a": (1, 1, 1, 1), "b": (2, 2, 2, 2)}, blocks=3)).curves
    assert {top.verdict for top in ranking.top} == {Verdict.UNDECIDED}
    assert ranking.top[0].low is None
    assert len(ranking.leads) == 1


def pairs(times: dict[str, int], *ties: str) -> list[Comparison]:
    """All pairs of libraries with these times; `ties`, e.g. "ab", aren't decided."""
    return [
        pair(a, b, 0 if {a + b, b + a} & {*ties} else times[b] - times[a])
        for a, b in combinations(times, 2)
    ]


def pair(baseline: str, candidate: str, later: int) -> Comparison:
    verdict = Verdict.SLOWER if later > 0 else Verdict.FASTER
    judgement = Judgement(verdict) if later else Judgement.none(Why.CROSSES)
    curve = CurveKey("bcast", 2, "echo", "streaming")
    return Comparison(curve, None, baseline, candidate, Estimate(1.0, n=8), judgement, True)


def test_libraries_that_are_all_told_apart_stand_one_behind_the_other() -> None:
    assert groups_of(pairs({"c": 3, "a": 1, "b": 2})) == (("a",), ("b",), ("c",))


def test_ties_share_a_tier() -> None:
    assert groups_of(pairs({"a": 1, "b": 2, "c": 3, "d": 4}, "bc")) == (("a",), ("b", "c"), ("d",))
    assert groups_of(pairs({"a": 1, "b": 1, "c": 1})) == (("a", "b", "c"),)


def test_who_is_tied_with_both_neighbours_joins_them() -> None:
    # a is faster than c, but b is told from neither: no order of three can say that
    assert groups_of(pairs({"a": 1, "b": 2, "c": 3}, "ab", "bc")) == (("a", "b", "c"),)


def test_pair_that_was_not_compared_is_in_no_order() -> None:
    assert groups_of([pair("a", "b", 1), pair("b", "c", 1)]) == (("a", "b", "c"),)


@pytest.mark.parametrize("number", [0, 1])
def test_nobody_to_compare_makes_no_tier(number: int) -> None:
    assert groups_of(pairs(dict.fromkeys("a"[:number], 1))) == ()


def test_every_tier_is_faster_than_all_that_follow() -> None:
    times = {name: place % 4 for place, name in enumerate("hgfedcba")}
    found = pairs(times, "hg")
    won = {(one.candidate, one.baseline) for one in found if one.verdict is Verdict.FASTER}
    won |= {(one.baseline, one.candidate) for one in found if one.verdict is Verdict.SLOWER}
    groups = groups_of(found)
    assert len(groups) == 3
    for before, after in combinations(groups, 2):
        assert all((a, b) in won for a in before for b in after)
    assert sorted(name for tier in groups for name in tier) == sorted(times)
