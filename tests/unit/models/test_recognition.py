from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from harness.algorithm_campaigns import (
    FORM,
    MIXED,
    PATTERNS,
    POWERS,
    SIZES,
    Library,
    Noise,
    decided,
    fitted_to,
    known,
    observed,
)
from harness.models import barrier, piece
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import numbers

from leadline.models.algorithms import MIMICS, Cost, forms_of
from leadline.models.model import RankSet
from leadline.models.recognition import recognise
from leadline.models.resampling import drawn_medians
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats


def test_too_few_ranks_are_not_resampled(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.delattr("leadline.models.recognition.drawn_medians")
    found = decided(observed("bcast", Library(forms_of("bcast")["binomial"]), ranks=(2, 3, 4)))
    assert (found.name, found.why) == snapshot


def test_campaigns_are_resampled_once_for_all_pieces_as_the_fit_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All sizes of a block tell together which of its times stray."""
    observations = observed("bcast", Library(forms_of("bcast")["binomial"]), noise=Noise())
    pieces = [piece(FORM.terms, *ends, (1e-6, 1e-6, 1e-9, 1e-9)) for ends in halves(SIZES)]
    model = replace(fitted_to(observations), pieces=((RankSet.ALL, tuple(pieces)),))
    drawn: list[Floats] = []

    def noted(blocks: Floats, seed: int) -> Floats:
        drawn.append(blocks)
        return drawn_medians(blocks, seed)

    monkeypatch.setattr("leadline.models.recognition.drawn_medians", noted)
    assert len(recognise(observations, model, None)) == 2
    (blocks,) = drawn
    assert np.array_equal(blocks, observations.seconds)


def halves(sizes: Sequence[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    middle = len(sizes) // 2
    return (sizes[0], sizes[middle - 1]), (sizes[middle], sizes[-1])


NEAR_ANOTHER = "reduce + broadcast"
"""Costs twice what recursive doubling does at powers of two, and not much else elsewhere."""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_algorithm_is_named_where_ranks_and_sizes_tell(pattern: str) -> None:
    for name, form in known(pattern, MIXED).items():
        found = decided(observed(pattern, Library(form)))
        if name in MIMICS:
            assert found.name is None and found.why.startswith(f"{name}, or {MIMICS[name]} over")
        elif name != NEAR_ANOTHER:
            assert found.name == name, found.why
            assert found.confidence == 1.0


def test_a_barrier_is_told_by_ranks_alone() -> None:
    for name, form in forms_of("barrier").items():
        assert decided(observed("barrier", Library(form), sizes=(0,))).name == name


def test_algorithms_that_cost_the_same_at_powers_of_two_are_undecided_there(
    snapshot: SnapshotAssertion,
) -> None:
    found = decided(observed("allgather", Library(forms_of("allgather")["Bruck"]), POWERS))
    assert found.name is None
    assert found.why == snapshot


def test_short_messages_dont_tell_algorithms_that_differ_in_bytes() -> None:
    form = forms_of("allreduce")["Rabenseifner"]
    found = decided(observed("allreduce", Library(form), POWERS, (8, 16, 32)))
    assert found.name is None and "recursive doubling" in found.why


def test_an_algorithm_that_isnt_known_leaves_none_that_fits() -> None:
    def mesh(ranks: int) -> Cost:
        return Cost(2 * (math.sqrt(ranks) - 1), 2 * (math.sqrt(ranks) - 1))

    found = decided(observed("reduce", Library(mesh)))
    assert found.name is None and numbers(found.why)[0] == "6"


def test_links_that_slow_down_with_the_ranks_leave_none_that_fits() -> None:
    library = Library(forms_of("bcast")["binomial"], slower=lambda ranks: 1 + ranks / 20)
    assert decided(observed("bcast", library)).name is None


def test_few_numbers_of_ranks_are_undecided(snapshot: SnapshotAssertion) -> None:
    found = decided(observed("bcast", Library(forms_of("bcast")["binomial"]), (2, 8, 64)))
    assert (found.name, found.confidence) == (None, None)
    assert found.why == snapshot


def test_ranks_that_shared_cores_are_undecided(snapshot: SnapshotAssertion) -> None:
    one = observed("bcast", Library(forms_of("bcast")["binomial"]))
    found = decided(replace(one, crowded=(48, 64)))
    assert (found.name, found.why) == snapshot


def test_values_that_were_stated_are_decided_without_confidence() -> None:
    one = observed("bcast", Library(forms_of("bcast")["linear"]), blocks=1)
    found = decided(replace(one, origin=Origin.SIMULATED))
    assert found.name == "linear" and found.confidence is None


def test_points_that_werent_measured_are_left_out() -> None:
    one = observed("bcast", Library(forms_of("bcast")["binomial"]))
    one.seconds[-3:, -2:] = np.nan
    one.seconds[3] = np.nan
    one.seconds[4, :, 2:5] = np.nan
    assert decided(one).name == "binomial"


def test_patterns_without_known_algorithms_have_none() -> None:
    one = observed("pingpong", Library(forms_of("bcast")["binomial"]))
    assert recognise(one, fitted_to(one), None) == ()


def test_each_piece_is_judged_by_its_own_sizes() -> None:
    short = Library(forms_of("bcast")["binomial"])
    long = Library(forms_of("bcast")["scatter + ring"])
    both = [observed("bcast", library) for library in (short, long)]
    split = 4
    seconds = np.concatenate([both[0].seconds[:, :split], both[1].seconds[:, split:]], axis=1)
    one = replace(both[0], seconds=seconds)
    pieces = tuple(
        piece(FORM.terms, SIZES[first], SIZES[last], (1e-6, 1e-6, 1e-9, 1e-9))
        for first, last in ((0, split - 1), (split, -1))
    )
    model = replace(fitted_to(one), pieces=((RankSet.ALL, pieces),))
    found = recognise(one, model, None)
    assert [one.name for one in found] == ["binomial", "scatter + ring"]
    assert [(one.least_bytes, one.most_bytes) for one in found] == [(8, 4096), (32_768, 1_048_576)]


def test_a_barriers_model_has_one_range() -> None:
    one = observed("barrier", Library(forms_of("barrier")["linear"]), sizes=(0,))
    (found,) = recognise(one, replace(barrier(), ranks=one.ranks), None)
    assert found.name == "linear"


def test_an_algorithm_that_resampled_campaigns_often_take_another_for_is_undecided() -> None:
    binomial = known("gather", MIXED)["binomial"]
    rough = Noise(launch=0.5, cell=0.02, placement=0.0)
    found = decided(observed("gather", Library(binomial), noise=rough, seed=5, blocks=6))
    assert found.name is None
    assert found.confidence is not None and 0.5 < found.confidence < 0.95
    assert found.why.startswith("binomial ")
    assert numbers(found.why)[0] == f"{100 * found.confidence:.0f}"
