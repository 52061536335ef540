"""Verdicts on pairs keep their level in lopsided noise; `bench.truth` has more."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest
from harness.places import ROOT

from leadline.statistics import permutation
from leadline.statistics.intervals import Floats

CURVES = 200
MOST_FALSE = 0.07 + 3 * 0.018
"""7 % and three standard errors of a share of 200."""


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "truth_of_pairs.py"))


@pytest.mark.parametrize("blocks", [6, 12, 16])
@pytest.mark.parametrize("noise", ["lognormal 0.5", "exponential", "15 % outliers"])
def test_intervals_cover_95_percent_in_lopsided_noise(
    truth: dict[str, Any], noise: str, blocks: int
) -> None:
    assert 0.93 <= truth["covered"](noise, blocks, 4000) <= 0.97


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("noise", ["lognormal 0.5", "exponential", "15 % outliers"])
def test_a_library_disturbed_alone_is_seldom_called_slower(
    truth: dict[str, Any], noise: str, side: int
) -> None:
    assert truth["false_verdicts"](noise, side, 11, CURVES) <= MOST_FALSE


def test_a_test_by_means_would_call_it_slower_the_more_the_more_blocks(
    truth: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert truth["false_verdicts"]("exponential", 1, 16, 100) <= 0.07 + 3 * 0.026
    monkeypatch.setattr(permutation, "bounded", lambda distances: distances)
    assert truth["false_verdicts"]("exponential", 1, 16, 100) >= 0.15


def test_disturbed_cells_hide_nothing_in_calm_ones(truth: dict[str, Any]) -> None:
    assert truth["found_beside_disturbed"](8, 60) >= 0.95


def test_a_prior_of_fixed_weight_would_hide_it(
    truth: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fixed(squares: Floats, freedom: Floats, averages: int = 1) -> Floats:
        typical = np.median(squares / freedom, axis=1, keepdims=True)
        moderated: Floats = (4 * typical + squares) / (4 + freedom)
        return moderated

    monkeypatch.setattr(permutation, "moderated", fixed)
    assert truth["found_beside_disturbed"](8, 60) <= 0.7


def test_seven_equal_libraries_seldom_differ(truth: dict[str, Any]) -> None:
    assert truth["false_among_pairs"]("normal", 8, 60) <= 0.05 + 3 * 0.028
    assert truth["false_among_pairs"]("normal", 8, 60, together=False) >= 0.3
