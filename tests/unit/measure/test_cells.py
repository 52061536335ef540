"""Sizes and ranks that don't suit a pattern: said with the rule, never dropped without a word."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.plans import cores, pattern, request

from leadline.errors import UsageError
from leadline.kernels.description import Capability
from leadline.measure.cells import Resources, planned_cells, unsuited

PATTERNS = {
    "pingpong": pattern("pingpong", participants=2),
    "barrier": pattern("barrier", granularity=0),
    "fetch_add": pattern("fetch_add", granularity=0),
    "gather": pattern("gather", least_bytes=1),
    "reduce": pattern("reduce", granularity=8),
    "allreduce": pattern("allreduce", granularity=8, least_bytes=8),
    "pair": pattern("pair", in_pairs=True),
}
RESOURCES = Resources({"a": Capability("a", True, 2**63, (), PATTERNS)}, 1.0, cores(2), 2**34, None)


def causes(*patterns: str, sizes: tuple[int, ...], asked: bool = True) -> list[str]:
    """Why something is left out."""
    _, warnings = planned_cells(request(*patterns, sizes=sizes, sizes_asked=asked), RESOURCES)
    return [warning.cause for warning in warnings]


def test_size_below_the_least_that_was_asked_for_is_told_with_the_rule(
    snapshot: SnapshotAssertion,
) -> None:
    told = (
        causes("barrier", "allreduce", sizes=(7,)),
        causes("allreduce", "pingpong", sizes=(0, 7)),
        causes("gather", "pingpong", sizes=(0,)),
    )
    assert told == snapshot


def test_smallest_sizes_that_nobody_asked_for_go_without_a_word(
    snapshot: SnapshotAssertion,
) -> None:
    assert causes("allreduce", "pingpong", sizes=(0, 8), asked=False) == []
    assert causes("allreduce", sizes=(0, 8, 12), asked=False) == snapshot


@pytest.mark.parametrize("asked", [True, False])
def test_error_where_no_size_is_left_has_rule_and_remedy(
    asked: bool, snapshot: SnapshotAssertion
) -> None:
    wanted = request("allreduce", sizes=(7,), sizes_asked=asked)
    with pytest.raises(UsageError) as error:
        planned_cells(wanted, RESOURCES)
    assert str(error.value) == snapshot


@pytest.mark.parametrize("name", ["allreduce", "reduce", "gather"])
@pytest.mark.parametrize("size", range(24))
def test_size_of_the_remedy_is_one_that_the_pattern_takes(name: str, size: int) -> None:
    if PATTERNS[name].takes(size):
        return
    _, (warning,) = planned_cells(
        request(name, "barrier", sizes=(size,), sizes_asked=True), RESOURCES
    )
    assert PATTERNS[name].takes(int(warning.remedy.split()[-1]))


def test_sizes_of_patterns_that_have_none_are_refused(snapshot: SnapshotAssertion) -> None:
    for patterns, size in ((("barrier",), 8), (("barrier", "fetch_add"), 1024)):
        with pytest.raises(UsageError) as refused:
            causes(*patterns, sizes=(size,))
        assert str(refused.value) == snapshot
    assert causes("barrier", "pingpong", sizes=(8,)) == []
    assert causes("barrier", sizes=(8,), asked=False) == []


def test_ranks_that_do_not_suit_are_told_with_those_that_do(snapshot: SnapshotAssertion) -> None:
    cells, _ = planned_cells(request("pair", "pingpong", "gather", sizes=(8,)), RESOURCES)
    told = {ranks: [one.cause for one in unsuited(cells, ranks)] for ranks in (3, 1)}
    assert told == snapshot
