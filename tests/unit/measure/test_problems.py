"""Applications in a plan: what their problems take, and who can share one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.plans import cores, pattern, request, words

from leadline.errors import UsageError
from leadline.kernels.description import Capability
from leadline.measure.cells import Resources, patience_s, solving_s
from leadline.measure.plan import Plan, make_plan
from leadline.measure.tracing import check_repetitions
from leadline.patterns.pattern import Application, Problem
from leadline.record.run import Cadence
from leadline.report.text.plan import plan_lines

GIB = 2**30
SMALL = Problem(repetitions=4, most_ranks=4, flop=10**8, bytes=10**8)
LARGE = Problem(repetitions=20, most_ranks=16, flop=10**9, bytes=10**10)
SOLVER = pattern(
    "solver",
    granularity=0,
    one_buffer=True,
    cadence="streaming",
    options=words(**{"class": "S A"}),
    application=Application("class", True, {"S": SMALL, "A": LARGE}),
)
PATTERNS = {"solver": SOLVER, "barrier": pattern("barrier", granularity=0)}
ABLE = Capability("mpi", True, 2**63, (), PATTERNS)
SOLVING = Resources({"a": ABLE, "b": ABLE}, 1.0, cores(2), 16 * GIB, 32 * 2**20)


def plan_of(*patterns: str, **changed: object) -> Plan:
    return make_plan(request(*patterns, budget_s=600.0, **changed), SOLVING)


def labels(plan: Plan) -> list[str]:
    return [one.choice.label for group in plan.groups for one in group.cells]


def test_label_and_command_always_have_the_class() -> None:
    for text in ("solver", "solver:S", "solver:class=S"):
        (planned,) = plan_of(text).groups[0].cells
        assert planned.cell.pattern == "solver:S"
        assert planned.choice.command == "pattern=solver root=0 class=S"
        assert planned.problem == SMALL


def test_unknown_class_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"solver 'B'.*: S, A$"):
        plan_of("solver:B")


@pytest.mark.parametrize(("ranks", "code"), [(3, "ranks_no_power"), (8, "too_many_ranks")])
def test_ranks_that_cant_share_a_problem_are_told_before_anything_starts(
    ranks: int, code: str, snapshot: SnapshotAssertion
) -> None:
    plan = plan_of("solver", "barrier", ranks=(2, ranks))
    assert [c.code for c in plan.warnings if c.code != "oversubscribed"] == [code]
    assert plan.warnings[0].cause == snapshot
    assert labels(plan) == ["solver:S", "barrier", "barrier"]
    with pytest.raises(UsageError, match=re.escape(plan.warnings[0].cause)):
        plan_of("solver", ranks=(ranks,))


def test_problem_without_room_in_memory_is_left_out_with_what_it_needs(
    snapshot: SnapshotAssertion,
) -> None:
    little = replace(SOLVING, memory_bytes=8 * GIB)
    plan = make_plan(request("solver", "solver:A", budget_s=600.0), little)
    assert labels(plan) == ["solver:S"]
    (warning,) = [one for one in plan.warnings if one.code == "problem_too_large"]
    assert warning.cause == snapshot
    with pytest.raises(UsageError, match=r"solver:A .* 10 GB"):
        make_plan(request("solver:A", budget_s=600.0), little)


def test_one_launch_at_a_time_has_the_problem_in_memory() -> None:
    enough = replace(SOLVING, memory_bytes=16 * GIB)
    plan = make_plan(request("solver:A", budget_s=6000.0), enough)
    assert plan.together
    assert plan.groups[0].launches >= 1


def test_time_of_a_solution_is_in_the_plan(snapshot: SnapshotAssertion) -> None:
    quick, slow = plan_of("barrier", blocks=6), plan_of("solver", blocks=6)
    assert solving_s(SMALL, 2) == pytest.approx((4 + 3) * 1e8 / 8e9)
    assert slow.costs.visit_s == pytest.approx(2 * (0.0875 + 0.003))
    assert quick.costs.visit_s < 0.1 * slow.costs.visit_s
    (line,) = [line for line in plan_lines(slow, [], []) if line.startswith("  solver:S")]
    assert line == snapshot


def test_large_problems_are_told_in_plain_numbers(snapshot: SnapshotAssertion) -> None:
    plan = make_plan(request("solver:A", budget_s=600.0), SOLVING)
    (line,) = [line for line in plan_lines(plan, [], []) if line.startswith("  solver:A")]
    assert line == snapshot


def test_fewest_ranks_say_how_long_it_takes() -> None:
    resources = replace(SOLVING, sites=cores(4))
    found = [
        make_plan(
            request("solver", budget_s=6000.0, blocks=6, ranks=ranks), resources
        ).costs.visit_s
        for ranks in ((4,), (1, 4))
    ]
    assert found[1] / 2 == pytest.approx(4 * found[0], rel=0.1)


def test_budget_too_small_for_a_solution_names_one_that_suffices() -> None:
    with pytest.raises(UsageError, match=r"--budget \d+s"):
        make_plan(request("solver:A", budget_s=20.0), SOLVING)


def test_class_too_long_for_the_budget_is_dropped_and_said() -> None:
    plan = make_plan(request("solver", "solver:A", budget_s=30.0), SOLVING)
    assert labels(plan) == ["solver:S"]
    assert "solver:A" in plan.warnings[0].cause


def test_application_is_measured_in_its_own_cadence_alone() -> None:
    plan = plan_of("solver", "barrier", cadence=Cadence.ISOLATED)
    assert labels(plan) == ["barrier"]
    assert [one.code for one in plan.warnings] == ["successive"]


def test_trace_has_no_more_repetitions_than_a_solution(snapshot: SnapshotAssertion) -> None:
    cells = plan_of("solver", "barrier").groups[0].cells
    check_repetitions(cells, 4)
    check_repetitions(cells[1:], 5)
    with pytest.raises(UsageError) as refused:
        check_repetitions(cells, 5)
    assert str(refused.value) == snapshot


@pytest.mark.parametrize(("repetitions", "solved"), [(1, 3), (2, 4), (3, 3), (4, 4), (5, 5)])
def test_slice_has_three_repetitions_or_more_of_whole_solutions(
    repetitions: int, solved: int
) -> None:
    problem = replace(SMALL, repetitions=repetitions)
    assert solving_s(problem, 1) == pytest.approx((solved + 3) * 1e8 / 4e9)


def test_watchdog_waits_for_what_a_problem_takes() -> None:
    assert patience_s(None) == 0
    assert patience_s(SMALL) == pytest.approx((3 * 4 + 3) * 1e8 / 2e7)
    assert patience_s(LARGE) > 100 * solving_s(LARGE, 2)
