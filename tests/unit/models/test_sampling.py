"""Models as points of curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.models import EVERY, barrier, bcast, lacking, pingpong, reduce_apart, stated

from leadline.models.model import Model
from leadline.models.prediction import predict
from leadline.models.sampling import fitted_curves, fitted_sweeps, sizes_drawn


@pytest.mark.parametrize("model", EVERY, ids=lambda model: model.pattern)
def test_curves_have_what_the_model_predicts_at_every_size_fitted(model: Model) -> None:
    for curve in fitted_curves([model]):
        places = np.searchsorted(curve.sizes_bytes, model.sizes_bytes)
        expected = predict(model, curve.ranks, model.sizes_bytes)
        assert [curve.times[place].value for place in places] == expected.seconds.tolist()
        if model.has_intervals:
            assert [curve.times[place].low for place in places] == expected.low.tolist()
            assert [curve.times[place].high for place in places] == expected.high.tolist()


def test_intervals_hold_both_pieces_from_their_very_ends_on() -> None:
    (curve,) = fitted_curves([pingpong()])
    found = dict(zip(curve.sizes_bytes, curve.times, strict=True))
    for below, above in ((8192, 16384), (524_288, 1_048_576)):
        for end, beyond in ((below, below + 1), (above, above - 1)):
            assert found[beyond].half_width > 1.01 * found[end].half_width


def test_sizes_rise_and_lie_close_together_from_the_least_to_the_most() -> None:
    sizes = sizes_drawn(pingpong())
    assert (sizes[0], sizes[1], sizes[-1]) == (0, 8, 4_194_304)
    assert (np.diff(sizes) > 0).all()
    assert (sizes[2:] / sizes[1:-1]).max() < 1.35


def test_each_number_of_ranks_has_a_curve_and_one_size_has_none() -> None:
    found = fitted_curves([bcast(), barrier()])
    assert [(one.pattern, one.ranks) for one in found] == [
        ("bcast", ranks) for ranks in (2, 4, 8, 12, 16, 32, 64)
    ]


def test_stated_values_have_a_curve_without_a_band() -> None:
    (curve,) = fitted_curves([stated()])
    assert curve.label == "torus (simulated)"
    assert all(time.bounds is None for time in curve.times)


def test_each_size_of_several_ranks_has_a_sweep_and_one_number_of_ranks_has_none() -> None:
    found = fitted_sweeps([bcast(), pingpong(), barrier()])
    assert [(one.measured[0].pattern, one.size_bytes) for one in found] == [
        *(("bcast", size) for size in bcast().sizes_bytes), ("barrier", 0),
    ]  # fmt: skip
    assert [key.ranks for key in found[0].measured] == list(bcast().ranks)


@pytest.mark.parametrize("model", [bcast(), reduce_apart(), barrier()], ids=lambda one: one.pattern)
def test_sweeps_have_what_the_model_predicts(model: Model) -> None:
    for sweep in fitted_sweeps([model]):
        expected = predict(model, sweep.ranks, sweep.size_bytes)
        assert [time.value for time in sweep.times] == expected.seconds.tolist()
        assert not expected.extrapolated.any()


def test_powers_of_two_and_others_are_sweeps_of_their_own_where_they_are_apart() -> None:
    powers, others, *_ = fitted_sweeps([reduce_apart()])
    assert (powers.ranks, powers.powers) == ((2, 4, 8, 16), True)
    assert (others.ranks, others.powers) == ((3, 5, 6, 7, 9, 10, 11, 12), False)


def test_numbers_of_ranks_that_a_model_knows_nothing_of_are_not_drawn() -> None:
    model = replace(bcast(), ranks=(2, 4, 8))
    assert fitted_sweeps([model])[0].ranks == (2, 4, 8)


@pytest.mark.parametrize("model", [lacking(), *EVERY], ids=lambda model: model.pattern)
def test_what_the_form_alone_says_is_beside_what_is_predicted(model: Model) -> None:
    alone = replace(model, residuals=None)
    for curve in fitted_curves([model]):
        assert list(curve.form_s) == predict(alone, curve.ranks, curve.sizes_bytes).seconds.tolist()
    for sweep in fitted_sweeps([model]):
        assert list(sweep.form_s) == predict(alone, sweep.ranks, sweep.size_bytes).seconds.tolist()
