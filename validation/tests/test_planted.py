"""Campaigns with planted slow-downs (validation.recorded, validation.planted), not measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from validation import planted, recorded
from validation.recorded import Planted, Recorded

from leadline.measure.budget import Allotment, BlockCosts, BlockLimits
from leadline.measure.plan import Plan
from leadline.measure.spec import DEFAULT_SIZES

COSTS = BlockCosts(startup_s=1.0, launch_s=0.1, visit_s=0.2)
PLAN = Plan((), BlockLimits(6, 9, 9, 64), COSTS, Allotment(9, 8, 4), slice_s=0.005, cold_bytes=0)


def blocks(spread: float) -> Recorded:
    rng = np.random.default_rng(0)
    logs = np.zeros((2, len(DEFAULT_SIZES), 20, 24))
    logs[1] = spread * rng.standard_normal(logs.shape[1:])
    return Recorded((logs, np.ones_like(logs)), COSTS)


def test_campaign_that_is_drawn_keeps_to_its_time_and_its_blocks_to_their_visits() -> None:
    pair = blocks(0.01).campaign(PLAN, 60.0, np.random.default_rng(1))
    visits = np.sum(~np.isnan(pair.candidate[0]), axis=1)
    assert (visits[:3] == 8).all()
    assert (visits[3:] > 8).all(), "only visits spread: more of them are best"
    assert 55.0 <= sum(COSTS.block_s(n, 4) for n in visits.tolist()) <= 60.0
    assert pair.weights is not None
    assert (np.isnan(pair.candidate) == (pair.weights[1] == 0)).all()


def test_what_is_planted_is_found_and_what_is_not_is_not() -> None:
    kept = blocks(0.01)
    for goal in recorded.GOALS:
        for number in (0, 5, 17):
            pair = kept.campaign(PLAN, goal.budget_s, np.random.default_rng(number))
            assert recorded._found(pair, goal, number) == (goal.share > 0), goal.name


def test_one_size_after_the_other_is_slowed_down() -> None:
    everywhere, one = planted.GOALS[0], planted.GOALS[-1]
    assert everywhere.sizes(3) == DEFAULT_SIZES
    assert [one.sizes(number) for number in (0, 1, 12)] == [(0,), (8,), (0,)]
    assert one.name == "5 % at one size in 60 s"


def test_campaigns_that_are_kept_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def campaign(goal: Planted, number: int) -> dict[str, object]:
        if len(asked) == 4:
            raise KeyboardInterrupt
        asked.append((goal.name, number))
        return {"found": number != 7, "elsewhere": 0}

    monkeypatch.setattr(planted, "RESULTS", tmp_path)
    monkeypatch.setattr(planted, "campaign", campaign)
    with pytest.raises(KeyboardInterrupt):
        planted.measure()
    assert asked == [(goal.name, 0) for goal in planted.GOALS] + [(planted.GOALS[0].name, 1)]
    monkeypatch.setattr(planted, "campaign", lambda *_: {"found": len(asked) > 4, "elsewhere": 1})
    figures = planted.measure()
    rows = figures["rows"]
    assert isinstance(rows, list)
    assert [row["found"] for row in rows] == [2, 1, 1]
    assert [row["false elsewhere"] for row in rows] == [18, 19, 19]
    assert not figures["reached"]
