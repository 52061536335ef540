"""Whatever was measured, each report on it can be made."""

from __future__ import annotations

import math

import numpy as np
import pytest
from harness.blocks import cell, configuration, run_of_blocks

from leadline.cli.commands.report import _reported
from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.record.run import Run
from leadline.report.formats.json_text import document_text
from leadline.report.page import page
from leadline.report.programs.measured import measured_content
from leadline.report.text.run import run_document
from leadline.statistics.intervals import Floats

PATTERNS = ("bcast", "pingpong", "barrier", "allreduce", "alltoall")
SIZES = (0, 1, 2, 3, 8, 64, 512, 4096, 8192, 65536, 2**20, 2**21)
RANKS = (2, 3, 4, 5, 6, 8, 12, 16)


def random_run(rng: np.random.Generator) -> Run:
    """Few sizes or many, of few numbers of ranks or many, with any noise, and holes."""
    patterns = PATTERNS[: rng.integers(1, len(PATTERNS) + 1)]
    sizes = sorted(rng.choice(SIZES, size=rng.integers(1, 12), replace=False).tolist())
    cells = [cell(m, one) for one in patterns for m in (sizes if one != "barrier" else [0])]
    ranks = sorted(rng.choice(RANKS, size=rng.integers(1, 7), replace=False).tolist())
    times = random_times(rng, np.array(ranks), np.array([one.size_bytes for one in cells]))
    noise = rng.normal(size=(*times.shape, int(rng.choice([1, 2, 5, 6, 8]))))
    seconds = times[:, :, None] * np.exp(rng.choice([0, 0.001, 0.05, 0.5]) * noise)
    seconds[rng.random(times.shape) < rng.choice([0, 0.1, 0.5])] = math.nan
    seconds[rng.random(seconds.shape) < rng.choice([0, 0.1])] = math.nan
    crowded = rng.random() < 0.3
    configurations = [
        configuration("a", ranks=p, oversubscribed=bool(crowded and p > 4)) for p in ranks
    ]
    return run_of_blocks(seconds, configurations, cells)


def random_times(rng: np.random.Generator, ranks: Floats, sizes: Floats) -> Floats:
    """Shape (ranks, sizes): of a form, of one with a jump, or of none."""
    if rng.random() < 0.3:
        return np.asarray(10.0 ** rng.uniform(-7, -2, size=(len(ranks), len(sizes))))
    startup = 1e-6 * (1 + rng.random() * np.log2(ranks)[:, None])
    times = startup + rng.choice([0, 1e-10, 1e-9]) * sizes * ranks[:, None] ** rng.integers(0, 2)
    return np.asarray(times * np.where(sizes > 4096, rng.choice([0.5, 1, 1.5]), 1))


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.filterwarnings("error")
def test_every_report_on_any_run_can_be_made(seed: int) -> None:
    analysis = Analysis(random_run(np.random.default_rng(seed)))
    measured = computed(analysis, 0.02)
    assert run_document(measured)
    assert document_text(measured_content(measured))
    if analysis.summaries:
        assert page(_reported([analysis], None, 0.02)).endswith("</html>\n")
