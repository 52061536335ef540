"""Orders of thousands of sizes: planned as few are, and said in a sentence."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.plans import cores, pattern, request
from tests.support.texts import numbers

from leadline.errors import UsageError
from leadline.kernels.description import Capability
from leadline.measure import budget
from leadline.measure.budget import Costs
from leadline.measure.cells import MOST_CELLS, PlannedCell, Resources
from leadline.measure.plan import make_plan

THOUSANDS = tuple(range(8, 80_001, 8))
PATTERNS = {
    "pingpong": pattern("pingpong", participants=2, whose_time="root", cadence="streaming"),
    "reduce": pattern("reduce", granularity=8),
}
ABLE = Capability("mpi", True, 2**63, (), PATTERNS)
RESOURCES = Resources({"a": ABLE, "b": ABLE}, 1.0, cores(2), 16 * 2**30, 32 * 2**20)


def one_by_one(sizes: Sequence[int]) -> list[int]:
    """The inner sizes in the order of the rule, by looking at all that are left each time."""
    left, gone = list(sizes), []
    while len(left) > 2:
        inner = range(1, len(left) - 1)
        closest = min(inner, key=lambda i: math.log(left[i + 1] / left[i - 1]))
        gone.append(left.pop(closest))
    return gone


@pytest.mark.parametrize("seed", range(20))
def test_inner_sizes_go_by_how_close_their_neighbours_lie(seed: int) -> None:
    random_sizes = random.Random(seed)
    sizes = sorted(random_sizes.sample(range(1, 4000), random_sizes.randrange(1, 80)))
    assert budget._by_closeness(sizes) == one_by_one(sizes)


def test_costs_of_thousands_of_sizes_are_summed_a_few_times_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once for each size that was dropped took two minutes."""
    asked: list[int] = []
    cost = Costs._least_s

    def counted(self: Costs, planned: PlannedCell, variant: str) -> float:
        asked.append(planned.cell.size_bytes)
        return cost(self, planned, variant)

    monkeypatch.setattr(Costs, "_least_s", counted)
    plan = make_plan(request("pingpong", sizes=THOUSANDS, budget_s=20.0), RESOURCES)
    assert 2 < len(plan.groups[0].cells) < len(THOUSANDS)
    assert len(asked) < 30 * len(RESOURCES.capabilities) * len(THOUSANDS)
    assert plan.estimate_s <= 20


@pytest.mark.parametrize("budget_s", [7.5, 8.0, 9.0])
def test_no_more_sizes_are_dropped_than_it_takes(budget_s: float) -> None:
    def left(sizes: Sequence[int]) -> set[int]:
        plan = make_plan(request("pingpong", sizes=tuple(sizes), budget_s=budget_s), RESOURCES)
        return {one.cell.size_bytes for one in plan.groups[0].cells}

    sizes = THOUSANDS[:60]
    found, gone = left(sizes), one_by_one(sizes)
    number = len(sizes) - len(found)
    assert 0 < number < len(gone)
    assert found == {*sizes} - {*gone[:number]}
    assert left(sorted({*found, gone[number - 1]})) == found


def test_thousands_of_sizes_left_out_are_one_sentence(snapshot: SnapshotAssertion) -> None:
    plan = make_plan(request("pingpong", "reduce", sizes=tuple(range(1, 2001))), RESOURCES)
    messages = {warning.code: warning.cause for warning in plan.warnings}
    assert messages["size_dropped"] == snapshot
    assert len(numbers(messages["budget"])) == 4, "the budget, the first, the last, and how many"
    assert max(map(len, messages.values())) < 200


def test_more_cells_than_anybody_measures_are_refused_with_their_sum() -> None:
    many = request("pingpong", "reduce", sizes=THOUSANDS, ranks=tuple(range(2, 12)))
    with pytest.raises(UsageError) as refused:
        make_plan(many, RESOURCES)
    message = numbers(str(refused.value))
    assert message[:4] == ["2", "10,000", "10", "200,000"]
    assert message[4] == f"{MOST_CELLS:,}"
