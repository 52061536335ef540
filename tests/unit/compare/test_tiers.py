from __future__ import annotations

from itertools import combinations

import pytest

from leadline.compare.comparisons import Comparison
from leadline.compare.tiers import tiers_of
from leadline.compare.verdict import Judgement, Verdict, Why
from leadline.record.curve import CurveKey
from leadline.statistics.estimate import Estimate


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
    assert tiers_of(pairs({"c": 3, "a": 1, "b": 2})) == (("a",), ("b",), ("c",))


def test_ties_share_a_tier() -> None:
    assert tiers_of(pairs({"a": 1, "b": 2, "c": 3, "d": 4}, "bc")) == (("a",), ("b", "c"), ("d",))
    assert tiers_of(pairs({"a": 1, "b": 1, "c": 1})) == (("a", "b", "c"),)


def test_who_is_tied_with_both_neighbours_joins_them() -> None:
    # a is faster than c, but b is told from neither: no order of three can say that
    assert tiers_of(pairs({"a": 1, "b": 2, "c": 3}, "ab", "bc")) == (("a", "b", "c"),)


def test_pair_that_was_not_compared_is_in_no_order() -> None:
    assert tiers_of([pair("a", "b", 1), pair("b", "c", 1)]) == (("a", "b", "c"),)


@pytest.mark.parametrize("number", [0, 1])
def test_nobody_to_compare_makes_no_tier(number: int) -> None:
    assert tiers_of(pairs(dict.fromkeys("a"[:number], 1))) == ()


def test_every_tier_is_faster_than_all_that_follow() -> None:
    times = {name: place % 4 for place, name in enumerate("hgfedcba")}
    found = pairs(times, "hg")
    won = {(one.candidate, one.baseline) for one in found if one.verdict is Verdict.FASTER}
    won |= {(one.baseline, one.candidate) for one in found if one.verdict is Verdict.SLOWER}
    tiers = tiers_of(found)
    assert len(tiers) == 3
    for before, after in combinations(tiers, 2):
        assert all((a, b) in won for a in before for b in after)
    assert sorted(name for tier in tiers for name in tier) == sorted(times)
