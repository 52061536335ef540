"""Slices that were disturbed, or not, as their ranks say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leadline.record.quantities import UNKNOWN
from leadline.record.slices import Disturbance, Slice

WINDOW_NS = 4_000_000


def disturbance(*run_delays: float) -> Disturbance:
    """Of ranks that waited for a core for these shares of the time; below 0: not known."""
    known = np.array(run_delays) >= 0
    delays = np.where(known, np.array(run_delays) * WINDOW_NS, -1).astype(np.int64)
    windows = np.full(known.size, WINDOW_NS)
    unknown = np.full(known.size, UNKNOWN)
    return Disturbance(windows, delays, np.where(known, 1, -1), np.where(known, 0, -1), unknown)


def slice_at(
    configuration: int, when: tuple[int, int], times_ns: Sequence[int], run_delay: float = 0.0
) -> Slice:
    """Of two ranks and the first cell, in a block and visit; rank 1 waited for a core."""
    elapsed = np.tile(np.array(times_ns, np.int64), (2, 1))
    start = np.zeros_like(elapsed)
    return Slice(
        configuration, 0, *when, repetitions=1, ranks=np.arange(2, dtype=np.int32),
        start_ns=start, end_ns=elapsed, flags=start.astype(np.int32),
        disturbance=disturbance(0.0, run_delay),
    )  # fmt: skip
