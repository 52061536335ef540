"""Whether all ranks ran their batches of operations that are to contend at the same time. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from leadline.kernels.messages import Hello, Result
from leadline.record.reduction import spread_of
from leadline.record.slices import BatchFlag, Slice
from leadline.statistics.intervals import Floats

LEAST_OVERLAP = 0.9
"""Of the longest rank's batch; what contends goes on two to five times faster once alone."""


def contends(results: Sequence[Result], hellos: Mapping[int, Hello], common: bool) -> bool:
    """Whether batches are to overlap, and one clock can tell whether they do; `hellos` by rank.

    `common`: their clocks have been fitted, and starts are by that of rank 0.
    """
    clocks = {hellos[result.rank].clock for result in results}
    return results[0].contends and (common or len(clocks) == 1)


def overlaps(taken: Slice) -> Floats:
    """The share of each batch, as its longest rank had it, in which all ranks ran; shape (n,).

    Below 0 where one had ended before another began. Ranks must read one clock.
    """
    spread = spread_of(taken)
    together = spread.first_end_ns - spread.last_start_ns
    longest = np.max(taken.end_ns - taken.start_ns, axis=0)
    share: Floats = together / np.maximum(longest, 1)
    return share


def without_company(taken: Slice) -> Slice:
    """`taken`, its batches flagged that overlapped too little."""
    if taken.start_ns.size == 0:
        return taken
    alone: npt.NDArray[np.bool_] = overlaps(taken) < LEAST_OVERLAP
    return replace(taken, flags=taken.flags | np.where(alone, np.int32(BatchFlag.APART), 0))
