from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from harness.models import barrier, bcast, pingpong, reduce_apart, scattered
from tests.support.curves import SIZES, noisy, observations

from leadline.models.closed_form import fit
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Coefficient, Model, Piece, RankSet, subject_of
from leadline.models.prediction import predict
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats

BYTES = np.array(SIZES, dtype=np.float64)
RANKS = (2, 4, 6, 8, 16)


def fitted(seconds: Floats, ranks: tuple[int, ...] = (2,)) -> Model:
    model = fit(observations(seconds, ranks=ranks))
    assert isinstance(model, Model)
    return model


def line() -> Floats:
    return (1e-6 + 1e-9 * BYTES)[None]


def test_a_line_predicts_itself() -> None:
    found = predict(fitted(line()), 2, [0, 1000, 10**6])
    assert found.seconds == pytest.approx([1e-6, 2e-6, 1.001e-3])
    assert not found.extrapolated.any()
    assert np.isnan(found.low).all()


def test_shapes_broadcast() -> None:
    surface = line() * np.array(RANKS)[:, None]
    found = predict(fitted(surface, RANKS), np.array(RANKS)[:, None], BYTES)
    assert found.seconds.shape == (5, BYTES.size)
    assert found.seconds == pytest.approx(surface)


def test_many_points_are_as_few() -> None:
    model = fitted(noisy(line() * np.array(RANKS)[:, None], 10, seed=1), RANKS)
    ranks, sizes = np.random.default_rng(1).integers(2, 30, (2, 40_000))
    many = predict(model, ranks, sizes)
    few = [predict(model, ranks[i : i + 1], sizes[i : i + 1]) for i in range(0, 40_000, 4_000)]
    assert many.low[::4_000] == pytest.approx([one.low[0] for one in few])
    assert many.extrapolated[::4_000].tolist() == [bool(one.extrapolated[0]) for one in few]


def test_intervals_hold_the_curve_and_widen_outside_of_what_was_fitted() -> None:
    model = fitted(noisy(line(), 12, seed=1))
    found = predict(model, 2, [2**20, 2**21, 2**22, 2**26])
    assert found.extrapolated.tolist() == [False, True, True, True]
    assert (found.low < found.seconds).all()
    widths = np.log(found.high / found.low)
    assert (np.diff(widths) > 0).all()


def test_another_number_of_ranks_than_the_only_one_is_unknown() -> None:
    found = predict(fitted(line()), [2, 3], 8)
    assert np.isnan(found.seconds).tolist() == [False, True]
    assert found.extrapolated.tolist() == [False, True]


def test_between_two_pieces_is_a_straight_line_and_the_interval_holds_both() -> None:
    truth = np.where(BYTES <= 4096, 1e-6, 4e-6)[None]
    model = fitted(noisy(truth, 12, seed=1))
    found = predict(model, 2, [4096, 5000, 7000, 8192])
    # from 1 us at 4,096 bytes straight to 4 us at 8,192: 904 / 4,096 and 2,904 / 4,096 of the way
    assert found.seconds == pytest.approx([1e-6, 1.66e-6, 3.13e-6, 4e-6], rel=0.05)
    assert (found.low < 1.1e-6).tolist() == [True, True, True, False]
    assert (found.high > 3.9e-6).tolist() == [False, True, True, True]


def test_no_time_is_below_the_shortest_fitted() -> None:
    model = fitted((2e-6 - 1e-12 * BYTES)[None])
    assert predict(model, 2, 10**9).seconds == pytest.approx(2e-6 - 1e-12 * 2**20)


def test_powers_of_two_alone_say_nothing_of_other_numbers_of_ranks() -> None:
    model = replace(bcast(), ranks=(2, 4, 8, 16))
    assert predict(model, [4, 6, 16, 32], 8).extrapolated.tolist() == [False, True, False, True]
    assert not predict(bcast(), [4, 6, 16, 64], 8).extrapolated.any()


