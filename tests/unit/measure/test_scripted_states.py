"""Campaigns on cores that change their state: which slices are taken again, and which count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.scripted import QUIET, Theatre, request

from leadline.compare.analysis import Analysis
from leadline.measure.slices import MOST_ATTEMPTS
from leadline.record.quantities import UNKNOWN
from leadline.record.run import Run
from leadline.scripted.machine import START_S
from leadline.scripted.script import Cores

NEAR_NS, FAR_NS = 100, 400
BLOCKS = 6
Periods = tuple[tuple[float, float], ...]
When = tuple[int, int]
"""Block and attempt."""


def played(out: Path, far: Periods, blocks: int = BLOCKS, crowded: bool = False) -> Run:
    """A run of one library, whose operations take twice as long while cores are far."""
    asked = request(blocks=blocks, budget_s=0.0)
    cores = Cores(factor=2.0, near_ns=NEAR_NS, far_ns=FAR_NS, far=far)
    stage = Theatre(out, {"a": QUIET}, asked, script={"cores": cores, "mood": 0.0})
    plan = stage.prepared.plan
    groups = tuple(replace(group, oversubscribed=crowded) for group in plan.groups)
    return stage.play(plan=replace(plan, groups=groups)).run


def begin_s(run: Run, block: int) -> float:
    """When its first slice's first batch began, by the script."""
    where = (run.batches.block == block) & (run.batches.attempt == 0)
    return float(run.batches.start_ns[where].min()) * 1e-9 - START_S


def core_latencies(run: Run) -> Mapping[When, int]:
    """What each slice saw, the same on both ranks."""
    strips, conditions = run.strips, run.conditions
    assert strips is not None
    assert conditions is not None
    found: dict[When, set[int]] = {}
    columns = strips.block, strips.attempt, conditions.core_latency_ns
    for block, attempt, ns in zip(*(one.tolist() for one in columns), strict=True):
        found.setdefault((block, attempt), set()).add(ns)
    assert all(len(seen) == 1 for seen in found.values())
    return {when: seen.pop() for when, seen in found.items()}


def typical_us(run: Run) -> list[float]:
    """The median of each block, in whole microseconds; nan: it doesn't count."""
    return [round(one * 1e6, 1) for one in Analysis(run).medians.seconds[0, 0].tolist()]


NEAR_US, FAR_US = 1.0, 2.0
"""Of a message."""


@pytest.fixture
def steady(tmp_path: Path) -> Run:
    """Cores that stay near; beginnings of slices are the same until they first go far."""
    run = played(tmp_path / "steady", ((1e8, 1e9),))
    assert set(core_latencies(run).values()) == {NEAR_NS}
    return run


def test_every_slice_has_its_hand_over(steady: Run) -> None:
    assert core_latencies(steady) == {(block, 0): NEAR_NS for block in range(BLOCKS)}
    assert typical_us(steady) == [NEAR_US] * BLOCKS


def test_slice_in_the_other_state_is_taken_again_and_the_second_one_counts(
    steady: Run, tmp_path: Path
) -> None:
    # a slice reads the state as it begins, before its warm-up of some 20 ms
    when = begin_s(steady, 3)
    run = played(tmp_path / "run", ((when - 0.04, when),))
    expected = {(block, 0): NEAR_NS for block in range(BLOCKS)} | {(3, 0): FAR_NS, (3, 1): NEAR_NS}
    assert core_latencies(run) == expected
    assert typical_us(run) == [NEAR_US] * BLOCKS
    (row,) = Analysis(run).summaries
    states = row.circumstances.states
    assert (states.near.visits, states.far.visits, states.is_far) == (BLOCKS, 1, False)


def test_state_that_lasts_is_tried_once_and_then_left_alone(steady: Run, tmp_path: Path) -> None:
    """From the fourth block on; until then most visits were near, so those count."""
    run = played(tmp_path / "run", ((begin_s(steady, 3) - 0.04, 1e9),))
    assert core_latencies(run) == {
        (0, 0): NEAR_NS, (1, 0): NEAR_NS, (2, 0): NEAR_NS,
        (3, 0): FAR_NS, (3, 1): FAR_NS, (4, 0): FAR_NS, (5, 0): FAR_NS,
    }  # fmt: skip
    counted = typical_us(run)
    assert counted[:3] == [NEAR_US] * 3
    assert np.isnan(counted[3:]).all()


def test_state_that_most_visits_have_counts_though_it_is_the_far_one(
    steady: Run, tmp_path: Path
) -> None:
    run = played(tmp_path / "run", ((begin_s(steady, 2) - 0.04, 1e9),))
    counted = typical_us(run)
    assert np.isnan(counted[:2]).all()
    assert counted[2:] == [FAR_US] * 4
    (row,) = Analysis(run).summaries
    assert row.circumstances.states.is_far
    assert "core_states" in {warning.code for warning in row.warnings}


def test_near_state_that_is_first_seen_late_shows_what_came_before_to_be_far(
    tmp_path: Path,
) -> None:
    """Nothing tells far from near until the near one was seen; most visits were far by then."""
    early = played(tmp_path / "far", ((0.0, 1e9),))
    assert typical_us(early) == [FAR_US] * BLOCKS  # for all that is known they are near
    when = begin_s(early, 4) - 0.04
    run = played(tmp_path / "run", ((0.0, when), (when + 0.04, 1e9)))
    seen = core_latencies(run)
    assert {at: ns for at, ns in seen.items() if at[0] == 4} == {(4, 0): NEAR_NS, (4, 1): FAR_NS}
    assert typical_us(run) == [FAR_US] * BLOCKS


def test_ranks_that_outnumber_cores_hand_nothing_over_and_take_nothing_again(
    tmp_path: Path,
) -> None:
    run = played(tmp_path / "run", ((0.5, 0.7), (0.9, 1.1)), crowded=True)
    assert core_latencies(run) == {(block, 0): UNKNOWN for block in range(BLOCKS)}


def test_states_that_change_all_the_time_cost_no_more_than_the_attempts_allowed(
    tmp_path: Path,
) -> None:
    far = tuple((n / 100, n / 100 + 0.005) for n in range(1000))
    run = played(tmp_path / "run", far, blocks=20)
    attempts = [attempt for _, attempt in core_latencies(run)]
    assert max(attempts) < MOST_ATTEMPTS
