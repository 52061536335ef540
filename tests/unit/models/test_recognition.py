from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.models import barrier, bcast, piece
from tests.support.texts import numbers

from leadline.models.algorithms import MIMICS, Cost, CostForm, forms_of
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Algorithm, Model, RankSet
from leadline.models.observations import Observations
from leadline.models.recognition import recognise
from leadline.models.resampling import drawn_medians
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats

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
    latency: float = 0.0
    """Of a message that waits for the one before, in alphas."""
    slower: Callable[[int], float] = steady
    """By what factor messages and bytes are, on so many ranks."""
    messages_slower: Callable[[int], float] = steady
    """By what further factor messages are."""
    bytes_slower: Callable[[int], float] = steady

    def seconds(self, ranks: int, size_bytes: int) -> float:
        cost = self.cost(ranks)
        assert cost is not None
        phases = cost.messages if cost.phases is None else cost.phases
        messages = cost.messages + self.latency * phases
        messages *= self.alpha * self.messages_slower(ranks)
        moved = self.beta * cost.contributions * self.bytes_slower(ranks)
        moved += self.gamma * cost.combined
        return self.slower(ranks) * (messages + moved * size_bytes)


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
PATTERNS = (
    "bcast", "reduce", "allreduce", "allgather", "total_exchange", "gather", "scatter",
    "reduce_scatter", "scan",
)  # fmt: skip


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


# -- simulated: right or undecided, wrong in at most 5 of 100 -----------------------------------

QUIET, ROUGH = Noise(), Noise(launch=0.1, cell=0.05, placement=0.03)
LINKS: Mapping[str, Mapping[str, Callable[[int], float]]] = {
    "steady": {},
    "both slow down with log p": {"slower": lambda ranks: 1 + math.log2(ranks) / 10},
    "both slow down with p": {"slower": lambda ranks: 1 + ranks / 20},
    "bytes slow down": {"bytes_slower": lambda ranks: 1 + math.log2(ranks) / 4},
    "bytes slow down between nodes": {"bytes_slower": lambda ranks: 4 if ranks > 16 else 1},
    "messages slow down between nodes": {"messages_slower": lambda ranks: 3 if ranks > 16 else 1},
}
"""How what messages and bytes cost changes with the ranks."""


def on_a_mesh(ranks: int) -> Cost:
    side = 2 * (math.sqrt(ranks) - 1)
    return Cost(side, side, side)


def blocks_on_a_mesh(ranks: int) -> Cost:
    return Cost(2 * (math.sqrt(ranks) - 1), ranks - 1)


def exchange_on_a_cube(ranks: int) -> Cost:
    side = ranks ** (1 / 3)
    return Cost(3 * (side - 1), 3 * (side - 1) * side**2)


def split_binary(ranks: int) -> Cost:
    rounds = math.log2(ranks)
    return Cost(rounds + 1, (rounds + 1) / 2)


def pipelined_trees(ranks: int) -> Cost:
    return Cost(4 * math.log2(ranks), 2, 1)


def linear_then_tree(ranks: int) -> Cost:
    steps = ranks - 1 + math.log2(ranks)
    return Cost(steps, steps, ranks - 1)


UNKNOWN: Mapping[str, tuple[CostForm, ...]] = {
    "bcast": (on_a_mesh, split_binary, pipelined_trees),
    "reduce": (on_a_mesh, pipelined_trees),
    "allreduce": (on_a_mesh, pipelined_trees, linear_then_tree),
    "allgather": (blocks_on_a_mesh,),
    "total_exchange": (exchange_on_a_cube,),
    "gather": (blocks_on_a_mesh,),
    "scatter": (blocks_on_a_mesh,),
    "scan": (on_a_mesh,),
}
"""Algorithms that aren't in the table."""


def named(
    pattern: str, form: CostForm, ranks: Sequence[int], noise: Noise, rng: np.random.Generator,
    links: Mapping[str, Callable[[int], float]],
) -> str | None:  # fmt: skip
    """What a library is taken for whose links are drawn at random."""
    alpha, beta = 10 ** rng.uniform((-6.3, -10.3), (-5, -9))
    gamma, latency = beta * rng.uniform(), max(0.0, rng.uniform(-2, 3))
    library = Library(form, alpha, beta, gamma, latency, **links)
    sizes = (SIZES, SIZES[:4], SIZES[3:])[rng.integers(3)]
    seed = int(rng.integers(2**31))
    return decided(observed(pattern, library, ranks, sizes, noise, seed)).name


@pytest.mark.parametrize("ranks", [MIXED, POWERS], ids=["mixed", "powers"])
@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("noise", [QUIET, ROUGH], ids=["quiet", "rough"])
def test_wrong_names_are_rare(noise: Noise, links: str, ranks: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    cases = [(one, *form) for one in PATTERNS for form in known(one, ranks).items()] * 2
    names = [
        (name, named(pattern, form, ranks, noise, rng, LINKS[links]))
        for pattern, name, form in cases
    ]
    wrong = [pair for pair in names if pair[1] not in (pair[0], None)]
    assert len(wrong) <= len(names) / 20, wrong
    if links == "steady" and noise is QUIET and ranks is MIXED:
        assert len([pair for pair in names if pair[0] == pair[1]]) >= len(names) / 2


@pytest.mark.parametrize("ranks", [MIXED, POWERS], ids=["mixed", "powers"])
@pytest.mark.parametrize("noise", [QUIET, ROUGH], ids=["quiet", "rough"])
def test_an_unknown_algorithm_is_rarely_taken_for_a_known_one(
    noise: Noise, ranks: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(2)
    cases = [(pattern, form) for pattern, forms in UNKNOWN.items() for form in forms] * 5
    names = [
        (form.__name__, named(pattern, form, ranks, noise, rng, {})) for pattern, form in cases
    ]
    wrong = [pair for pair in names if pair[1]]
    assert len(wrong) <= len(names) / 20, wrong


def test_an_algorithm_that_resampled_campaigns_often_take_another_for_is_undecided() -> None:
    binomial = known("gather", MIXED)["binomial"]
    rough = Noise(launch=0.5, cell=0.02, placement=0.0)
    found = decided(observed("gather", Library(binomial), noise=rough, seed=5, blocks=6))
    assert found.name is None
    assert found.confidence is not None and 0.5 < found.confidence < 0.95
    assert found.why.startswith("binomial ")
    assert numbers(found.why)[0] == f"{100 * found.confidence:.0f}"
