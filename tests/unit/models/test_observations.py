"""What models are fitted to, gathered from a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from harness.blocks import cell, configuration, run_of_blocks

from leadline.compare.analysis import Analysis
from leadline.models.observations import observations_of
from leadline.record.run import WhoseTime

SIZES = (8, 64, 512)


def test_times_of_different_ranks_arent_mixed() -> None:
    """Rank 0's and the slowest one's, of one pattern at the same sizes."""
    cells = [
        replace(cell(size, "bcast"), whose_time=whose)
        for whose in (WhoseTime.ROOT, WhoseTime.SLOWEST)
        for size in SIZES
    ]
    seconds = np.repeat([1e-6, 2e-6], len(SIZES))[None, :, None] * np.ones(6)
    found = observations_of(Analysis(run_of_blocks(seconds, [configuration("a")], cells)))
    times = {one.whose_time: [round(1e6 * s) for s in one.seconds[0, :, 0]] for one in found}
    assert times == {WhoseTime.ROOT: [1, 1, 1], WhoseTime.SLOWEST: [2, 2, 2]}
