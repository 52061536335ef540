"""Results of the study of collectives: of libraries with closed forms that are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.support.study_results import noisy, results

from leadline.papers.collectives.stages import (
    CALLS,
    COLLECTIVES,
    LONG_BYTES,
    NUMBERS_OF_PES,
    QUICK_SIZES,
    TOTAL_EXCHANGE,
)
from leadline.papers.results import Measurand, Results

PES = (2, 8, 64)
FAST, SLOW = "mpich", "openmpi"


@dataclass(frozen=True, slots=True)
class Truth:
    """T(m, p) = start (1 + log2 p or p) + byte (p - 1) m, what a total exchange makes of a rate."""

    start_s: float
    rate_bytes_per_s: float
    """Of one PE's port: in a total exchange p - 1 messages pass it."""
    grows: Callable[[float], float] = math.log2

    def seconds(self, pattern: str, pes: int, size_bytes: int) -> float:
        """Of one operation."""
        messages = pes - 1 if pattern == TOTAL_EXCHANGE.pattern else 1
        return self.start_s * self.grows(pes) + messages * size_bytes / self.rate_bytes_per_s


def times(
    truths: dict[str, Truth], pes: Sequence[int] = PES, sizes: Sequence[int] = QUICK_SIZES
) -> dict[Measurand, float]:
    return {
        Measurand(COLLECTIVES, variant, p, call.pattern, size): truth.seconds(call.pattern, p, size)
        for variant, truth in truths.items()
        for call in CALLS
        for p in pes
        for size in (sizes if call.sized else (0,))
    }


def measured(truths: dict[str, Truth], cores: int = 64, pes: Sequence[int] = PES) -> Results:
    return results(noisy(times(truths, pes)), cores=cores)


LIKE_THE_T3D = {FAST: Truth(10e-6, 27.7e6), SLOW: Truth(50e-6, 12.98e6)}
"""64 ports of 27.7 MB/s deliver 1.745 GB/s (p (p - 1) m in (p - 1) m / rate), of 12.98 0.818."""
assert {*PES} <= {*NUMBERS_OF_PES} and LONG_BYTES in QUICK_SIZES
