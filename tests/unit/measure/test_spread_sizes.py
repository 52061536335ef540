"""What a budget too small leaves of a suite: patterns go before sizes are fewer than four."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.support.plans import cores, pattern, request
from tests.support.texts import numbers

from leadline.kernels.description import Capability
from leadline.measure import budget
from leadline.measure.cells import Resources
from leadline.measure.plan import Plan, make_plan
from leadline.measure.spec import DEFAULT_SIZES

SUITE = tuple(f"p{number}" for number in range(60))
PATTERNS = {
    name: pattern(name, participants=2, whose_time="root", cadence="streaming") for name in SUITE
}
ABLE = Capability("mpi", True, 2**63, (), PATTERNS)
RESOURCES = Resources(dict.fromkeys("abcd", ABLE), 1.0, cores(2), 16 * 2**30, 32 * 2**20)


def planned(patterns: tuple[str, ...], budget_s: float, sizes: tuple[int, ...]) -> Plan:
    return make_plan(request(*patterns, sizes=sizes, budget_s=budget_s), RESOURCES)


def left(plan: Plan) -> dict[str, list[int]]:
    """The sizes but 0 B that each pattern has left."""
    found: dict[str, list[int]] = {}
    for one in plan.groups[0].cells:
        sizes = found.setdefault(one.choice.name, [])
        sizes += [one.cell.size_bytes] * (one.cell.size_bytes > 0)
    return found


@pytest.mark.parametrize("budget_s", [15.0, 20.0, 24.0, 30.0, 40.0])
def test_sizes_stay_spread_out_while_patterns_are_dropped(budget_s: float) -> None:
    found = left(planned(SUITE, budget_s, DEFAULT_SIZES))
    assert 1 < len(found) < len(SUITE)
    for sizes in found.values():
        assert len(sizes) == 4
        assert (sizes[0], sizes[-1]) == (8, 2_000_000)
        steps = [upper / lower for lower, upper in pairwise(sizes)]
        assert max(steps) < 2_000_000 / 8 / 10, "no gap has most of the range"


@pytest.mark.parametrize("budget_s", [15.0, 20.0, 24.0, 30.0, 40.0])
def test_patterns_that_are_kept_get_back_what_there_is_room_for(budget_s: float) -> None:
    found = left(planned(SUITE, budget_s, DEFAULT_SIZES))
    alone = left(planned(tuple(found), budget_s, DEFAULT_SIZES))
    assert found == alone, "as if the others had never been asked for"
    more = left(planned(SUITE[: len(found) + 1], budget_s, DEFAULT_SIZES))
    assert len(more) == len(found), "one more pattern doesn't fit with four sizes"


def test_last_pattern_is_left_with_fewer_sizes_rather_than_refused() -> None:
    (sizes,) = left(planned(("p0",), 6.9, DEFAULT_SIZES)).values()
    assert sizes == [8, 2_000_000]


def test_suite_left_with_the_ends_of_its_sizes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SPREAD_SIZES", 2)
    found = left(planned(SUITE, 20.0, DEFAULT_SIZES))
    with pytest.raises(AssertionError):
        assert min(map(len, found.values())) >= 4


def test_sizes_that_are_four_are_all_spread_out() -> None:
    few = (8, 64, 512, 4096)
    found = left(planned(SUITE, 20.0, few))
    assert set(map(tuple, found.values())) == {few}
    resources = replace(RESOURCES, capabilities=dict.fromkeys("ab", ABLE))
    assert left(make_plan(request("p0", sizes=few, budget_s=60.0), resources)) == {"p0": [*few]}


# -- dear cells ------------------------------------------------------------------------------------

STREAM = "stream"
WITH_STREAM = (*SUITE[:7], STREAM, *SUITE[7:])
"""Of whose messages 64 are in flight: one of 2 MB takes 30 times as long as a ping-pong's."""


def with_stream(budget_s: float, patterns: tuple[str, ...] = WITH_STREAM) -> Plan:
    stream = replace(PATTERNS["p0"], name=STREAM, messages_in_flight=64)
    able = Capability("mpi", True, 2**63, (), PATTERNS | {STREAM: stream})
    resources = replace(RESOURCES, capabilities=dict.fromkeys("abcd", able))
    return make_plan(request(*patterns, sizes=DEFAULT_SIZES, budget_s=budget_s), resources)


def test_dear_size_of_one_pattern_goes_before_all_patterns_behind_it() -> None:
    plan = with_stream(24.0)
    found = left(plan)
    assert len(found) > 9, "the eighth is the stream"
    assert found["p0"][-1] == 2_000_000 > found[STREAM][-1]
    (budget,) = [one for one in plan.warnings if one.code == "budget"]
    *_, stream, patterns = budget.cause.split("; ")
    assert stream.split()[0] == STREAM and numbers(stream) == ["2,000,000"]
    assert patterns.endswith("p59")


def test_dear_size_stays_where_there_is_room_for_it() -> None:
    found = left(with_stream(60.0, WITH_STREAM[:9]))
    assert len(found) == 9
    assert found[STREAM][-1] == 2_000_000


def test_stream_that_was_no_dearer_than_others_keeps_its_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Then all patterns behind it go, as they did."""
    monkeypatch.setattr(budget, "EXPENSIVE", 1e9)
    found = left(with_stream(24.0))
    assert len(found) <= 8


def test_pattern_keeps_its_smallest_size_however_dear() -> None:
    plan = with_stream(10.0, (STREAM, "p0", "p1"))
    assert left(plan)[STREAM][:1] == [8]
