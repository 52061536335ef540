"""Campaigns that run out of time before six blocks, run for real over null."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.support.campaigns import Silent, on_two_cores, plan_for, seen
from tests.support.kernels import variant

from leadline.measure.allotment import BlockLimits
from leadline.measure.conduct import conduct
from leadline.measure.order import Order
from leadline.measure.plan import Plan
from leadline.measure.prepared import Prepared
from leadline.measure.variants import Variant
from leadline.record.run import Cell, Run

SIZES = (8, 16, 24, 32, 40, 48)


class Loaded(Silent):
    """As a machine on which every slice takes a while longer."""

    def slice_done(self, variant: str, cell: Cell) -> None:
        super().slice_done(variant, cell)
        time.sleep(0.1)


def uncounted(variants: Sequence[Variant]) -> Plan:
    """A plan of six blocks, whose number nobody stated."""
    plan = plan_for(variants, "pingpong", SIZES, 6)
    return replace(plan, limits=BlockLimits(6, 6, 6, 64))


def conducted(directory: Path, budget_s: float, kept: bool) -> tuple[Run, Silent]:
    variants, watching = [variant("null"), variant("null", "again")], Loaded()
    order = Order(patterns=(), budget_s=budget_s, budget_kept=kept)
    prepared = Prepared(order, tuple(variants), uncounted(variants), (on_two_cores(),))
    return conduct(prepared, directory, watching), watching


def test_campaign_ends_with_its_budget_and_has_told_that_after_the_first_block(
    tmp_path: Path,
) -> None:
    run, watching = conducted(tmp_path / "run", budget_s=3.0, kept=True)  # a visit takes 1.2 s
    assert run.complete
    assert 1 <= len(watching.blocks) < 6
    (shortfall,) = watching.shortfalls
    assert shortfall.kept
    assert shortfall.blocks < 6
    assert "few_for_tests" in [caveat.code for caveat in run.warnings]


def test_cells_have_blocks_alike_and_both_variants_in_each(tmp_path: Path) -> None:
    run, _ = conducted(tmp_path / "run", budget_s=2.0, kept=True)
    pairs = {(block, cell) for block, _, cell in seen(run)}
    assert seen(run) == {(b, c, k) for b, k in pairs for c in (0, 1)}
    blocks = Counter(cell for _, cell in pairs)
    assert max(blocks.values()) - min(blocks[cell] for cell in range(len(SIZES))) <= 1


def test_campaign_whose_budget_nobody_stated_says_so_and_goes_on(tmp_path: Path) -> None:
    run, watching = conducted(tmp_path / "run", budget_s=1.0, kept=False)
    assert len(watching.blocks) == 6
    assert len(seen(run)) == 6 * 2 * len(SIZES)
    (shortfall,) = watching.shortfalls
    assert not shortfall.kept
