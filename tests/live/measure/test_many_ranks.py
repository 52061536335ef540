"""Campaigns of more ranks than all batches are kept of, over raw shared memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness.kernels import local_backend
from harness.many_ranks import said
from tests.support.campaigns import Interrupting, Silent, seen

from leadline.measure import preparation
from leadline.measure.conduct import conduct, resume
from leadline.measure.preparation import prepare, restore
from leadline.measure.slices import kept_of
from leadline.measure.spec import Request, parse_variant
from leadline.record.batches import batches_of, conditions_of, strips_of
from leadline.record.reduction import FEW_RANKS
from leadline.store.directory import read_journal

RANKS = FEW_RANKS + 2
"""An even number, as some send in pairs."""
REQUEST = Request(
    patterns=("barrier", "message_rate", "pingpong"), sizes=(8,), ranks=(RANKS,),
    backends=("shm",), variants=(parse_variant("again=shm"),), blocks=2, budget_s=0.1,
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_but_shared_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "find_backends", lambda _: [local_backend("shm")])


def test_recorded_slices_say_the_same_when_only_the_slowest_ranks_are_kept(tmp_path: Path) -> None:
    run = conduct(prepare(replace(REQUEST, all_ranks=True)), tmp_path / "run", Silent())
    slices = read_journal(tmp_path / "run").slices
    assert {one.ranks.size for one in slices} == {1, RANKS}
    assert run.batches.spread is None
    kept = [kept_of(one, run.cells[one.cell].whose_time, all_ranks=False) for one in slices]
    fewer = replace(
        run, batches=batches_of(kept), strips=strips_of(kept), conditions=conditions_of(kept)
    )
    assert fewer.batches.flags.size == sum(one.flags.shape[1] for one in slices)
    assert fewer.batches.flags.size < run.batches.flags.size
    assert said(fewer, run) == said(run, run)


def test_interrupted_campaign_of_many_ranks_goes_on(tmp_path: Path) -> None:
    begun = conduct(prepare(REQUEST), tmp_path / "run", Interrupting())
    assert not begun.complete
    run = resume(restore(begun, lambda words: REQUEST), Silent())
    assert run.complete
    assert run.failures == ()
    assert seen(begun) < seen(run)
    for taken in read_journal(tmp_path / "run").slices:
        assert taken.ranks.size == 1
        assert taken.others.size == RANKS - 1 or run.cells[taken.cell].pattern == "pingpong"
        if taken.spread is not None:
            longest = taken.end_ns[0] - taken.start_ns[0]
            assert np.all(taken.spread.shortest_ns <= longest)
            assert np.all(taken.spread.first_start_ns <= taken.start_ns[0])
            assert np.all(taken.spread.last_end_ns >= taken.end_ns[0])
