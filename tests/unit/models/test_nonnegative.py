from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from leadline.models.fitting import nonnegative
from leadline.statistics.intervals import Floats


def fitted(design: Floats, values: Floats) -> Floats:
    return nonnegative(design.T @ design, design.T @ values)


def test_a_coefficient_that_would_be_negative_is_none() -> None:
    # the line 2 - m through (0, 2) and (1, 1) may not fall: their mean is left
    found = fitted(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([2.0, 1.0]))
    assert found == pytest.approx([1.5, 0.0])


def test_many_at_once_are_what_each_is_alone() -> None:
    rng = np.random.default_rng(0)
    designs, values = rng.normal(size=(500, 8, 3)), rng.normal(size=(500, 8))
    transposed = designs.transpose(0, 2, 1)
    found = nonnegative(transposed @ designs, (transposed @ values[..., None])[..., 0])
    for design, value, one in zip(designs, values, found, strict=True):
        assert one == pytest.approx(nnls(design, value)[0], abs=1e-6)


def test_terms_that_go_together_or_are_nothing_share_what_they_explain() -> None:
    column = np.arange(1.0, 5.0)
    found = fitted(np.stack([column, 2 * column, 0 * column], axis=1), 10 * column)
    assert found[0] + 2 * found[1] == pytest.approx(10)
    assert found[2] == 0
