"""Which models reports show unasked."""

from __future__ import annotations

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.models.fitted import MOST_FITTED, Overview, overview
from leadline.models.forms import Scaling
from leadline.models.observations import Observations, observations_of
from leadline.record.run import Run

SIZES = (8, 64, 512, 4096)


def run_of(patterns: int, variants: tuple[str, ...] = ("a", "b")) -> Run:
    """Ping-pongs, and other patterns as many as are wanted to have `patterns` of them."""
    names = ["pingpong", *(f"ring{i}" for i in range(patterns - 1))]
    cells = [cell(size, name) for name in names for size in SIZES]
    times = np.array([1e-6 + 1e-10 * one.size_bytes for one in cells])
    noise = np.random.default_rng(2).normal(size=(len(variants), len(cells), 6))
    seconds = times[None, :, None] * np.exp(0.01 * noise)
    return run_of_blocks(seconds, [configuration(name) for name in variants], cells)


def of(patterns: int) -> Overview:
    return overview(Analysis(run_of(patterns)))


def test_few_curves_all_have_their_models() -> None:
    found = of(3)
    assert [(one.variant, one.pattern) for one in found.found] == [
        (variant, pattern) for variant in "ab" for pattern in ("pingpong", "ring0", "ring1")
    ]
    assert found.left_out == 0


def test_of_many_curves_ping_pongs_alone_have_models_and_the_others_are_counted() -> None:
    assert of(MOST_FITTED // 2).left_out == 0
    found = of(MOST_FITTED // 2 + 1)
    assert [(one.variant, one.pattern) for one in found.found] == [
        ("a", "pingpong"), ("b", "pingpong"),
    ]  # fmt: skip
    assert found.left_out == MOST_FITTED


def test_medians_are_gathered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[Analysis] = []

    def counted(analysis: Analysis) -> tuple[Observations, ...]:
        times.append(analysis)
        return observations_of(analysis)

    monkeypatch.setattr("leadline.models.fitted.observations_of", counted)
    assert of(3).found and len(times) == 1


def test_what_is_refused_is_known_and_not_found() -> None:
    run = run_of(1)
    two = run_of_blocks(np.full((1, 2, 6), 1e-6), [configuration("a")], run.cells[:2])
    found = overview(Analysis(two))
    assert len(found.models) == 1 and found.found == ()


def test_numbers_of_ranks_that_each_lack_a_size_are_fitted_together() -> None:
    sizes, ranks = (8, 64, 512, 4096, 65536), (2, 4, 6, 8)
    cells = [cell(size) for size in sizes]
    times = 1e-6 * np.array(ranks)[:, None] + 1e-10 * np.array(sizes)
    noise = np.random.default_rng(3).normal(size=(len(ranks), len(sizes), 6))
    seconds = times[:, :, None] * np.exp(0.01 * noise)
    seconds[np.arange(len(ranks)), np.arange(len(ranks))] = np.nan
    run = run_of_blocks(seconds, [configuration("a", ranks=p) for p in ranks], cells)
    (found,) = overview(Analysis(run)).found
    assert (found.ranks, found.form.startup) == (ranks, Scaling.LINEAR)
    assert found.has_intervals
