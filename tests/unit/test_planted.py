"""Campaigns with planted slow-downs (`bench.recorded`, `bench.planted`), without measuring."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from harness.places import ROOT

from leadline.measure.allotment import Allotment, BlockCosts, BlockLimits
from leadline.measure.order import DEFAULT_SIZES
from leadline.measure.plan import Plan

COSTS = BlockCosts(startup_s=1.0, launch_s=0.1, visit_s=0.2)
PLAN = Plan((), BlockLimits(6, 9, 9, 64), COSTS, Allotment(9, 8, 4), slice_s=0.005, cold_bytes=0)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """bench.planted; bench isn't a package that is installed."""
    monkeypatch.syspath_prepend(str(ROOT))
    import bench.planted

    yield bench.planted
    for name in [name for name in sys.modules if name.split(".")[0] == "bench"]:
        del sys.modules[name]


def recorded(bench: ModuleType, spread: float) -> object:
    rng = np.random.default_rng(0)
    logs = np.zeros((2, len(DEFAULT_SIZES), 20, 24))
    logs[1] = spread * rng.standard_normal(logs.shape[1:])
    return bench.recorded.Recorded((logs, np.ones_like(logs)), COSTS)


def test_campaign_that_is_drawn_keeps_to_its_time_and_its_blocks_to_their_visits(
    bench: ModuleType,
) -> None:
    pair = recorded(bench, 0.01).campaign(PLAN, 60.0, np.random.default_rng(1))  # type: ignore[attr-defined]
    visits = np.sum(~np.isnan(pair.candidate[0]), axis=1)
    assert (visits[:3] == 8).all()
    assert (visits[3:] > 8).all(), "only visits spread: more of them are best"
    assert 55.0 <= sum(COSTS.block_s(n, 4) for n in visits.tolist()) <= 60.0
    assert (np.isnan(pair.candidate) == (pair.weights[1] == 0)).all()


def test_what_is_planted_is_found_and_what_is_not_is_not(bench: ModuleType) -> None:
    blocks = recorded(bench, 0.01)
    for goal in bench.recorded.GOALS:
        for number in (0, 5, 17):
            pair = blocks.campaign(PLAN, goal.budget_s, np.random.default_rng(number))  # type: ignore[attr-defined]
            assert bench.recorded._found(pair, goal, number) == (goal.share > 0), goal.name


def test_one_size_after_the_other_is_slowed_down(bench: ModuleType) -> None:
    everywhere, one = bench.GOALS[0], bench.GOALS[-1]
    assert everywhere.sizes(3) == DEFAULT_SIZES
    assert [one.sizes(number) for number in (0, 1, 12)] == [(0,), (8,), (0,)]
    assert one.name == "5 % at one size in 60 s"


def test_campaigns_that_are_kept_are_not_measured_again(
    bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def campaign(goal: object, number: int) -> dict[str, object]:
        if len(asked) == 4:
            raise KeyboardInterrupt
        asked.append((goal.name, number))  # type: ignore[attr-defined]
        return {"found": number != 7, "elsewhere": 0}

    monkeypatch.setattr(bench, "RESULTS", tmp_path)
    monkeypatch.setattr(bench, "campaign", campaign)
    with pytest.raises(KeyboardInterrupt):
        bench.measure()
    assert asked == [(goal.name, 0) for goal in bench.GOALS] + [(bench.GOALS[0].name, 1)]
    monkeypatch.setattr(bench, "campaign", lambda *_: {"found": len(asked) > 4, "elsewhere": 1})
    figures = bench.measure()
    assert [row["found"] for row in figures["rows"]] == [2, 1, 1]
    assert [row["false elsewhere"] for row in figures["rows"]] == [18, 19, 19]
    assert not figures["reached"]
