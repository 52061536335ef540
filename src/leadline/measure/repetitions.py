"""How many repetitions make a batch: as many as the best pace seen so far asks for.

A launch finds out in its warm-up; what all launches measured then says better. Pure.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from leadline.record.slices import LEFT_OUT, BatchFlag, Slice

BATCH_NS = 50_000
"""Well below the scheduler's tick, so that a preemption spoils one batch and not the cell."""
BADLY_WRONG = 4.0
"""In a batch so many times shorter than that, readings of the clock (60 ns) weigh 0.5 %."""


class Repetitions:
    """What a repetition of each cell takes under each configuration, and what that makes."""

    def __init__(self) -> None:
        """Begins knowing nothing."""
        self._best_ns: dict[tuple[int, int], float] = {}

    def of(self, configuration: int, cell: int) -> int:
        """Of the next batches; 0: the launch is to find out."""
        best_ns = self._best_ns.get((configuration, cell))
        return max(1, round(BATCH_NS / best_ns)) if best_ns else 0

    def judged(self, taken: Slice) -> Slice:
        """`taken`, all its batches flagged where their number of repetitions was badly wrong.

        It is by the best batch so far, also of `taken`: disturbance lengthens a batch, and says
        nothing of the number.
        """
        key = taken.configuration, taken.cell
        found_ns = pace_ns(taken)
        if found_ns is None:
            return taken
        best_ns = self._best_ns[key] = min(found_ns, self._best_ns.get(key, found_ns))
        length = best_ns * taken.repetitions / BATCH_NS
        too_many = taken.repetitions > 1 and length > BADLY_WRONG
        if not too_many and length * BADLY_WRONG >= 1:
            return taken
        return replace(taken, flags=taken.flags | np.int32(BatchFlag.MISCOUNTED))


def pace_ns(taken: Slice) -> float | None:
    """What a repetition took on the slowest rank in the quickest batch that counts; None: none."""
    counts = ~np.any(taken.flags & int(LEFT_OUT), axis=0)
    if not counts.any():
        return None
    slowest = np.max(taken.end_ns - taken.start_ns, axis=0)
    return max(float(np.min(slowest[counts])), 1.0) / taken.repetitions
