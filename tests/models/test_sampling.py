"""Models as points of curves."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.models import EVERY, barrier, bcast, pingpong, stated

from leadline.models.model import Model
from leadline.models.prediction import predict
from leadline.models.sampling import fitted_curves, sizes_drawn


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
