"""Generated programs held to what ranks of backend `trace` log, for every pattern and option."""

from __future__ import annotations

from dataclasses import replace

import pytest
from harness.rank_calls import by_rank
from tests.support.seen_calls import logged, traceable

from leadline.measure.spec import Request
from leadline.measure.tracing import TracedCell, traced
from leadline.patterns.pattern import ROOT, PatternChoice, parse_choice
from leadline.patterns.programs.patterns import PATTERNS, SOLVING, calls_of
from leadline.topology.phases import Call

RANKS = tuple(range(2, 17))
SIZE = 960
"""A multiple of what every pattern's elements take."""
REPETITIONS = 3
VALIDATED = 2
"""Repetitions before those that are traced: a rotating root has gone on by as many."""
WITH_OPTIONS = (
    "cyclic:open", "cyclic:all", "cyclic:all:open", "cyclic_two_step:open", "halo:periodic",
    "halo:corners", "halo:corners:at_once", "halo:at_once:periodic", "unexpected:5",
    "bcast:rotating", "gather:rotating", "scatter:rotating", "reduce:rotating", "allreduce:max",
    "gatherv:skewed", "gatherv:skewed:rotating", "scatterv:skewed", "allgatherv:skewed",
    "alltoallv:skewed", "reduce_scatterv:skewed", "fetch_add:contended",
)  # fmt: skip
MOVING = [name for name in PATTERNS if name not in SOLVING]
"""All but applications: see test_traced_applications.py."""


@pytest.fixture(scope="module")
def cells() -> tuple[TracedCell, ...]:
    request = Request(patterns=(*MOVING, *WITH_OPTIONS), sizes=(SIZE,), ranks=RANKS)
    return traced(request, REPETITIONS).cells


def generated(
    cell: TracedCell, label: str | None = None, size_bytes: int | None = None
) -> list[list[Call]]:
    """The calls of the cell's pattern, or of others."""
    choice = parse_choice(label or cell.pattern, traceable())
    if ROOT in {one.key for one in choice.options}:
        choice = replace(choice, root=VALIDATED)
    size_bytes = cell.size_bytes if size_bytes is None else size_bytes
    return by_rank(calls_of(choice, cell.ranks, size_bytes, {}, REPETITIONS))


@pytest.mark.parametrize("label", [*MOVING, *WITH_OPTIONS])
def test_a_program_is_what_its_pattern_was_seen_to_do(
    cells: tuple[TracedCell, ...], label: str
) -> None:
    choice = parse_choice(label, traceable()).label
    mine = [cell for cell in cells if cell.pattern == choice]
    step = 2 if traceable()[label.split(":", maxsplit=1)[0]].in_pairs else 1
    assert [cell.ranks for cell in mine] == list(RANKS[::step])
    for cell in mine:
        assert generated(cell) == logged(cell), cell.ranks


def test_a_program_of_another_size_or_order_is_told(cells: tuple[TracedCell, ...]) -> None:
    cell = next(one for one in cells if (one.pattern, one.ranks) == ("cyclic", 8))
    assert generated(cell) == logged(cell)
    assert generated(cell, size_bytes=SIZE + 16) != logged(cell)
    assert generated(cell, "cyclic_two_step") != logged(cell)


@pytest.mark.parametrize("pattern", ["bcast", "gather", "scatter", "reduce", "gatherv"])
def test_a_fixed_root_other_than_the_first_is_the_root(pattern: str) -> None:
    request = Request(patterns=(pattern,), sizes=(SIZE,), ranks=(5, 8), root=3)
    found = traced(request, REPETITIONS).cells
    assert [cell.ranks for cell in found] == [5, 8]
    for cell in found:
        assert cell.pattern == f"{pattern}:root=3"
        choice = PatternChoice(pattern, (), 3)
        assert by_rank(calls_of(choice, cell.ranks, SIZE, {}, REPETITIONS)) == logged(cell)
