"""How far what was checked is from what was expected."""

from __future__ import annotations

import math

import pytest

from leadline.record.slices import Verified


@pytest.mark.parametrize(
    ("expected", "seen", "error"),
    [(4.0, 5.0, 0.25), (-4.0, -3.0, 0.25), (0.0, 0.0, 0.0), (0.0, 1e-9, math.inf)],
)
def test_error_is_relative_to_what_was_expected(expected: float, seen: float, error: float) -> None:
    assert Verified("norm", expected, seen).relative_error == error
