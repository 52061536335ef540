from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.models import bcast, pingpong, reduce_apart
from tests.support.curves import SIZES, noisy, observations

from leadline.models.closed_form import fit
from leadline.models.forms import ClosedForm, Scaling
from leadline.models.model import Model, Residuals
from leadline.models.prediction import predict
from leadline.models.residuals import best_share, between_ranks, between_sizes, corrected
from leadline.statistics.intervals import Floats

BYTES = np.array(SIZES, dtype=np.float64)
SURFACE = ClosedForm(Scaling.LOGARITHMIC, Scaling.LINEAR)
APART = replace(SURFACE, powers_apart=True)


def test_residuals_count_by_distance_in_bytes_and_fade_within_an_octave_by_hand() -> None:
    weights = between_sizes(np.array([4.0, 6.0, 8.0, 10.0, 16.0, 24.5, 40.0]), np.array([8.0, 16]))
    assert weights.tolist() == [
        [0, 0], [0.5, 0], [1, 0], [0.75, 0.25], [0, 1], [0, 0.5], [0, 0],
    ]  # fmt: skip


def test_nothing_lies_below_zero_bytes() -> None:
    assert between_sizes(np.array([0.0, 4.0]), np.array([0.0, 8.0])).tolist() == [
        [1, 0],
        [0.5, 0.5],
    ]


def test_residuals_count_by_distance_in_octaves_of_ranks_by_hand() -> None:
    asked, fitted = np.array([2, 4, 8, 16, 32, 64]), np.array([4, 16])
    weights = between_ranks(SURFACE, asked, fitted)
    assert weights.tolist() == [[0, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 0], [0, 0]]


def test_families_of_ranks_do_not_tell_of_each_other() -> None:
    fitted = np.array([2, 3, 6, 8])
    weights = between_ranks(APART, np.array([3, 4, 5]), fitted)
    assert weights[0].tolist() == [0, 1, 0, 0]
    assert weights[1].tolist() == pytest.approx([0.5, 0, 0, 0.5])
    assert weights[2, [0, 3]].tolist() == [0, 0] and weights[2].sum() == pytest.approx(1)


def test_share_is_that_which_leaves_least() -> None:
    errors = np.log(np.array([1 / 1.2, 1 / 1.4, np.nan]))  # 20 and 40 % more was measured
    assert best_share(errors, np.array([0.4, 0.8, 1.0]), 1.0) == pytest.approx(0.5)
    assert best_share(errors, np.array([0.4, 0.8, 1.0]), 0.3) == pytest.approx(0.3)
    assert best_share(errors, np.array([-0.4, -0.8, 1.0]), 1.0) == 0.0
    assert best_share(np.full(2, np.nan), np.zeros(2), 1.0) == 0.0


def test_correction_that_would_leave_nothing_stays_finite() -> None:
    assert np.isfinite(corrected(np.zeros(1), np.array([-1.0]), 1.0)).all()


# -- predictions -----------------------------------------------------------------------------------


def test_what_lacks_is_added_between_sizes_by_hand() -> None:
    # 1.2 us + 0.31 ns/B lacks 0.8 us at 512 bytes and nothing at 8 or 4,096: halfway up, half of it
    seconds = np.zeros((1, len(pingpong().sizes_bytes)))
    seconds[0, 2] = 0.8e-6
    lacking = replace(pingpong(), residuals=Residuals(seconds, 0.0))
    at = [8, 260, 512, 2304, 4096, 10_000]
    added = predict(lacking, 2, at).seconds - predict(pingpong(), 2, at).seconds
    assert added == pytest.approx([0, 0.4e-6, 0.8e-6, 0.4e-6, 0, 0], abs=1e-15)


def test_share_between_ranks_is_one_of_its_own_by_hand() -> None:
    model = bcast()
    of_ranks = np.array([0, 0, 0, 3e-6, 1e-6, 0, 0])
    seconds = np.tile(of_ranks[:, None], (1, len(model.sizes_bytes)))
    lacking = replace(model, residuals=Residuals(seconds / 2, 0.2))
    at = [12, 14, 16, 64]
    added = predict(lacking, at, 8).seconds - predict(model, at, 8).seconds
    # of the form, 1.5 us are a share on 12 ranks and 0.5 us one on 16; on 14 a fifth of between
    forms = predict(model, at, 8).seconds
    way = np.log2(14 / 12) / np.log2(16 / 12)
    share = (1 - way) * 1.5e-6 / forms[0] + way * 0.5e-6 / forms[2]
    assert added == pytest.approx([1.5e-6, 0.2 * share * forms[1], 0.5e-6, 0], abs=1e-15)


