from __future__ import annotations

import math

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.curves import SIZES, noisy, observations

from leadline.models.closed_form import fit, fit_each
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Break, Model, NotFitted, RankSet
from leadline.models.prediction import predict
from leadline.record.run import Origin
from leadline.statistics.intervals import Floats

BYTES = np.array(SIZES, dtype=np.float64)
RANKS = (2, 3, 4, 6, 8, 12, 16)
LINE = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT)


def fitted(seconds: Floats, **given: object) -> Model:
    model = fit(observations(seconds, **given))  # type: ignore[arg-type]
    assert isinstance(model, Model), model
    return model


def refused(seconds: Floats, **given: object) -> str:
    found = fit(observations(seconds, **given))  # type: ignore[arg-type]
    assert isinstance(found, NotFitted), found
    return found.reason


def values(model: Model, piece: int = 0, family: int = 0) -> list[float]:
    return [one.value.value for one in model.pieces[family][1][piece].coefficients]


def switching(sizes: Floats, jump: float = 1e-6) -> Floats:
    """A line to 4 KiB, from 8 KiB on another one."""
    above = 1e-6 + jump + 1e-10 * sizes
    return np.where(sizes <= 4096, 0.5e-6 + 3e-10 * sizes, above)[None, :]


def test_a_line_through_three_sizes_by_hand() -> None:
    # 1 us + 10 ns/B: 1, 11 and 21 us at 0, 1,000 and 2,000 bytes
    model = fitted(np.array([[1e-6, 11e-6, 21e-6]]), sizes=(0, 1000, 2000))
    assert model.form == LINE
    assert values(model) == pytest.approx([1e-6, 1e-8])
    assert model.pieces[0][1][0].latency_s.value == pytest.approx(1e-6)


def test_relative_errors_are_what_is_least_by_hand() -> None:
    # the constant c closest to 1, 1 and 2 s: errors relative to c itself are least at
    # c = sum y / n of weights 1 / c^2, which is the mean; once relative to y: 2.5 / 2.25
    model = fitted(np.array([[1.0, 1.0, 2.0]]), sizes=(1, 2, 3))
    assert model.form == ClosedForm(Scaling.CONSTANT, None)
    assert values(model) == pytest.approx([4 / 3])


@pytest.mark.parametrize("startup", Scaling)
@pytest.mark.parametrize("per_byte", [None, *Scaling])
def test_every_form_is_found_exactly_without_noise(
    startup: Scaling, per_byte: Scaling | None
) -> None:
    form = ClosedForm(startup, per_byte)
    ranks, sizes = np.meshgrid(np.array(RANKS, dtype=float), BYTES, indexing="ij")
    given = [(3e-10 if term.per_byte else 1e-6) for term in form.terms]
    seconds = sum(
        (value * term.of(ranks, sizes) for term, value in zip(form.terms, given, strict=True)),
        np.zeros_like(ranks),
    )
    model = fitted(seconds, ranks=RANKS)
    assert model.form == form
    assert values(model) == pytest.approx(given, rel=1e-6)
    assert model.held_out is not None
    assert model.held_out.p90_error < 1e-6


def test_powers_of_two_apart_are_found() -> None:
    ranks = np.array([2, 3, 4, 5, 6, 7, 8, 16], dtype=float)[:, None]
    power = np.log2(ranks) % 1 == 0
    seconds = np.where(power, 1e-6, 3e-6) * np.log2(ranks) + 1e-6 + 1e-9 * BYTES
    model = fitted(seconds, ranks=tuple(int(p) for p in ranks[:, 0]))
    assert model.form.powers_apart
    assert [family for family, _ in model.pieces] == [RankSet.POWERS_OF_TWO, RankSet.OTHERS]
    assert values(model, family=0)[1] == pytest.approx(1e-6, rel=1e-6)
    assert values(model, family=1)[1] == pytest.approx(3e-6, rel=1e-6)


def test_a_switch_is_found_between_its_sizes_and_named() -> None:
    model = fitted(noisy(switching(BYTES), 12, seed=1))
    assert model.form == ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT, 2)
    (at,) = model.breakpoints
    assert at.bytes.value == pytest.approx(math.sqrt(4096 * 8192))
    assert at.bytes.holds(4096)
    assert at.bytes.holds(8192)
    assert at.kind is Break.PROTOCOL_SWITCH
    assert [piece.least_bytes for piece in model.pieces[0][1]] == [0, 8192]


def test_a_cache_edge_has_no_jump() -> None:
    truth = 1e-6 + 1e-10 * BYTES + 4e-10 * np.maximum(BYTES - 40_000, 0)
    model = fitted(noisy(truth[None], 16, seed=3, cell=0.005, launch=0.005))
    kinds = {at.kind for at in model.breakpoints}
    assert kinds == {Break.CACHE_EDGE}


def test_noise_about_a_constant_stays_a_constant() -> None:
    found = [
        fitted(noisy(np.full((1, BYTES.size), 1e-6), 10, seed)).form.pieces for seed in range(20)
    ]
    assert sum(pieces == 1 for pieces in found) >= 16


