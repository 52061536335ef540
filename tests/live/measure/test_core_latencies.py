"""Campaigns record how long a cache line took between partners, where that can be known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from harness.kernels import variant
from tests.support.campaigns import plan_for, run_campaign

from leadline.record.quantities import UNKNOWN
from leadline.record.slices import Counts
from leadline.store import load


def of_both_ranks(into: Path, oversubscribed: bool = False) -> Counts:
    """What the ranks of a campaign's slices recorded, shape (2, slices)."""
    variants = [variant("shm")]
    plan = plan_for(variants, "pingpong,barrier", (8,), 2)
    crowd = tuple(replace(group, oversubscribed=oversubscribed) for group in plan.groups)
    run_campaign(into, variants, replace(plan, groups=crowd))
    run = load(into)
    assert run.strips is not None
    assert run.conditions is not None
    ranks = [run.conditions.core_latency_ns[run.strips.rank == rank] for rank in (0, 1)]
    return np.array(ranks)


def test_both_ranks_of_a_slice_have_one_hand_over_or_none(tmp_path: Path) -> None:
    found = of_both_ranks(tmp_path / "run")
    assert found.size > 0
    assert np.array_equal(found[0], found[1])
    assert ((found == UNKNOWN) | (found > 0)).all()


def test_ranks_that_outnumber_the_cores_hand_nothing_over(tmp_path: Path) -> None:
    found = of_both_ranks(tmp_path / "run", oversubscribed=True)
    assert found.size > 0
    assert (found == UNKNOWN).all()
