"""Algorithms held to the cost forms of models/algorithms.py, which say what each must take."""

from __future__ import annotations

import pytest
from tests.support.rank_calls import by_rank
from tests.support.replay import replayed
from tests.support.traces import chains

from leadline.errors import UsageError
from leadline.kernels.patterns import PatternChoice
from leadline.models.algorithms import Cost, core_of, forms_of
from leadline.simulate.programs.broadcasts import SEGMENT_BYTES
from leadline.simulate.programs.collectives import ALGORITHMS
from leadline.simulate.programs.patterns import calls_of
from leadline.topology.phases import CallKind, Trace

RANKS = (*range(2, 18), 24, 31, 32, 33)
SIZE = 8 * 720720 * 2 * 17 * 31
"""Bytes that every number of ranks divides into elements."""
SEGMENTS = -(-SIZE // SEGMENT_BYTES)
FORMS = {
    ("barrier", "dissemination"): "dissemination or tree",
    ("total_exchange", "pairwise"): "pairwise or linear",
    ("total_exchange", "linear"): "pairwise or linear",
    ("reduce_scatter", "pairwise"): "pairwise or ring",
    ("reduce_scatter", "ring"): "pairwise or ring",
}
"""Where a form isn't called as the one algorithm that has it."""
OTHERWISE = {("barrier", "tree"), ("bcast", "pipeline"), ("reduce", "pipeline")}
"""Algorithms that a form says up to a factor, or up to the length of a segment."""
HELD = [(op, name) for op, known in ALGORITHMS.items() for name in known]
EXACT = [one for one in HELD if one not in OTHERWISE]


def trace(collective: str, algorithm: str, ranks: int, size: int = SIZE) -> Trace:
    size = 0 if collective == "barrier" else size
    calls = calls_of(PatternChoice(collective), ranks, size, {collective: algorithm})
    return Trace(tuple(map(tuple, by_rank(calls))), ())


def cost_of(collective: str, algorithm: str, ranks: int) -> Cost | None:
    return forms_of(collective)[FORMS.get((collective, algorithm), algorithm)](ranks)


def depth(trace: Trace) -> int:
    """Messages that each wait for the one before."""
    return 1 + max(max(one, default=0) for one in chains_of_messages(trace))


def chains_of_messages(trace: Trace) -> list[list[int]]:
    return [
        [chain for chain, call in zip(found, calls, strict=True) if call.kind is CallKind.RECEIVE]
        for found, calls in zip(chains(trace), trace.calls, strict=True)
    ]


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize(("collective", "algorithm"), EXACT)
def test_an_algorithm_takes_what_its_form_says(collective: str, algorithm: str, ranks: int) -> None:
    cost = cost_of(collective, algorithm, ranks)
    if cost is None:
        with pytest.raises(UsageError, match=f"seen {ranks}; give "):
            trace(collective, algorithm, ranks)
        return
    found = trace(collective, algorithm, ranks)
    assert replayed(found, 1, 0) == cost.messages
    assert replayed(found, 0, 0, 8) == pytest.approx(cost.combined * SIZE, rel=1e-12)
    if collective != "barrier":
        assert replayed(found, 0, 1) == pytest.approx(cost.contributions * SIZE, rel=1e-12)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize(("collective", "algorithm"), EXACT)
def test_messages_that_wait_are_as_many_as_the_form_says(
    collective: str, algorithm: str, ranks: int
) -> None:
    cost = cost_of(collective, algorithm, ranks)
    if cost is None:
        return
    phases = depth(trace(collective, algorithm, ranks))
    if "pairwise" in algorithm:  # shares its form with what is sent at once
        assert phases == cost.messages
    elif core_of(ranks) != ranks and cost.phases is None:  # ranks may fold
        assert cost.messages - 2 <= phases <= cost.messages
    else:
        assert phases == (cost.messages if cost.phases is None else cost.phases)


@pytest.mark.parametrize("ranks", [2, 3, 5, 8])
@pytest.mark.parametrize("collective", ["bcast", "reduce"])
def test_a_pipeline_passes_segments_on_while_others_come(collective: str, ranks: int) -> None:
    found = trace(collective, "pipeline", ranks, 10 * SEGMENT_BYTES)
    assert replayed(found, 1, 0) == ranks - 2 + 10
    assert replayed(found, 0, 1) == (ranks - 2 + 10) * SEGMENT_BYTES
    come = ranks - 2 + 10 if collective == "reduce" else 0
    assert replayed(found, 0, 0, 8) == come * SEGMENT_BYTES


@pytest.mark.parametrize("ranks", RANKS)
def test_a_barrier_by_a_tree_goes_up_and_down(ranks: int) -> None:
    cost = cost_of("barrier", "dissemination", ranks)
    assert cost is not None
    assert replayed(trace("barrier", "tree", ranks), 1, 0) == 2 * cost.messages