def test_the_same_seed_gives_the_same_bounds() -> None:
    seconds = noisy(switching(BYTES), 10, seed=5)
    one, other = (fit(observations(seconds), seed=7) for _ in range(2))
    assert isinstance(one, Model)
    assert isinstance(other, Model)
    assert one.pieces[0][1][0].coefficients == other.pieces[0][1][0].coefficients
    assert one.breakpoints == other.breakpoints


def test_what_a_block_shares_over_all_ranks_is_in_coefficients_intervals() -> None:
    """The state of the machine, 5 % from block to block: launches of many ranks tell no more."""
    truth = np.ones((6, BYTES.size, 1)) * (1e-6 + 1e-9 * BYTES)[:, None]
    state = 0.05 * np.random.default_rng(2).standard_normal(12)
    model = fitted(truth * np.exp(state), ranks=(2, 4, 8, 16, 32, 64))
    one = fitted(truth[:1] * np.exp(state))
    assert model.form == one.form == LINE
    widths, alone = (
        [
            (it.value.high or 0) / it.value.value - (it.value.low or 0) / it.value.value
            for it in each.pieces[0][1][0].coefficients
        ]
        for each in (model, one)
    )
    assert widths == pytest.approx(alone)


@pytest.mark.parametrize("blocks", [1, 5])
def test_fewer_than_six_blocks_give_no_intervals(blocks: int) -> None:
    model = fitted(noisy(switching(BYTES), blocks, seed=2))
    assert not model.has_intervals
    assert model.pieces[0][1][0].latency_s.bounds is None
    assert model.pieces[0][1][0].covariance.shape == (0, 0)
    assert [warning.code for warning in model.warnings] == ["few_blocks"]


def test_one_number_of_ranks_with_few_blocks_leaves_no_intervals() -> None:
    seconds = noisy(np.tile(1e-6 + 1e-9 * BYTES, (5, 1)), 12, seed=2)
    seconds[:, 3, 4:] = np.nan  # a size alone isn't what decides
    assert fitted(seconds, ranks=(2, 4, 8, 16, 32)).blocks == 12
    seconds[4, :, 5:] = np.nan
    model = fitted(seconds, ranks=(2, 4, 8, 16, 32))
    assert model.blocks == 5
    assert not model.has_intervals
    assert [warning.code for warning in model.warnings] == ["few_blocks"]


def test_six_blocks_give_intervals() -> None:
    model = fitted(noisy(switching(BYTES), 6, seed=2))
    assert model.has_intervals
    assert model.pieces[0][1][0].latency_s.n == 6


def test_stated_values_give_a_curve_and_say_that_nothing_is_known_of_its_error() -> None:
    model = fitted(switching(BYTES), origin=Origin.SIMULATED)
    assert model.blocks == 0
    assert not model.has_intervals
    assert [warning.code for warning in model.warnings] == ["simulated"]
    assert model.breakpoints[0].bytes.bounds is None


def test_what_was_not_measured_is_left_out() -> None:
    seconds = noisy(np.tile(switching(BYTES), (3, 1)), 12, seed=1)
    seconds[1, 4] = np.nan
    seconds[0, :, 3] = np.nan
    seconds[:, 7] = np.nan
    model = fitted(seconds, ranks=(2, 4, 8))
    assert SIZES[7] not in model.sizes_bytes
    assert SIZES[4] in model.sizes_bytes
    assert all(np.isfinite(values(model)))


@pytest.mark.parametrize("wrong", [0.0, -1e-6, math.inf])
def test_impossible_times_are_refused(wrong: float, snapshot: SnapshotAssertion) -> None:
    seconds = switching(BYTES)
    seconds[0, 3] = wrong
    assert refused(seconds) == snapshot


def test_too_little_is_refused_with_what_is_needed(snapshot: SnapshotAssertion) -> None:
    line = np.array([[1e-6, 2e-6]])
    told = {
        "sizes": refused(line, sizes=(0, 8)),
        "ranks": refused(np.tile(switching(BYTES), (2, 1)), ranks=(2, 4)),
        "values": refused(np.full((1, 3), np.nan), sizes=(1, 2, 3)),
    }
    assert told == snapshot


def test_sizes_that_would_fill_memory_are_refused_at_once(snapshot: SnapshotAssertion) -> None:
    """2,000 of them wanted 30 GB, in a report that nobody had asked for models."""
    sizes = tuple(range(8, 8 * 2001, 8))
    message = refused(1e-6 + 1e-10 * np.array(sizes, dtype=np.float64), sizes=sizes)
    assert message == snapshot


def test_times_that_no_form_describes_are_refused_and_nothing_is_said_of_them(
    snapshot: SnapshotAssertion,
) -> None:
    # two ranks with cores of their own, three and four that share them, as measured by shm
    seconds = np.array([[0.31, 0.33, 0.9, 12.7], [690, 720, 800, 1900], [2900, 3000, 3300, 7600]])
    message = refused(seconds * 1e-6, ranks=(2, 3, 4), sizes=(8, 512, 4096, 65536))
    assert message == snapshot


