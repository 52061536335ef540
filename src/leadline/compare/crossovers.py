"""Where one curve overtakes another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, slots=True)
class Crossover:
    """One curve overtakes another between two sizes, at about `size_bytes`."""

    below_bytes: int
    above_bytes: int
    size_bytes: float


def crossovers(
    sizes_bytes: Sequence[int], first: Sequence[float], second: Sequence[float]
) -> tuple[Crossover, ...]:
    """Where the curve `first` rises above `second` or falls below it, interpolated on log axes.

    Sizes rise; a size of 0 counts as 1 byte on its axis. Sizes at which the curves are equal
    belong to neither side. Fewer than two sizes: none.
    """
    logs = np.log(np.asarray(first, dtype=np.float64) / np.asarray(second, dtype=np.float64))
    points = [(size, float(d)) for size, d in zip(sizes_bytes, logs, strict=True) if d != 0]
    return tuple(
        Crossover(below, above, zero_between(max(below, 1), above, before, after))
        for (below, before), (above, after) in pairwise(points)
        if before * after < 0
    )


def zero_between(below: float, above: float, before: float, after: float) -> float:
    """The size at which a difference that goes from `before` to `after` is zero, on a log axis."""
    share = before / (before - after)
    return math.exp(math.log(below) + share * (math.log(above) - math.log(below)))
