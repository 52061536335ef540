"""Verdicts keep their level where one side alone is disturbed; `bench.truth` has more."""

from __future__ import annotations

import runpy
from typing import Any

import numpy as np
import pytest
from harness.places import ROOT

from leadline.statistics.intervals import Floats

CAMPAIGNS = 150
MOST_FALSE = 0.07 + 3 * 0.021
"""7 % and three standard errors of a share of 150."""


@pytest.fixture
def truth() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "truth_of_disturbed.py"))


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_side_disturbed_alone_is_seldom_called_slower(truth: dict[str, Any], share: float) -> None:
    assert truth["called_slower"](truth["Struck"](share, 12), CAMPAIGNS) <= MOST_FALSE


def test_blocks_of_disturbed_visits_would_have_it_called_slower(
    truth: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_them(waited: Floats) -> Floats:
        return np.ones_like(waited)

    monkeypatch.setitem(truth["Struck"].campaign.__globals__, "spared", all_of_them)
    assert truth["called_slower"](truth["Struck"](0.2, 12), 60) >= 0.25


def test_difference_is_found_beside_disturbance(truth: dict[str, Any]) -> None:
    assert truth["found_over_curve"](truth["Struck"](0.2, 12), 60) >= 0.8
