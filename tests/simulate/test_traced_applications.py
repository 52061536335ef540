"""Generated programs of applications held to what ranks of backend `trace` log."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from tests.support.goal import ended_at, parsed
from tests.support.rank_calls import by_rank
from tests.support.seen_calls import logged, traceable
from tests.support.simulated import cell as simulated_cell
from tests.support.simulated import machine, profile, seconds

from leadline.errors import UsageError
from leadline.kernels.patterns import Problem, parse_choice
from leadline.measure.order import Order
from leadline.measure.tracing import TracedCell, traced
from leadline.record.run import Cell
from leadline.report.programs.goal import goal_text
from leadline.simulate.machine import Compute, Links, Nic, ProfilePiece
from leadline.simulate.programs.multigrid import LEVELS
from leadline.simulate.programs.patterns import SOLVING, calls_of
from leadline.simulate.programs.space_time import CUBES
from leadline.topology.phases import Call, CallKind
from leadline.topology.schedules import schedule_of

SMALL, LARGER = ("mg:S", "mg_puts:S", "stap:small"), ("mg:W", "mg_puts:W", "stap:medium")
BY_TWOS = (2, 4, 8, 16)
OTHERS = (3, 5, 6, 7, 12, 15)
"""Numbers of ranks that STAP takes alone."""

NUMBERS = {
    "mg:S": 5, "mg_puts:S": 5, "stap:small": 11, "mg:W": 4, "mg_puts:W": 4, "stap:medium": 5,
}  # fmt: skip
"""Of ranks that each is traced with."""


def order_of(labels: tuple[str, ...], ranks: tuple[int, ...]) -> Order:
    return Order(patterns=labels, sizes=(0,), ranks=ranks)


@pytest.fixture(scope="module")
def cells() -> tuple[TracedCell, ...]:
    return (
        *traced(order_of(SMALL, (1, *BY_TWOS)), 1).cells,
        *traced(order_of(("stap:small",), OTHERS), 1).cells,
        *traced(order_of(LARGER, BY_TWOS), 1).cells,
        *traced(order_of(("stap:medium",), (5,)), 1).cells,
    )


def once(label: str) -> Cell:
    """One repetition, on the slowest rank."""
    return simulated_cell(label, 0)


def generated(cell: TracedCell, label: str | None = None) -> list[list[Call]]:
    """The calls of the cell's program, or of another."""
    choice = parse_choice(label or cell.pattern, traceable())
    return by_rank(calls_of(choice, cell.ranks, cell.size_bytes, {}, cell.repetitions))


def solved(label: str) -> Problem:
    choice = parse_choice(label, traceable())
    problem = choice.problem(traceable()[choice.name])
    assert problem
    return problem


@pytest.mark.live
@pytest.mark.parametrize("label", NUMBERS)
def test_a_program_is_what_its_application_was_seen_to_do(
    cells: tuple[TracedCell, ...], label: str
) -> None:
    mine = [cell for cell in cells if cell.pattern == label]
    assert len(mine) == NUMBERS[label]
    for cell in mine:
        assert generated(cell) == logged(cell), cell.ranks


@pytest.mark.live
def test_iterations_follow_each_other_as_they_were_seen_to() -> None:
    for cell in traced(order_of(("mg:S", "mg_puts:S"), (4,)), 3).cells:
        assert generated(cell) == logged(cell)


@pytest.mark.live
def test_a_program_of_another_class_or_communication_is_told(
    cells: tuple[TracedCell, ...],
) -> None:
    (cell,) = [one for one in cells if (one.pattern, one.ranks) == ("mg:S", 8)]
    assert generated(cell, "mg:W") != logged(cell)
    assert generated(cell, "mg_puts:S") != logged(cell)


