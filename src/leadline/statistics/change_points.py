"""Where a series of values changes its level: a test of every stretch of it, then of its parts.

Stretches, not mere splits, find a level that lasted for a while and went back. Trying all of them
is paid for, and so is drift: see `drift`. Stray values are drawn in first.

Sources: Olshen, Venkatraman, Lucito and Wigler 2004 (circular binary segmentation); Bai 1997
(placing changes again); Fearnhead and Rigaill 2019 (why the weight of a stray value must be
bounded).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leadline.statistics.drift import chance_of, less_biased, stretches, strongest_step
from leadline.statistics.intervals import Floats

FEWEST_VALUES = 12
"""Of a series that can show a change: of fewer, drift and a step can't be told from each other."""
FARTHEST = 3.0
"""Standard deviations, estimated by the median absolute deviation, that a value may be away."""


def drawn_in(values: Floats) -> Floats:
    """`values`, those that are far from the median moved to FARTHEST standard deviations from it.

    A stray value then weighs no more than a true change does. More than half equal: as they are.
    """
    middle = np.median(values)
    deviation = 1.4826 * np.median(np.abs(values - middle))  # of a normal distribution
    if deviation == 0:
        return values
    reach = FARTHEST * deviation
    return np.clip(values, middle - reach, middle + reach)


def strongest_stretch(values: Floats, seed: int = 0) -> tuple[int, int, float]:
    """The first value of the stretch that differs most, the first after it, and the p-value.

    The p-value is that of the hypothesis that the level never changes but for drift. Fewer than
    FEWEST_VALUES, or all equal: (0, n, 1.0).
    """
    n = values.size
    if n < FEWEST_VALUES or np.ptp(values) == 0:
        return 0, n, 1.0
    found = strongest_step(values[None])
    first, end = stretches(n)[found.stretch[0]]
    persistence = less_biased(float(found.persistence[0]), n)
    return first, end, chance_of(found.statistic[0], n, persistence, seed)


def change_points(values: Floats, alpha: float, seed: int = 0) -> tuple[int, ...]:
    """The indices, rising, of the values with which a new level begins.

    The strongest stretch is cut out as long as the p-value is at most `alpha`, and so are the
    parts' own; so a series without a change gets one with that chance. Each place is then sought
    again between its neighbours (Bai 1997), for further levels mislead the first cuts.
    """
    series = drawn_in(values) if values.size else values
    starts = tuple(_changes(series, 0, alpha, seed))
    bounds = (0, *starts, values.size)
    return tuple(
        first + best_split(series[first:end])
        for first, end in zip(bounds[:-2], bounds[2:], strict=True)
    )


def best_split(values: Floats) -> int:
    """After how many of two values or more the mean changes most."""
    n = values.size
    before = np.arange(1, n)
    sums = np.cumsum(values - values.mean())[:-1]
    return int(np.argmax(np.abs(sums) / np.sqrt(before * (n - before) / n))) + 1


def _changes(values: Floats, origin: int, alpha: float, seed: int) -> Iterator[int]:
    first, end, p = strongest_stretch(values, seed)
    if p > alpha:
        return
    cuts = [cut for cut in (first, end) if 0 < cut < values.size]
    for start, stop in zip([0, *cuts], [*cuts, values.size], strict=True):
        if start:
            yield origin + start
        yield from _changes(values[start:stop], origin + start, alpha, seed)
