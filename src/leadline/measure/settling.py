"""Where slices of 2 ms say what longer ones do, by the longer ones of a first block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from leadline.record.reduction import spread_of
from leadline.record.slices import BatchFlag, Slice
from leadline.statistics.intervals import Floats

SHORT_SLICE_S = 0.002
FEWEST_BATCHES = 15
"""Of a slice: the median of fewer follows single ones."""


def shortened(slice_: Slice) -> Slice:
    """What `slice_` would be if it had ended SHORT_SLICE_S after its first timed batch began.

    Without any batch where that leaves fewer than FEWEST_BATCHES of them.
    """
    flags = np.bitwise_or.reduce(slice_.flags, axis=0)
    begin_ns = spread_of(slice_).first_start_ns
    timed = (flags & int(BatchFlag.WARM_UP)) == 0
    end_ns = begin_ns[timed].min(initial=begin_ns.max(initial=0)) + 1e9 * SHORT_SLICE_S
    kept = timed & (begin_ns < end_ns)
    if np.sum(kept & ((flags & int(BatchFlag.LATE)) == 0)) < FEWEST_BATCHES:
        kept[:] = False
    return replace(
        slice_,
        start_ns=slice_.start_ns[:, kept],
        end_ns=slice_.end_ns[:, kept],
        flags=slice_.flags[:, kept],
        slowest=None,  # medians don't ask who it was
        spread=None,
    )


def settled(short: Floats, whole: Floats) -> bool:
    """Whether log ratios of shortened visits say what those of whole ones do, shape (visits,).

    Half of them differ by at most half of what half of the whole ones lie off their median: about a
    quarter of a visit's variance. Not where any is nan or missing, or with fewer than two visits.
    """
    if (
        len(whole) < 2
        or short.shape != whole.shape
        or np.isnan(short).any()
        or np.isnan(whole).any()
    ):
        return False
    spread = np.median(np.abs(whole - np.median(whole)))
    return bool(np.median(np.abs(short - whole)) <= spread / 2)
