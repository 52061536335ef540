"""Algorithms held to the cost forms of models/algorithms.py, which say what each must take."""

from __future__ import annotations

import pytest
from harness.algorithms import EXACT, SIZE, calls_by, cost_of, trace_of, waits_in
from harness.examples import share
from hypothesis import given
from hypothesis import strategies as st
from tests.support.replay import replayed

from leadline.errors import UsageError
from leadline.patterns.powers_of_two import core_of
from leadline.patterns.programs.data_movement import SEGMENT_BYTES

RANKS = st.sampled_from((*range(2, 18), 24, 31, 32, 33))
"""All of them are tried: so many blocks are alike."""


@pytest.mark.parametrize(("collective", "algorithm"), EXACT)
@share(0.1)
@given(ranks=RANKS)
def test_an_algorithm_takes_what_its_form_says(collective: str, algorithm: str, ranks: int) -> None:
    cost = cost_of(collective, algorithm, ranks)
    if cost is None:
        with pytest.raises(UsageError, match=rf"\b{ranks}; "):
            calls_by(collective, algorithm, ranks)
        return
    found = trace_of(calls_by(collective, algorithm, ranks))
    assert replayed(found, 1, 0) == cost.messages
    assert replayed(found, 0, 0, 8) == pytest.approx(cost.combined * SIZE, rel=1e-12)
    if collective != "barrier":
        assert replayed(found, 0, 1) == pytest.approx(cost.contributions * SIZE, rel=1e-12)


@pytest.mark.parametrize(("collective", "algorithm"), EXACT)
@share(0.1)
@given(ranks=RANKS)
def test_messages_that_wait_are_as_many_as_the_form_says(
    collective: str, algorithm: str, ranks: int
) -> None:
    cost = cost_of(collective, algorithm, ranks)
    if cost is None:
        return
    phases = waits_in(trace_of(calls_by(collective, algorithm, ranks)))
    if "pairwise" in algorithm:  # shares its form with what is sent at once
        assert phases == cost.messages
    elif core_of(ranks) != ranks and cost.phases is None:  # ranks may fold
        assert cost.messages - 2 <= phases <= cost.messages
    else:
        assert phases == (cost.messages if cost.phases is None else cost.phases)


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
@pytest.mark.parametrize("collective", ["bcast", "reduce"])
def test_a_pipeline_passes_segments_on_while_others_come(collective: str, ranks: int) -> None:
    found = trace_of(calls_by(collective, "pipeline", ranks, 10 * SEGMENT_BYTES))
    assert replayed(found, 1, 0) == ranks - 2 + 10
    assert replayed(found, 0, 1) == (ranks - 2 + 10) * SEGMENT_BYTES
    come = ranks - 2 + 10 if collective == "reduce" else 0
    assert replayed(found, 0, 0, 8) == come * SEGMENT_BYTES


@share(0.1)
@given(ranks=RANKS)
def test_a_barrier_by_a_tree_goes_up_and_down(ranks: int) -> None:
    cost = cost_of("barrier", "dissemination", ranks)
    assert cost is not None
    assert replayed(trace_of(calls_by("barrier", "tree", ranks)), 1, 0) == 2 * cost.messages