def test_what_lacks_fades_outside_of_what_was_fitted() -> None:
    model = bcast()
    seconds = np.full((len(model.ranks), len(model.sizes_bytes)), 4e-6)
    lacking = replace(model, residuals=Residuals(seconds, 1.0))
    most = model.sizes_bytes[-1]
    at = [most, int(1.5 * most), 2 * most + 1, 4 * most]
    added = predict(lacking, 4, at).seconds - predict(model, 4, at).seconds
    assert added == pytest.approx([4e-6, 2e-6, 0, 0], abs=1e-11)
    added = predict(lacking, [64, 128], 8).seconds - predict(model, [64, 128], 8).seconds
    assert added == pytest.approx([4e-6, 0], abs=1e-15)


def test_between_two_pieces_residuals_may_lie_below_either_by_hand() -> None:
    # 3.74 us at 8 KiB and 5.37 us at 16 KiB, of which 2 and 3 us are too much: halfway between
    seconds = np.zeros((1, len(pingpong().sizes_bytes)))
    seconds[0, 4:6] = -2e-6, -3e-6
    lacking = replace(pingpong(), residuals=Residuals(seconds, 0.0))
    ends = 1.2e-6 + 0.31e-9 * 8192 - 2e-6, 3.4e-6 + 0.12e-9 * 16384 - 3e-6
    found = predict(lacking, 2, [8192, 12288, 16384])
    assert found.seconds == pytest.approx([ends[0], sum(ends) / 2, ends[1]])
    assert not found.floored.any()


def test_ranks_apart_lack_apart() -> None:
    model = reduce_apart()
    powers = np.array([one & (one - 1) == 0 for one in model.ranks])
    seconds = np.where(powers, 1e-6, 3e-6)[:, None] * np.ones(len(model.sizes_bytes))
    lacking = replace(model, residuals=Residuals(seconds, 1.0))
    at = [4, 6, 8, 10]
    added = predict(lacking, at, 8).seconds - predict(model, at, 8).seconds
    assert added[[0, 1, 2]] == pytest.approx([1e-6, 3e-6, 1e-6])
    assert 3e-6 < added[3] < 4e-6  # between 6 and 12, of the form, which rises with ranks


def test_a_slow_number_of_ranks_does_not_swamp_a_fast_one() -> None:
    model = bcast()
    seconds = np.zeros((len(model.ranks), len(model.sizes_bytes)))
    seconds[model.ranks.index(4)] = -0.9 * predict(model, 4, model.sizes_bytes).seconds
    found = predict(replace(model, residuals=Residuals(seconds, 1.0)), 3, [0, 8, 12_000, 2**20])
    assert (found.seconds > 0).all() and (found.low > 0).all()


# -- fits ------------------------------------------------------------------------------------------


def wavy(ripple: float) -> Floats:
    return (1e-6 + 1e-9 * BYTES) * (1 + ripple * np.sin(1.3 * np.log(BYTES + 1)))


def fitted(ripple: float, launch: float, cell: float) -> Model:
    model = fit(observations(noisy(wavy(ripple)[None], 12, 1, launch, cell)))
    assert isinstance(model, Model)
    return model


def test_what_no_form_follows_is_followed_all_the_same() -> None:
    sizes = list(SIZES[::2])
    model = fit(observations(wavy(0.15)[None, ::2, None].repeat(12, 2), sizes=sizes))
    assert isinstance(model, Model) and model.residuals is not None
    errors = np.abs(predict(model, 2, BYTES).seconds / wavy(0.15) - 1)
    alone = np.abs(predict(replace(model, residuals=None), 2, BYTES).seconds / wavy(0.15) - 1)
    assert np.median(errors) < np.median(alone) / 2


def test_noise_is_hardly_followed() -> None:
    added = []
    for seed in range(10):
        seconds = noisy(wavy(0.0)[None], 12, seed, 0.02, 0.03)
        model = fit(observations(seconds))
        assert isinstance(model, Model)
        off = np.log(np.median(seconds, axis=2)[0] / predict(model, 2, BYTES).seconds)
        alone = replace(model, residuals=None)
        lacking = np.log(np.median(seconds, axis=2)[0] / predict(alone, 2, BYTES).seconds)
        added.append(np.std(lacking - off) / np.std(lacking))
    assert np.mean(added) < 0.3


def test_what_is_surely_no_noise_is_added_whole() -> None:
    model = fitted(0.15, 0.002, 0.002)
    times = np.median(noisy(wavy(0.15)[None], 12, 1, 0.002, 0.002), axis=2)[0]
    assert predict(model, 2, BYTES).seconds == pytest.approx(times, rel=0.01)


def test_predictions_are_less_unsure_where_residuals_help() -> None:
    scatter = fitted(0.1, 0.002, 0.002).scatter
    assert scatter is not None
    assert scatter.between_sizes.deviation < scatter.outside.deviation