@pytest.mark.live
def test_one_operation_more_is_told(cells: tuple[TracedCell, ...]) -> None:
    for cell in cells:
        seen = logged(cell)
        at = next(i for i, call in enumerate(seen[-1]) if call.kind is CallKind.WORK)
        seen[-1][at] = replace(seen[-1][at], number=seen[-1][at].number + 1)
        assert generated(cell) != seen


@pytest.mark.live
@pytest.mark.parametrize("label", SMALL)
def test_a_schedule_in_goal_takes_what_is_simulated(
    cells: tuple[TracedCell, ...], label: str
) -> None:
    """Where an operation takes a nanosecond, and a message its latency alone."""
    latency_ns, free = 1000, profile(ProfilePiece(0, 0.0, 0.0, 0.0))
    for cell in (one for one in cells if one.pattern == label):
        on = machine(cell.ranks, of=free, compute=Compute(flop_per_s=1e9))
        on = replace(on, nic=Nic(latency_ns * 1e-9, 1e30, 1e30), links=Links(1e30, 0.0))
        calls = calls_of(parse_choice(label, traceable()), cell.ranks, 0, {})
        text = goal_text(schedule_of(cell.trace), label)
        computed = Counter[int]()
        for rank, program in enumerate(parsed(text)):
            computed[rank] = sum(one.size_bytes for one in program.values() if one.kind == "calc")
        assert computed == {
            rank: sum(call.number for call in own if call.kind is CallKind.WORK)
            for rank, own in enumerate(cell.trace.calls)
        }
        assert seconds(on, calls, once(label)) * 1e9 == pytest.approx(ended_at(text, latency_ns))


def test_programs_know_all_problems_of_applications() -> None:
    found = {name: one.application for name, one in traceable().items() if one.application}
    assert found.keys() == SOLVING
    for name, application in found.items():
        assert application
        assert application.problems.keys() == (CUBES if name == "stap" else LEVELS).keys()


@pytest.mark.parametrize("label", ["mg:S", "mg:A", "mg_puts:B", "stap:small", "stap:large"])
def test_a_program_computes_what_its_problem_was_described_to_take(label: str) -> None:
    """But for levels that all of several ranks compute."""
    calls = calls_of(parse_choice(label, traceable()), 1, 0, {})
    assert sum(calls.number) == pytest.approx(solved(label).flop, rel=1e-3)


@pytest.mark.parametrize(
    ("label", "ranks", "words"),
    [
        ("mg:S", 3, "takes a power of two of ranks, at most 64, seen 3; give 2"),
        ("mg_puts:C", 128, "at most 64, seen 128; give 64"),
        ("stap:small", 33, "takes at most 32 ranks, which have a Doppler bin each, seen 33"),
    ],
)
def test_ranks_that_do_not_fit_are_refused(label: str, ranks: int, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        calls_of(parse_choice(label, traceable()), ranks, 0, {})


def test_the_algorithm_that_was_chosen_turns_corners() -> None:
    choice = parse_choice("stap:small", traceable())
    chosen = {"total_exchange": "linear", "gather": "binomial"}
    assert calls_of(choice, 5, 0, chosen).operations == (
        "", "alltoallv: linear", "gatherv: binomial",
    )  # fmt: skip


@pytest.mark.parametrize("algorithm", ["linear", "Bruck"])
def test_every_algorithm_turns_uneven_corners_whole(algorithm: str) -> None:
    """Bruck's has a block travel as often as its distance has bits."""
    choice, sent = parse_choice("stap:small", traceable()), Counter[str]()
    for named in ("pairwise", algorithm):
        for rank, calls in enumerate(by_rank(calls_of(choice, 7, 0, {"total_exchange": named}))):
            for call in calls:
                far = (call.peer - rank) % 7
                if call.kind is CallKind.SEND and call.operation == f"alltoallv: {named}":
                    direct = named == "pairwise" and algorithm == "Bruck"
                    sent[named] += call.size_bytes * (far.bit_count() if direct else 1)
    assert sent["pairwise"] == sent[algorithm] > 0
