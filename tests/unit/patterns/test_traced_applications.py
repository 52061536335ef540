"""Generated programs of applications held to what ranks of backend `trace` log."""

from __future__ import annotations

from collections import Counter

import pytest
from harness.rank_calls import by_rank
from syrupy.assertion import SnapshotAssertion
from tests.support.seen_calls import traceable
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.patterns.pattern import Problem, parse_choice
from leadline.patterns.programs.multigrid import LEVELS
from leadline.patterns.programs.patterns import SOLVING, calls_of
from leadline.patterns.programs.space_time import CUBES
from leadline.topology.phases import CallKind


def solved(label: str) -> Problem:
    choice = parse_choice(label, traceable())
    problem = choice.problem(traceable()[choice.name])
    assert problem
    return problem


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


def test_ranks_that_do_not_fit_are_refused(snapshot: SnapshotAssertion) -> None:
    given = [
        ("mg:S", 3),
        ("mg_puts:C", 128),
        ("stap:small", 33),
    ]
    told = refusals(
        lambda case: calls_of(parse_choice(case[0], traceable()), case[1], 0, {}),
        given,
        UsageError,
    )
    assert told == snapshot


def test_the_algorithm_that_was_chosen_turns_corners() -> None:
    choice = parse_choice("stap:small", traceable())
    chosen = {"alltoall": "linear", "gather": "binomial"}
    assert calls_of(choice, 5, 0, chosen).operations == (
        "", "alltoallv: linear", "gatherv: binomial",
    )  # fmt: skip


@pytest.mark.parametrize("algorithm", ["linear", "Bruck"])
def test_every_algorithm_turns_uneven_corners_whole(algorithm: str) -> None:
    """Bruck's has a block travel as often as its distance has bits."""
    choice, sent = parse_choice("stap:small", traceable()), Counter[str]()
    for named in ("pairwise", algorithm):
        for rank, calls in enumerate(by_rank(calls_of(choice, 7, 0, {"alltoall": named}))):
            for call in calls:
                far = (call.peer - rank) % 7
                if call.kind is CallKind.SEND and call.operation == f"alltoallv: {named}":
                    direct = named == "pairwise" and algorithm == "Bruck"
                    sent[named] += call.size_bytes * (far.bit_count() if direct else 1)
    assert sent["pairwise"] == sent[algorithm] > 0
