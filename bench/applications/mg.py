"""MG on one rank against what the machine's memory allows for the bytes that it has to move.

Goal: an iteration of class A takes at most 1.5 times what as many bytes take in a triad
(bench/reference/triad.c), by the upper bound of the paired ratio. Both count what a program reads
and writes, as is usual for triads; `with_fetched` counts in both what a core fetches besides
before it overwrites it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.applications.beside import beside
from leadline.kernels.build import Additions
from leadline.papers.cray_mpt.nas_mg import CLASSES

TRIAD = Additions(sources=(Path(__file__).parents[1] / "reference" / "triad.c",))
LIMIT = 1.5
FINEST = {"restricted": 1, "corrected": 2, "residual": 3, "smoothed": 3, "residual again": 3}
COARSER = {"restricted to": 1, "restricted": 1, "prolonged": 2, "residual": 3, "smoothed": 3}
"""Fields that each operator reads and writes at a point: see docs/numbers.md."""
FETCHED_ON_FINEST, FETCHED_ON_COARSER = 2, 2
"""Of these written without being read: residuals; restricted to, prolonged to."""
TRIAD_FIELDS, TRIAD_FETCHED = 3, 1


def bytes_at_a_point(fetched: bool = False) -> float:
    """That an iteration moves for each point of the finest grid; others have a seventh as many."""
    finest = sum(FINEST.values()) + fetched * FETCHED_ON_FINEST
    coarser = sum(COARSER.values()) + fetched * FETCHED_ON_COARSER
    return 8 * (finest + coarser / 7)


def measure(size: str = "A", budget_s: float = 60.0, blocks: int = 12) -> dict[str, object]:
    """Seconds of an iteration and of a triad, and the ratio to what the triad's rate allows."""
    patterns = (f"mg:{size}", f"triad:{size}")
    found = beside(TRIAD, patterns, budget_s=budget_s, blocks=blocks)
    triad_bytes = 8 * TRIAD_FIELDS
    figures = found.as_figures("iteration", "triad", bytes_at_a_point() / triad_bytes)
    fetched = bytes_at_a_point(True) / (triad_bytes + 8 * TRIAD_FETCHED)
    rate = triad_bytes * CLASSES[size].points ** 3 / float(np.nanmedian(found.other_s))
    high = float(str(figures["high"]))
    return {
        "class": size,
        "bytes_at_a_point": bytes_at_a_point(),
        "triad_gb_per_s": rate / 1e9,
        **figures,
        "with_fetched": found.ratio.value / fetched,
        "limit": LIMIT,
        "reached": high <= LIMIT,
    }
