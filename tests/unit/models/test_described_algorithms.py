"""Cost forms held to algorithms written down rank by rank, on 2 to 16 ranks."""

from __future__ import annotations

import pytest
from harness.examples import share
from hypothesis import given
from hypothesis import strategies as st
from tests.support import collectives
from tests.support.collectives import SIZE, Algorithm, run
from tests.support.replay import replayed

from leadline.models.algorithms import forms_of

DESCRIBED: dict[tuple[str, str], Algorithm] = {
    ("bcast", "binary"): collectives.binary_bcast,
    ("bcast", "4-nomial"): collectives.four_nomial_bcast,
    ("bcast", "scatter + ring"): collectives.scatter_and_ring,
    ("bcast", "scatter + recursive doubling"): collectives.scatter_and_doubling,
    ("gather", "binomial"): collectives.binomial_gather,
    ("scatter", "binomial"): collectives.binomial_scatter,
    ("allgather", "Bruck"): collectives.bruck_allgather,
    ("allgather", "recursive doubling"): collectives.doubling,
    ("allgather", "ring"): collectives.allgather_ring,
    ("allgather", "neighbor exchange"): collectives.neighbor_exchange,
    ("alltoall", "Bruck"): collectives.bruck_exchange,
    ("allreduce", "ring"): collectives.allreduce_ring,
    ("allreduce", "Rabenseifner"): collectives.rabenseifner_allreduce,
    ("reduce", "Rabenseifner"): collectives.rabenseifner_reduce,
    ("reduce_scatter", "recursive halving"): collectives.recursive_halving,
}
RANKS = st.integers(2, 16)
"""All of them are tried: so many blocks are alike."""


@pytest.mark.parametrize("which", DESCRIBED, ids=" by ".join)
@share(0.1)
@given(ranks=RANKS)
def test_a_form_is_what_its_algorithm_takes(which: tuple[str, str], ranks: int) -> None:
    pattern, name = which
    cost = forms_of(pattern)[name](ranks)
    if cost is None:
        return
    trace = run(DESCRIBED[which], ranks)
    assert replayed(trace, 1, 0) == cost.messages
    assert replayed(trace, 0, 1) == pytest.approx(cost.contributions * SIZE)


@share(0.1)
@given(ranks=RANKS, segments=st.sampled_from((1, 3, 8)))
def test_a_pipelines_segments_are_in_its_coefficients(ranks: int, segments: int) -> None:
    cost = forms_of("bcast")["pipeline"](ranks)
    assert cost is not None
    segment = 5.0 + 2.0 * SIZE / segments
    alpha, beta = segment, segments * segment / SIZE
    expected = alpha * cost.messages + beta * cost.contributions * SIZE
    trace = run(collectives.pipeline(segments), ranks)
    assert replayed(trace, 5, 2) == pytest.approx(expected)
