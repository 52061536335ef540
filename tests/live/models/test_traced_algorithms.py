"""Cost forms held to what the fallbacks really send, as ranks of backend `trace` log it."""

from __future__ import annotations

import pytest
from tests.support.replay import replayed

from leadline.measure.spec import Request
from leadline.measure.tracing import TracedCell, traced
from leadline.models.algorithms import forms_of
from leadline.patterns.powers_of_two import is_power_of_two
from leadline.topology.phases import CallKind

RANKS = tuple(range(2, 17))
SIZE = 960
NAMES = {
    "barrier": ("dissemination", "dissemination or tree"),
    "bcast": ("binomial", "binomial"),
    "gather": ("linear", "linear"),
    "scatter": ("linear", "linear"),
    "allgather": ("ring", "ring"),
    "alltoall": ("pairwise", "pairwise or linear"),
    "allreduce": ("recursive doubling", "recursive doubling"),
    "reduce": ("binomial", "binomial"),
    "reduce_scatter": ("pairwise", "pairwise or ring"),
    "scan": ("recursive doubling", "recursive doubling"),
    "exscan": ("recursive doubling", "recursive doubling"),
    "gatherv": ("linear", "linear"),
    "scatterv": ("linear", "linear"),
    "allgatherv": ("ring", "ring"),
    "alltoallv": ("pairwise", "pairwise or linear"),
    "reduce_scatterv": ("pairwise", "pairwise or ring"),
}
"""What a fallback calls itself, and the form that it has."""


@pytest.fixture(scope="module")
def cells() -> tuple[TracedCell, ...]:
    return traced(Request(patterns=tuple(NAMES), sizes=(SIZE,), ranks=RANKS), 1).cells


@pytest.mark.parametrize("pattern", NAMES)
def test_a_fallback_takes_what_its_form_says(cells: tuple[TracedCell, ...], pattern: str) -> None:
    text, name = NAMES[pattern]
    found = [cell for cell in cells if cell.pattern == pattern]
    assert [cell.ranks for cell in found] == list(RANKS)
    for cell in found:
        cost = forms_of(pattern)[name](cell.ranks)
        assert cost is not None and text in cell.algorithm
        assert replayed(cell.trace, 1, 0) == cost.messages, cell.ranks
        if cell.size_bytes:
            assert replayed(cell.trace, 0, 1) == cost.contributions * SIZE, cell.ranks


@pytest.mark.parametrize("pattern", NAMES)
def test_messages_that_wait_are_the_phases_of_the_trace(
    cells: tuple[TracedCell, ...], pattern: str
) -> None:
    for cell in (one for one in cells if one.pattern == pattern):
        cost = forms_of(pattern)[NAMES[pattern][1]](cell.ranks)
        phases = sum(1 for one in cell.trace.phases if one.deliveries)
        assert cost is not None
        if pattern == "allreduce" and not is_power_of_two(cell.ranks):  # ranks fold
            assert cost.messages - 2 <= phases <= cost.messages
        elif "pairwise" in NAMES[pattern][0]:  # shares its form with what is sent at once
            assert phases == cost.messages
        else:
            assert phases == (cost.messages if cost.phases is None else cost.phases)


@pytest.mark.parametrize("pattern", ["allreduce", "reduce", "reduce_scatter", "scan", "exscan"])
def test_the_busiest_rank_combines_what_the_form_says(
    cells: tuple[TracedCell, ...], pattern: str
) -> None:
    for cell in (one for one in cells if one.pattern == pattern):
        cost = forms_of(pattern)[NAMES[pattern][1]](cell.ranks)
        elements = [
            sum(call.number for call in calls if call.kind is CallKind.WORK)
            for calls in cell.trace.calls
        ]
        assert cost is not None and max(elements) == cost.combined * SIZE / 8, cell.ranks


def test_a_form_of_another_algorithm_is_told(cells: tuple[TracedCell, ...]) -> None:
    cell = next(one for one in cells if (one.pattern, one.ranks) == ("bcast", 16))
    others = [form(16) for name, form in forms_of("bcast").items() if name != "binomial"]
    taken = replayed(cell.trace, 1, 0), replayed(cell.trace, 0, 1) / SIZE
    assert taken not in [(one.messages, one.contributions) for one in others if one]
