"""Two runs and histories whose truth is known; `bench.truth` has more of them."""

from __future__ import annotations

import math
import runpy
from typing import Any

import numpy as np
import pytest
from harness.places import ROOT

from leadline.statistics.permutation import step_down

PAIRS = 60


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "truth_of_runs.py"))


def at_most(nominal: float, trials: int) -> float:
    """What a share of `nominal` stays below in all but one of 700 samples."""
    return nominal + 3 * math.sqrt(nominal * (1 - nominal) / trials)


@pytest.mark.parametrize(
    "what",
    ["6 blocks of 6 % against 24 of 2 %", "days of 3 %, stated", "days of 3 %, by 12 other runs"],
)
def test_two_runs_are_called_different_no_more_often_than_said(
    truth: dict[str, Any], what: str
) -> None:
    assert truth["false_verdicts"](*truth["PAIRS"][what], PAIRS) <= at_most(0.05, PAIRS)


def test_days_that_are_left_out_of_account_are_called_a_difference(truth: dict[str, Any]) -> None:
    # the fault that is guarded against: blocks alone
    first, second, _ = truth["PAIRS"]["days of 3 %, stated"]
    assert truth["false_verdicts"](first, second, truth["stated"](0.0), PAIRS) > 0.2


def test_variances_pooled_are_called_a_difference(truth: dict[str, Any]) -> None:
    # the fault that is guarded against: one variance for blocks that scatter by 6 and by 2 %
    rng = np.random.default_rng(0)
    labels = np.argsort(rng.random((1000, 30)), axis=1) >= 6
    labels[0] = np.arange(30) >= 6
    first, second, _ = truth["PAIRS"]["6 blocks of 6 % against 24 of 2 %"]

    def pooled() -> bool:
        both = np.hstack([first.run(rng), second.run(rng)]).T
        ends = (1 - labels) @ both / 6, labels @ both / 24
        squares = (both**2).sum(axis=0) - 6 * ends[0] ** 2 - 24 * ends[1] ** 2
        return bool(step_down(np.abs(ends[1] - ends[0]) / np.sqrt(squares)).min() <= 0.05)

    assert np.mean([pooled() for _ in range(PAIRS)]) > 0.2


def test_intervals_of_two_runs_cover(truth: dict[str, Any]) -> None:
    what = "days of 3 %, by 12 other runs"
    assert 0.85 <= truth["covered"](*truth["PAIRS"][what], 240) <= 1


@pytest.mark.parametrize("persistence", [0.0, 0.6])
def test_histories_without_a_change_show_one_no_more_often_than_said(
    truth: dict[str, Any], persistence: float
) -> None:
    assert truth["false_changes"](40, persistence, 200) <= at_most(0.05, 200)