def test_one_odd_time_among_four_is_no_constant(snapshot: SnapshotAssertion) -> None:
    # of 0.07, 0.07, 0.076 and 0.336 us a constant is off by four times at the largest size
    seconds = np.array([[0.07, 0.07, 0.076, 0.336]]) * 1e-6
    assert fitted(seconds, sizes=(0, 8, 512, 4096)).form.name == "a + b m"
    amid = refused(seconds[:, [0, 3, 1, 2]], sizes=(0, 8, 512, 4096))
    assert amid == snapshot  # no line comes near one in the middle


def test_two_numbers_of_ranks_are_fitted_each() -> None:
    found = fit_each(observations(np.tile(switching(BYTES), (2, 1)), ranks=(2, 4)))
    assert [model.ranks for model in found if isinstance(model, Model)] == [(2,), (4,)]
    (whole,) = fit_each(observations(np.tile(switching(BYTES), (3, 1)), ranks=(2, 4, 8)))
    assert isinstance(whole, Model)
    assert whole.ranks == (2, 4, 8)


def test_a_pattern_without_bytes_grows_with_its_ranks() -> None:
    ranks = np.array(RANKS, dtype=float)[:, None]
    model = fitted(1e-6 + 2e-6 * np.log2(ranks), ranks=RANKS, sizes=(0,))
    assert model.form == ClosedForm(Scaling.LOGARITHMIC, None)
    assert values(model) == pytest.approx([1e-6, 2e-6])


def test_a_surface_with_noise_has_its_form_and_its_switch() -> None:
    ranks, sizes = np.meshgrid(np.array(RANKS, dtype=float), BYTES, indexing="ij")
    above = 9e-6 + 3e-6 * np.log2(ranks) + 2e-10 * ranks * sizes
    truth = np.where(sizes <= 4096, 2e-6 + 3e-6 * np.log2(ranks) + 1e-9 * ranks * sizes, above)
    model = fitted(noisy(truth, 12, seed=2), ranks=RANKS)
    assert model.form == ClosedForm(Scaling.LOGARITHMIC, Scaling.LINEAR, 2)
    assert model.breakpoints[0].bytes.holds(math.sqrt(4096 * 8192))
    held = [
        one.value.holds(3e-6) for piece in model.pieces[0][1] for one in piece.coefficients[1:2]
    ]
    assert held == [True, True]


@pytest.mark.parametrize("row", range(1, 5))
def test_numbers_of_ranks_held_out_are_predicted_of_costs_that_are_forms(row: int) -> None:
    ranks = np.array([2, 4, 8, 16, 32, 64], dtype=float)[:, None]
    latency, byte = 2e-6, 1e-9
    costs = (
        np.log2(ranks) * (latency + BYTES * byte),  # binomial
        (ranks - 1) * (latency + BYTES * byte),  # pairwise
        np.log2(ranks) * latency + (ranks - 1) * BYTES * byte,  # binomial gather
    )
    kept = [i for i in range(6) if i != row]
    for cost in costs:
        numbers = tuple(int(p) for p in ranks[kept, 0])
        model = fitted(cost[kept], ranks=numbers, origin=Origin.SIMULATED)
        found = predict(model, int(ranks[row, 0]), BYTES)
        assert found.seconds == pytest.approx(cost[row], rel=1e-6)
        assert not found.extrapolated.any()


def test_times_that_are_far_from_seconds_are_fitted_alike() -> None:
    model = fitted(switching(BYTES))
    scaled = fitted(switching(BYTES) * 1e9)
    assert scaled.form == model.form
    assert values(scaled) == pytest.approx([value * 1e9 for value in values(model)])


def test_blocks_do_not_matter_in_their_order() -> None:
    seconds = noisy(switching(BYTES), 12, seed=1)
    one, other = fitted(seconds), fitted(seconds[..., ::-1])
    assert values(one) == values(other)
    assert one.form == other.form


def test_form_that_says_too_little_gives_way_to_one_that_says_enough() -> None:
    """So much noise that a constant is near the best, though it is thirty times off at the ends."""
    sizes = (0, 8, 64, 512, 4096, 32768)
    generator = np.random.default_rng(261)
    own = 0.25 * generator.standard_normal((1, 6, 6))
    delayed = generator.random((1, 1, 6)) < 0.4
    noise = np.exp(own + delayed * generator.exponential(1, (1, 1, 6)))
    model = fitted((0.2e-6 + 0.2e-9 * np.array(sizes))[None, :, None] * noise, sizes=sizes)
    assert model.form.name == "a + b m"
    assert model.pieces[0][1][0].coefficients[1].value.value == pytest.approx(0.2e-9, rel=1)


def test_rounding_is_no_misfit() -> None:
    exact = fitted((1e-6 + 1e-10 * BYTES)[None])
    assert exact.residuals is None
    assert exact.held_out is not None and exact.held_out.median_error < 1e-9


def test_two_numbers_of_ranks_without_sizes_are_refused_once_with_what_would_do(
    snapshot: SnapshotAssertion,
) -> None:
    (found,) = fit_each(observations(np.full((2, 1), 1e-6), ranks=(4, 8), sizes=(0,)))
    assert isinstance(found, NotFitted)
    assert found.reason == snapshot
