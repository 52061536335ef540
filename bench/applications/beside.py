"""Two applications of one rank in one kernel, which take turns there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.live import carried_out, local_backend, upper, variant_of
from leadline.kernels.build import Additions
from leadline.measure.spec import Request
from leadline.statistics.estimate import Estimate
from leadline.statistics.intervals import Floats


@dataclass(frozen=True, slots=True)
class Beside:
    """Seconds of a repetition of two, and the paired ratio of the first to the second."""

    own_s: Floats
    """Medians of the visits of all blocks; nan: that visit wasn't."""
    other_s: Floats
    ratio: Estimate
    """With its 95 % interval over blocks."""

    def as_figures(self, own: str, other: str, unit: float = 1.0) -> dict[str, object]:
        """Median and best of both, called `own` and `other`; all ratios are of `unit`s."""
        best = [float(np.nanmin(one)) for one in (self.own_s, self.other_s)]
        return {
            f"{own}_s": float(np.nanmedian(self.own_s)),
            f"{other}_s": float(np.nanmedian(self.other_s)),
            f"{own}_best_s": best[0],
            f"{other}_best_s": best[1],
            "best_over_best": best[0] / best[1] / unit,
            "ratio": self.ratio.value / unit,
            "low": None if self.ratio.low is None else self.ratio.low / unit,
            "high": upper(self.ratio) / unit,
        }


def beside(
    additions: Additions, patterns: tuple[str, str], *, budget_s: float, blocks: int
) -> Beside:
    """Both `patterns` of the kernel over shared memory with `additions`, in turns."""
    variant = variant_of(local_backend("shm"), "shm", additions)
    request = Request(patterns=patterns, ranks=(1,), budget_s=budget_s, blocks=blocks)
    medians = carried_out(request, [variant])
    row_of = {cell.pattern: row for row, cell in enumerate(medians.cells)}
    own, other = (row_of[pattern] for pattern in patterns)
    seconds = medians.by_variant["shm"]
    return Beside(seconds[own], seconds[other], medians.ratio("shm", "shm", own, other))