def test_ranks_apart_are_extrapolated_by_those_of_their_own_kind() -> None:
    """Powers of two are fitted from 2 to 16, the others from 3 to 12."""
    found = predict(reduce_apart(), [2, 3, 12, 14, 15, 16, 24, 32], 8)
    assert found.extrapolated.tolist() == [False] * 3 + [True] * 2 + [False] + [True] * 2
    widths = np.log(found.high / found.low)
    assert widths[6] > widths[4] > widths[3] > widths[2]


def test_pattern_without_a_size_is_extrapolated_at_any() -> None:
    found = predict(barrier(), 4, [0, 8, 2**20])
    assert found.extrapolated.tolist() == [False, True, True]
    assert found.seconds == pytest.approx([1.1e-6] * 3)
    assert found.high[2] > found.high[1] > found.high[0]


def test_interval_that_says_nothing_stays_finite() -> None:
    unknown = replace(bcast(), scatter=scattered(2.0, 2.0, 12.7))
    found = predict(unknown, 2**24, 2**50)
    assert np.isfinite(found.high) and found.high / found.seconds == pytest.approx(1e12)


def test_errors_of_a_curve_go_with_their_covariance_by_hand() -> None:
    # 1 us + 1 ns/B, of which start-up and slope err by 3 % and 2 % and against each other: at
    # 1,000 B 2 us, with a variance of 0.03^2 + 0.02^2 - 2 * 0.0003 us^2, at 2 standard errors
    line = Model(
        **subject_of(pingpong()),
        ranks=(2,),
        sizes_bytes=(0, 2000),
        blocks=8,
        form=ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT),
        pieces=((RankSet.ALL, (one_piece(),)),),
        breakpoints=(),
        scatter=scattered(0.0, 0.0, 2.0),
        held_out=None,
    )
    found = predict(line, 2, 1000)
    assert found.seconds == pytest.approx(2e-6)
    spread = math.sqrt(0.03**2 + 0.02**2 - 2 * 0.0003) / 2
    assert np.log(found.high / found.seconds) == pytest.approx(2 * spread)


def one_piece() -> Piece:
    terms = ClosedForm(Scaling.CONSTANT, Scaling.CONSTANT).terms
    values = map(Coefficient, terms, (Estimate(1e-6, n=8), Estimate(1e-9, n=8)))
    covariance = np.array([[0.03e-6**2, -0.0003e-15], [-0.0003e-15, 0.02e-9**2]])
    return Piece(0, 2000, tuple(values), covariance)


def from_1000_bytes(startup_s: float) -> Model:
    """With 1 ns a byte more."""
    sizes = [1000 + size for size in SIZES]
    seconds = noisy((startup_s + 1e-9 * np.array(sizes, float))[None], 12, seed=1)
    model = fit(observations(seconds, sizes=sizes))
    assert isinstance(model, Model)
    return model


def test_shorter_messages_lie_outside_by_the_time_that_they_save_by_hand() -> None:
    # 1 us and 1 ns a byte from 1,000 bytes on: 2 us there, and without any 1 us, an octave less
    found = predict(from_1000_bytes(1e-6), 2, [0, 999, 1000])
    assert found.seconds == pytest.approx([1e-6, 2e-6, 2e-6], rel=0.05)
    assert found.extrapolated.tolist() == [True, True, False]
    assert not found.floored.any()
    widths = np.log(found.high / found.low)
    assert widths[1] == pytest.approx(widths[2], rel=0.5)
    assert 1.5 * widths[1] < widths[0] < 4 * widths[1]


def test_form_without_a_start_up_ends_at_the_shortest_time_fitted() -> None:
    # -0.5 us and 1 ns a byte: 0.5 us at 1,000 bytes, and none less
    found = predict(from_1000_bytes(-0.5e-6), 2, [0, 400, 999, 1000, 2000])
    assert found.seconds[:3] == pytest.approx([0.5e-6] * 3, rel=0.1)
    assert found.floored.tolist() == [True, True, True, False, False]
