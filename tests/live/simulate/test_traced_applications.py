"""Generated programs of applications held to what ranks of backend `trace` log."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from harness.rank_calls import by_rank
from harness.simulated import cell as simulated_cell
from harness.simulated import machine, profile, seconds
from tests.support.goal import ended_at, parsed
from tests.support.seen_calls import logged, traceable

from leadline.measure.spec import Request
from leadline.measure.tracing import TracedCell, traced
from leadline.patterns.pattern import parse_choice
from leadline.patterns.programs.patterns import calls_of
from leadline.record.run import Cell
from leadline.report.programs.trace import goal_text
from leadline.simulate.machine import Compute, Links, Nic, ProfilePiece
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


def request_of(labels: tuple[str, ...], ranks: tuple[int, ...]) -> Request:
    return Request(patterns=labels, sizes=(0,), ranks=ranks)


@pytest.fixture(scope="module")
def cells() -> tuple[TracedCell, ...]:
    return (
        *traced(request_of(SMALL, (1, *BY_TWOS)), 1).cells,
        *traced(request_of(("stap:small",), OTHERS), 1).cells,
        *traced(request_of(LARGER, BY_TWOS), 1).cells,
        *traced(request_of(("stap:medium",), (5,)), 1).cells,
    )


def once(label: str) -> Cell:
    """One repetition, on the slowest rank."""
    return simulated_cell(label, 0)


def generated(cell: TracedCell, label: str | None = None) -> list[list[Call]]:
    """The calls of the cell's program, or of another."""
    choice = parse_choice(label or cell.pattern, traceable())
    return by_rank(calls_of(choice, cell.ranks, cell.size_bytes, {}, cell.repetitions))


@pytest.mark.parametrize("label", NUMBERS)
def test_a_program_is_what_its_application_was_seen_to_do(
    cells: tuple[TracedCell, ...], label: str
) -> None:
    mine = [cell for cell in cells if cell.pattern == label]
    assert len(mine) == NUMBERS[label]
    for cell in mine:
        assert generated(cell) == logged(cell), cell.ranks


def test_iterations_follow_each_other_as_they_were_seen_to() -> None:
    for cell in traced(request_of(("mg:S", "mg_puts:S"), (4,)), 3).cells:
        assert generated(cell) == logged(cell)


def test_a_program_of_another_class_or_communication_is_told(
    cells: tuple[TracedCell, ...],
) -> None:
    (cell,) = [one for one in cells if (one.pattern, one.ranks) == ("mg:S", 8)]
    assert generated(cell, "mg:W") != logged(cell)
    assert generated(cell, "mg_puts:S") != logged(cell)


def test_one_operation_more_is_told(cells: tuple[TracedCell, ...]) -> None:
    for cell in cells:
        seen = logged(cell)
        at = next(i for i, call in enumerate(seen[-1]) if call.kind is CallKind.WORK)
        seen[-1][at] = replace(seen[-1][at], number=seen[-1][at].number + 1)
        assert generated(cell) != seen


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
