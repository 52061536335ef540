from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks
from harness.synthetic import Campaign, pingpong

from leadline.compare.analysis import Analysis
from leadline.compare.distributions import SHARES
from leadline.record.batches import columns_of
from leadline.record.run import Cell, Run, Stated
from leadline.record.slices import Batches, BatchFlag

TWO = [configuration("a"), configuration("b")]


def one_run(seconds: object, cells: list[Cell]) -> Run:
    return run_of_blocks(seconds, TWO, cells)  # type: ignore[arg-type]


def flagged(batches: Batches, flags: list[int]) -> Batches:
    return replace(columns_of(batches), flags=np.array(flags, np.int32))


def test_quantiles_and_block_medians_are_those_of_the_samples() -> None:
    run = one_run([[[1e-6, 3e-6, 2e-6]], [[4e-6, np.nan, 6e-6]]], [cell(8)])
    first, second = Analysis(run).distributions
    assert (first.configuration, first.cell, first.samples) == (0, 0, 3)
    assert first.blocks_s == pytest.approx((1e-6, 3e-6, 2e-6))
    at = dict(zip(SHARES, first.quantiles_s, strict=True))
    assert [at[share] for share in (0, 0.25, 0.5, 1)] == pytest.approx([1e-6, 1.5e-6, 2e-6, 3e-6])
    assert (second.configuration, second.samples) == (1, 2)
    assert second.blocks_s == pytest.approx((4e-6, 6e-6))


def test_quantiles_rise_and_hold_the_median() -> None:
    run = Campaign(["mpich", "impi"], [pingpong(8), pingpong(512)]).run()
    found = Analysis(run).distributions
    assert [(one.configuration, one.cell) for one in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for one in found:
        assert list(one.quantiles_s) == sorted(one.quantiles_s)
        assert min(one.blocks_s) <= one.quantiles_s[SHARES.index(0.5)] <= max(one.blocks_s)
        assert one.samples == 8 * 19  # of 20, the first is warm-up


def test_warm_up_and_late_samples_do_not_count() -> None:
    run = one_run([[[1e-6, 9e-6, 9e-6]], [[2e-6, 2e-6, 2e-6]]], [cell(8)])
    marked = flagged(
        run.batches, [0, BatchFlag.WARM_UP, BatchFlag.LATE, 0, 0, BatchFlag.CLOCK_BOUND]
    )
    first, second = Analysis(replace(run, batches=marked)).distributions
    assert first.samples == 1
    assert first.quantiles_s[-1] == pytest.approx(1e-6)
    assert second.samples == 3


def test_cells_without_samples_have_none() -> None:
    nothing = np.full((2, 1, 3), np.nan)
    assert Analysis(one_run(nothing, [cell(8)])).distributions == ()
    imported = Stated(0, "osu.txt", (0,), (1e-6,), (4,))
    run = replace(one_run(nothing, [cell(8)]), stated=(imported,))
    assert Analysis(run).distributions == ()
