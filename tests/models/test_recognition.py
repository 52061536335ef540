from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.support.models import barrier, bcast, piece

from leadline.models.algorithms import Cost, CostForm, forms_of
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Algorithm, Model, RankSet
from leadline.models.observations import Observations
from leadline.models.recognition import recognise
from leadline.record.run import Origin

MIXED = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
POWERS = (2, 4, 8, 16, 32, 64)
SIZES = (8, 64, 512, 4096, 32_768, 262_144, 1_048_576)
FORM = ClosedForm(Scaling.LINEAR, Scaling.LINEAR)


def steady(ranks: int) -> float:
    return 1.0


@dataclass(frozen=True)
class Library:
    """Times of an algorithm over links that may change with the ranks that use them."""

    cost: CostForm
    alpha: float = 2e-6
    beta: float = 4e-10
    gamma: float = 1e-10
    slower: Callable[[int], float] = steady
    """By what factor messages and bytes are, on so many ranks."""

    def seconds(self, ranks: int, size_bytes: int) -> float:
        cost = self.cost(ranks)
        assert cost is not None
        moved = self.beta * cost.contributions + self.gamma * cost.combined
        return self.slower(ranks) * (self.alpha * cost.messages + moved * size_bytes)


@dataclass(frozen=True)
class Noise:
    """Standard deviations of logarithms."""

    launch: float = 0.03
    """Of a block, at all sizes of one number of ranks."""
    cell: float = 0.02
    placement: float = 0.01
    """Of a number of ranks, in all blocks."""

    def of(self, shape: tuple[int, int, int], rng: np.random.Generator) -> np.ndarray:
        ranks, _, blocks = shape
        return np.exp(
            self.placement * rng.normal(size=(ranks, 1, 1))
            + self.launch * rng.normal(size=(ranks, 1, blocks))
            + self.cell * rng.standard_t(4, size=shape)
        )


def observed(
    pattern: str,
    library: Library,
    ranks: Sequence[int] = MIXED,
    sizes: Sequence[int] = SIZES,
    noise: Noise | None = None,
    seed: int = 0,
    blocks: int = 8,
) -> Observations:
    truth = np.array([[library.seconds(p, m) for m in sizes] for p in ranks])
    shape = (len(ranks), len(sizes), blocks)
    spread = np.ones(shape) if noise is None else noise.of(shape, np.random.default_rng(seed))
    return Observations(
        "mpich", pattern, "separate", "isolated", 0, Origin.MEASURED, tuple(ranks), tuple(sizes),
        truth[:, :, None] * spread,
    )  # fmt: skip


def fitted_to(observations: Observations) -> Model:
    """A model with one piece over all sizes; of its pieces recognition takes the ranges alone."""
    sizes = observations.sizes_bytes
    found = piece(FORM.terms, sizes[0], sizes[-1], (1e-6, 1e-6, 1e-9, 1e-9))
    return replace(
        bcast(),
        pattern=observations.pattern,
        ranks=observations.ranks,
        sizes_bytes=sizes,
        form=FORM,
        pieces=((RankSet.ALL, (found,)),),
        breakpoints=(),
    )


def decided(observations: Observations) -> Algorithm:
    (found,) = recognise(observations, fitted_to(observations), None)
    return found


def known(pattern: str, ranks: Sequence[int]) -> Mapping[str, CostForm]:
    return {name: form for name, form in forms_of(pattern).items() if all(map(form, ranks))}


NEAR_ANOTHER = "reduce + broadcast"
"""Costs twice what recursive doubling does at powers of two, and not much else elsewhere."""
PATTERNS = (
    "bcast", "reduce", "allreduce", "allgather", "total_exchange", "gather", "scatter",
    "reduce_scatter", "scan",
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_algorithm_is_named_where_ranks_and_sizes_tell(pattern: str) -> None:
    for name, form in known(pattern, MIXED).items():
        found = decided(observed(pattern, Library(form)))
        if name != NEAR_ANOTHER:
            assert found.name == name, found.why
            assert found.confidence == 1.0


def test_a_barrier_is_told_by_ranks_alone() -> None:
    for name, form in forms_of("barrier").items():
        assert decided(observed("barrier", Library(form), sizes=(0,))).name == name


def test_algorithms_that_cost_the_same_at_powers_of_two_are_undecided_there() -> None:
    found = decided(observed("allgather", Library(forms_of("allgather")["Bruck"]), POWERS))
    assert found.name is None
    assert found.why == "Bruck or recursive doubling: these times don't tell them apart"


def test_short_messages_dont_tell_algorithms_that_differ_in_bytes() -> None:
    form = forms_of("allreduce")["Rabenseifner"]
    found = decided(observed("allreduce", Library(form), POWERS, (8, 16, 32)))
    assert found.name is None and "recursive doubling" in found.why


def test_an_algorithm_that_isnt_known_leaves_none_that_fits() -> None:
    def mesh(ranks: int) -> Cost:
        return Cost(2 * (math.sqrt(ranks) - 1), 2 * (math.sqrt(ranks) - 1))

    found = decided(observed("reduce", Library(mesh)))
    assert found.name is None and found.why.startswith("none of 6 that are known fits")


def test_links_that_slow_down_with_the_ranks_leave_none_that_fits() -> None:
    library = Library(forms_of("bcast")["binomial"], slower=lambda ranks: 1 + ranks / 20)
    assert decided(observed("bcast", library)).name is None


def test_few_numbers_of_ranks_are_undecided() -> None:
    found = decided(observed("bcast", Library(forms_of("bcast")["binomial"]), (2, 8, 64)))
    assert (found.name, found.confidence) == (None, None)
    assert found.why.startswith("3 of 4 numbers of ranks")


def test_ranks_that_shared_cores_are_undecided() -> None:
    one = observed("bcast", Library(forms_of("bcast")["binomial"]))
    found = decided(replace(one, crowded=(48, 64)))
    assert found.name is None and "shared cores" in found.why


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


# -- simulated: right or undecided, wrong in at most 5 of 100 -----------------------------------


def contended(share: float) -> Callable[[int], float]:
    return lambda ranks: 1 + share * math.log2(ranks)


@pytest.mark.parametrize("ranks", [MIXED, POWERS])
@pytest.mark.parametrize("share", [0.0, 0.1])
@pytest.mark.parametrize("noise", [Noise(), Noise(0.1, 0.05, 0.03)])
def test_wrong_names_are_rare(noise: Noise, share: float, ranks: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    names: list[tuple[str, str | None]] = []
    for pattern in PATTERNS:
        for name, form in known(pattern, ranks).items():
            alpha, beta = 10 ** rng.uniform((-6.3, -10.3), (-5, -9))
            library = Library(form, alpha, beta, beta * rng.uniform(), contended(share))
            one = observed(pattern, library, ranks, noise=noise, seed=int(rng.integers(2**31)))
            names.append((name, decided(one).name))
    wrong = [pair for pair in names if pair[1] not in (pair[0], None)]
    assert len(wrong) <= len(names) / 20, wrong
    if share == 0.0 and ranks is MIXED:
        right = [pair for pair in names if pair[0] == pair[1]]
        assert len(right) >= len(names) / 2
