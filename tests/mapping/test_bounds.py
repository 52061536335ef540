"""Lower bounds of mappings: what is said to be optimal is."""

from __future__ import annotations

import pytest

from leadline.mapping.library import library
from leadline.mapping.metrics import ROUNDING, reaches


@pytest.mark.parametrize("bound", [0.0, 1.0, 1 / 3, 7e9])
@pytest.mark.parametrize("share", [-1.0, 0.0, 0.9, 1.1, 50.0])
def test_values_are_rounded_in_c_as_in_python(bound: float, share: float) -> None:
    value = bound * (1 + share * ROUNDING)
    assert bool(library().map_reaches(value, bound)) == reaches(value, bound)
    assert reaches(value, bound) == (share < 1 or bound == 0)


def test_nothing_reaches_a_bound_that_is_not_known() -> None:
    assert not library().map_reaches(0.0, float("nan"))
    assert not reaches(0.0, float("nan"))
